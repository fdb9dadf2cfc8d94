// Revoking one API token, or all of them, after a question.

import { html } from 'hono/html';
import { byMember } from '../../../audit/doer.ts';
import type { User } from '../../../identity/user.ts';
import { revokeOwnPersonalToken } from '../../../oauth/personal-token.ts';
import { revokeAllOwnPersonalTokens } from '../../../oauth/personal-token-changes.ts';
import type { PersonalToken } from '../../../oauth/personal-token-store.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { bilingual } from '../../pages/language.ts';
import { idIn } from '../../pages/numbers.ts';
import { questionPage } from '../../pages/question.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { settingsMenu } from './page.ts';
import { TOKENS_PATH as PATH } from './tokens.ts';

/** Ask before a token is revoked. */
export async function revokeTokenPage(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const token = await tokenInPath(site, c, user);
  if (token === undefined) return notFoundPage(c);
  const t = words[c.get('visitor').language];
  return questionPage(c, {
    title: t.question,
    menu: settingsMenu(c, PATH),
    explanation: html`
      <p class="quoted">${token.name}</p>
      <p>${t.consequence}</p>`,
    action: `${PATH}/${token.id}/revoke`,
    button: t.revoke,
    back: { path: PATH, text: t.cancel },
  });
}

/** Revoke one of the member's own tokens. */
export async function revokeToken(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const isRevoked = await revokeOwnPersonalToken(
    byMember(user, site.clock, site.clientAddress(c)),
    site.oauth,
    idIn(c),
  );
  return isRevoked ? c.redirect(`${PATH}?revoked`, 303) : notFoundPage(c);
}

/** The member's token whose id is in the path, unless it is revoked. */
export async function tokenInPath(
  site: SiteParts,
  c: PageContext,
  user: User,
): Promise<PersonalToken | undefined> {
  const tokens = await site.oauth.reads.personalTokensOf(user.id);
  return tokens.find(({ id }) => id === idIn(c));
}

/** Ask before all tokens are revoked. */
export async function revokeAllTokensPage(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const tokens = await site.oauth.reads.personalTokensOf(user.id);
  const t = words[c.get('visitor').language];
  return questionPage(c, {
    title: t.questionAll,
    menu: settingsMenu(c, PATH),
    explanation: html`
      <ul>${tokens.map(({ name }) => html`<li>${name}</li>`)}</ul>
      <p>${t.consequenceAll}</p>`,
    action: `${PATH}/revoke-all`,
    button: t.revokeAll,
    back: { path: PATH, text: t.cancel },
  });
}

/** Revoke all of the member's tokens. */
export async function revokeAllTokens(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  // If there is none any more, that is what the member wants.
  await revokeAllOwnPersonalTokens(byMember(user, site.clock, site.clientAddress(c)), site.oauth);
  return c.redirect(`${PATH}?allRevoked`, 303);
}

const words = bilingual(
  {
    question: 'Revoke this token?',
    consequence: 'Programs that use it lose access at once. This can’t be undone.',
    questionAll: 'Revoke all your API tokens?',
    consequenceAll:
      'Programs that use any of them lose access at once. This can’t be undone. Connected applications keep theirs.',
    cancel: 'Cancel',
    revoke: 'Revoke token',
    revokeAll: 'Revoke all tokens',
  },
  {
    question: '撤销此令牌？',
    consequence: '使用它的程序从下一次请求起会被拒绝。此操作无法撤销。',
    questionAll: '撤销您的全部 API 令牌？',
    consequenceAll: '使用其中任何一个的程序会立即失去访问权限。此操作无法撤销。已连接的应用不受影响。',
    cancel: '取消',
    revoke: '撤销令牌',
    revokeAll: '撤销全部令牌',
  },
);
