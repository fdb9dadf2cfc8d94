// The form that signs in with a passkey, for the pages of both steps.

import { html } from 'hono/html';
import { bilingual } from '../../pages/language.ts';
import { type Html, visitorFormTokenField } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { siteOfPasskeys, usePasskeyButton } from '../passkey-button.ts';
import type { SiteParts } from '../site-parts.ts';

export const PASSKEY_LOGIN_PATH = '/login/passkey';

/** Make the form. Empty on a site that can't have passkeys. */
export async function passkeyForm(
  site: SiteParts,
  c: PageContext,
  { returnTo, isConditional }: { returnTo: string; isConditional: boolean },
): Promise<Html | ''> {
  if (siteOfPasskeys(c) === undefined) return '';
  const text = words[c.get('visitor').language].button;
  return html`
    <form method="post" action="${PASSKEY_LOGIN_PATH}" class="passkey">
      ${visitorFormTokenField(c)}
      <input type="hidden" name="return_to" value="${returnTo}">
      ${await usePasskeyButton(site, c, 'sign-in', { text, isConditional })}
    </form>`;
}

const words = bilingual({ button: 'Sign in with a passkey' }, { button: '使用通行密钥登录' });
