// API tokens: the list, creating a token (shown once), and revoking one.

import { html } from 'hono/html';
import { byMember } from '../../../audit/doer.ts';
import { isRecent, reauthenticateUnlessRecent } from '../../../identity/reauthentication.ts';
import type { User } from '../../../identity/user.ts';
import { attempted, hourlyLimit } from '../../../lib/attempt.ts';
import {
  createPersonalToken,
  personalTokenKey,
  revokeOwnPersonalToken,
} from '../../../oauth/personal-token.ts';
import type { ScopeSet } from '../../../oauth/scope.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { outdatedForm, type PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { idIn } from '../../pages/numbers.ts';
import type { Html } from '../../pages/page.ts';
import { questionPage } from '../../pages/question.ts';
import { formToken, isFormToken, type PageContext } from '../../pages/visitor.ts';
import { retryAfter } from '../../pages/waiting.ts';
import { PATHS } from '../../routes.ts';
import { notice } from '../notice.ts';
import type { SiteParts } from '../site-parts.ts';
import { settingsMenu, settingsPage, settingsTitle } from './page.ts';
import {
  chosenDays,
  prefilledTokenForm,
  readTokenForm,
  type TokenForm,
  type TokenFormProblem,
  tokenFormCard,
} from './token-form.ts';
import { tokenTable } from './token-table.ts';

const PATH = '/settings/tokens';
// Each new token mails a notice.
const MOST_FORMS_AN_HOUR = 20;

/** Show all tokens, and the form for a new one, filled in from the query. */
export function tokensPage(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  return pageOfTokens(site, c, user, {
    form: prefilledTokenForm(c, sealedKey(c, personalTokenKey(site.oauth))),
  });
}

/** The path of the form, with the query that fills it in. */
export function tokenFormPath(_: SiteParts, c: PageContext): string {
  return `${PATH}?${new URLSearchParams(c.req.query())}#new`;
}

/** Create a token, and show it. */
export async function createToken(
  site: SiteParts,
  c: PageContext,
  user: User,
  posted: PostedForm,
): Promise<Response> {
  const form = readTokenForm(posted);
  const key = keyIn(c, form.once);
  // The member changed the key in the form, so its seal doesn't match.
  if (key === undefined) return outdatedForm(c, { startAgainAt: PATH });
  const token = await makeToken(site, c, user, form, key || undefined);
  if ('retryAfterSeconds' in token) retryAfter(c, token.retryAfterSeconds);
  if ('problem' in token) return pageOfTokens(site, c, user, { form, problem: token.problem });
  return pageOfTokens(site, c, user, { token: token.text, scopes: form.scopes });
}

async function makeToken(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: TokenForm,
  key: string | undefined,
) {
  const days = chosenDays(form);
  if (days === 'no_expiry') return { problem: days } as const;
  const { visit, language } = c.get('visitor');
  const by = byMember(user, site.clock, site.clientAddress(c));
  const { name, scopes, password } = form;
  const refusal = await reauthenticateUnlessRecent(by, site.identity, visit?.authenticatedAt ?? 0, password);
  if (refusal !== undefined) return refusal;
  const tooFast = await attempted(
    site.identity,
    hourlyLimit(by.at, MOST_FORMS_AN_HOUR, 'API token', user.id),
  );
  if (tooFast !== undefined) return { problem: 'too_fast', ...tooFast } as const;
  return createPersonalToken(by, site.oauth, { userId: user.id, name, scopes, days, key, language });
}

// The key is sealed, so that a member can't choose it, nor find out whether another token has it.
function sealedKey(c: PageContext, key: string): string {
  return `${key}.${formToken(c, `token\n${key}`)}`;
}

/** The key in the form's seal, empty for a form without one. Undefined if the seal doesn't belong to it. */
function keyIn(c: PageContext, sealed: string): string | undefined {
  const [key = '', seal] = sealed.split('.');
  return sealed === '' || isFormToken(c, seal, `token\n${key}`) ? key : undefined;
}

