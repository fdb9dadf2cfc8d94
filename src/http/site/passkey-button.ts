// The button that asks the browser for a passkey, with the fields of its form. It appears with JavaScript only.

import { html } from 'hono/html';
import { PASSKEY_ALGORITHMS, type PasskeySite, passkeySite } from '../../identity/passkey.ts';
import { CHALLENGE_LIFETIME, type ChallengeUse, makeChallenge } from '../../identity/passkey-challenge.ts';
import type { Passkey } from '../../identity/passkey-store.ts';
import type { User } from '../../identity/user.ts';
import type { PostedForm } from '../pages/form-page.ts';
import { bilingual } from '../pages/language.ts';
import type { Html } from '../pages/page.ts';
import { browserSecret, type PageContext } from '../pages/visitor.ts';
import type { SiteParts } from './site-parts.ts';

/** What passkeys of this site are bound to. Undefined if the site can't have any. */
export function siteOfPasskeys(c: PageContext): PasskeySite | undefined {
  return passkeySite(c.get('site').baseUrl);
}

/** What a challenge on a page of this visitor is for. */
export async function challengeUse(
  site: SiteParts,
  c: PageContext,
  purpose: ChallengeUse['purpose'],
): Promise<ChallengeUse> {
  const userId = purpose === 'sign-in' ? 0 : (c.get('visitor').visit?.user.id ?? 0);
  return { purpose, secret: await site.signInSecret(), browser: browserSecret(c), userId };
}

/** Read what the script has put into the form. */
export function passkeyAnswer(form: PostedForm): { response: string; challenge: string } {
  return { response: form.text('passkey'), challenge: form.text('passkey_challenge') };
}

export interface PasskeyButton {
  text: string;
  isPrimary?: boolean;
  /** The browser also suggests passkeys in the field for the username. */
  isConditional?: boolean;
}

/** Make the button that uses a passkey. With passkeys the browser accepts no others. */
export async function usePasskeyButton(
  site: SiteParts,
  c: PageContext,
  purpose: 'sign-in' | 'proof',
  button: PasskeyButton,
  passkeys: readonly Passkey[] = [],
): Promise<Html> {
  const { challenge, sealed } = makeChallenge(await challengeUse(site, c, purpose), site.clock());
  const options = {
    challenge,
    rpId: siteOfPasskeys(c)?.id,
    userVerification: 'required',
    timeout: CHALLENGE_LIFETIME,
    allowCredentials: passkeys.map(descriptorOf),
  };
  return buttonWith(c, 'get', options, sealed, button);
}

/** Make the button that creates a passkey for a member, who has these already. */
export async function createPasskeyButton(
  site: SiteParts,
  c: PageContext,
  { id, username }: User,
  passkeys: readonly Passkey[],
  button: PasskeyButton,
): Promise<Html> {
  const { challenge, sealed } = makeChallenge(await challengeUse(site, c, 'registration'), site.clock());
  const options = {
    challenge,
    rp: { id: siteOfPasskeys(c)?.id, name: c.get('site').name },
    user: { id: Buffer.from(String(id)).toString('base64url'), name: username, displayName: username },
    pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    excludeCredentials: passkeys.map(descriptorOf),
    attestation: 'none',
    timeout: CHALLENGE_LIFETIME,
  };
  return buttonWith(c, 'create', options, sealed, button);
}

function descriptorOf({ credentialId, transports }: Passkey) {
  return { type: 'public-key', id: credentialId, transports: transports === '' ? [] : transports.split(' ') };
}

function buttonWith(
  c: PageContext,
  act: 'get' | 'create',
  options: object,
  sealed: string,
  { text, isPrimary = false, isConditional = false }: PasskeyButton,
): Html {
  const t = words[c.get('visitor').language];
  return html`
    <input type="hidden" name="passkey" value="">
    <input type="hidden" name="passkey_challenge" value="${sealed}">
    <button
      type="button" hidden class="${isPrimary ? 'primary' : ''}" data-passkey="${act}" aria-describedby="passkey-status"
      data-options="${JSON.stringify(options)}" data-failed="${t.failed}" data-known="${t.known}"
      ${isConditional && html`data-conditional`}>${text}</button>
    <span class="soft small" id="passkey-status" role="status"></span>`;
}

const words = bilingual(
  {
    failed: 'No passkey was used. Try again, or choose another way.',
    known: 'This device has a passkey for your account already.',
  },
  {
    failed: '未使用通行密钥。请重试，或选择其他方式。',
    known: '此设备已有您账号的通行密钥。',
  },
);