/** The form, or the new token: the page shows one of them besides the list. */
type FormOrToken =
  | { form: TokenForm; problem?: TokenFormProblem }
  /** The text of the new token. Only this response ever shows it. */
  | { token: string; scopes: ScopeSet };

async function pageOfTokens(
  site: SiteParts,
  c: PageContext,
  user: User,
  content: FormOrToken,
): Promise<Response> {
  const t = words[c.get('visitor').language];
  const title = settingsTitle(c, PATH);
  const tokens = await site.oauth.reads.personalTokensOf(user.id);
  const problem = 'form' in content ? content.problem : undefined;
  const mustProve = !isRecent(c.get('visitor').visit?.authenticatedAt ?? 0, site.clock());
  const form = 'form' in content ? tokenFormCard(c, content.form, problem, mustProve) : '';
  const list = html`
    <section class="card">
      <h2>${t.yours}</h2>
      ${tokenTable(c, tokens, site.oauth.brand, site.clock())}
    </section>`;
  return settingsPage(
    c,
    PATH,
    { title, status: statusOf(problem) },
    html`
      <div class="row spread">
        <h1>${title}</h1>
        ${'token' in content ? linkToNewForm(t.another) : html`<a class="button" href="#new">${t.new}</a>`}
      </div>
      <p class="soft">${t.explanation}</p>
      ${notice(c.req.query('revoked') === undefined ? undefined : t.revoked)}
      ${'token' in content && newTokenCard(site, c, content.token, content.scopes)}
      ${problem === undefined ? [list, form] : [form, list]}`,
  );
}

function statusOf(problem: TokenFormProblem | undefined): 200 | 400 | 429 {
  if (problem === undefined) return 200;
  return problem === 'too_many_attempts' || problem === 'too_fast' ? 429 : 400;
}

function linkToNewForm(text: string): Html {
  return html`<a class="button primary" href="${PATH}#new">${text}</a>`;
}

function newTokenCard(site: SiteParts, c: PageContext, token: string, scopes: ScopeSet): Html {
  const t = words[c.get('visitor').language];
  const path = scopes.includes('profile:read') ? '/me' : '/me/posts';
  const curl = `curl -H "Authorization: Bearer ${token}" ${site.site.baseUrl}${PATHS.api}${path}`;
  return html`
    <section class="card fresh" role="status">
      <h2>${t.copy}</h2>
      <p class="soft small">${t.copyWhy}</p>
      <pre class="once" tabindex="0" aria-label="${t.token}">${token}</pre>
      <p class="small">${t.tryIt}</p>
      <pre class="once" tabindex="0" aria-label="curl">${curl}</pre>
    </section>`;
}

/** Ask before a token is revoked. */
export async function revokeTokenPage(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const tokens = await site.oauth.reads.personalTokensOf(user.id);
  const token = tokens.find(({ id }) => id === idIn(c));
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

const words = bilingual(
  {
    explanation: 'For your own scripts. A token reads only what you choose, and is shown only once.',
    new: 'New token',
    another: 'Create another token',
    yours: 'Your tokens',
    revoked: 'Token revoked. It no longer works.',
    copy: 'Copy your new token now',
    copyWhy: 'It is shown only once, and we don’t store it. If you lose it, revoke it and create another.',
    token: 'The new token',
    tryIt: 'Try it:',
    question: 'Revoke this token?',
    consequence: 'Programs that use it lose access at once. This can’t be undone.',
    cancel: 'Cancel',
    revoke: 'Revoke token',
  },
  {
    explanation: '供您自己的脚本使用。每个令牌只能读取您选择的内容，并且只显示一次。',
    new: '新建令牌',
    another: '再建一个令牌',
    yours: '您的令牌',
    revoked: '令牌已撤销，不再有效。',
    copy: '请立即复制新令牌',
    copyWhy: '它只显示这一次，我们不会保存它。如果遗失，请撤销并新建一个。',
    token: '新令牌',
    tryIt: '试一试：',
    question: '撤销此令牌？',
    consequence: '使用它的程序从下一次请求起会被拒绝。此操作无法撤销。',
    cancel: '取消',
    revoke: '撤销令牌',
  },
);
