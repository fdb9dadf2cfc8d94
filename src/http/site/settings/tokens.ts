// API tokens: the list, creating a token (shown once), and revoking one.

import { html } from 'hono/html';
import { byMember } from '../../../audit/doer.ts';
import type { User } from '../../../identity/user.ts';
import { createPersonalToken, personalTokenKey } from '../../../oauth/personal-token.ts';
import type { ScopeSet } from '../../../oauth/scope.ts';
import { outdatedForm, type PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import type { Html } from '../../pages/page.ts';
import { formToken, isFormToken, type PageContext } from '../../pages/visitor.ts';
import { retryAfter } from '../../pages/waiting.ts';
import { COPY_SCRIPT } from '../../static-files.ts';
import { notice } from '../notice.ts';
import type { SiteParts } from '../site-parts.ts';
import { newTokenCard } from './new-token.ts';
import { settingsPage, settingsTitle } from './page.ts';
import { settingsIn } from './token-fields.ts';
import {
  chosenDays,
  prefilledTokenForm,
  readTokenForm,
  type TokenForm,
  type TokenFormProblem,
  tokenFormCard,
} from './token-form.ts';
import { tooManyTokens } from './token-limit.ts';
import { tokenTable } from './token-table.ts';
import { testCard } from './token-test.ts';
import { tokenUses } from './token-uses.ts';

export const TOKENS_PATH = '/settings/tokens';
const PATH = TOKENS_PATH;

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
  const { language } = c.get('visitor');
  const by = byMember(user, site.clock, site.clientAddress(c));
  const refusal = await tooManyTokens(site, by);
  if (refusal !== undefined) return refusal;
  const settings = settingsIn(form);
  return createPersonalToken(by, site.oauth, { userId: user.id, ...settings, days, key, language });
}

// The seal keeps other sites from choosing the key. Its own key is in the member's browser.
function sealedKey(c: PageContext, key: string): string {
  return `${key}.${formToken(c, `token\n${key}`)}`;
}

/** The key in the form's seal, empty for a form without one. Undefined if the seal doesn't belong to it. */
function keyIn(c: PageContext, sealed: string): string | undefined {
  const [key = '', seal] = sealed.split('.');
  return sealed === '' || isFormToken(c, seal, `token\n${key}`) ? key : undefined;
}

/** Show a token that was just made, and the list. */
export function newTokenPage(
  site: SiteParts,
  c: PageContext,
  user: User,
  token: { token: string; scopes: ScopeSet },
): Promise<Response> {
  return pageOfTokens(site, c, user, token);
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
  const form = 'form' in content ? tokenFormCard(c, content.form, problem, site.clientAddress(c)) : '';
  const list = html`
    <section class="card">
      <h2>${t.yours}</h2>
      ${tokenTable(c, tokens, await tokenUses(site, user), site)}
    </section>`;
  return settingsPage(
    c,
    PATH,
    { title, status: statusOf(problem), ...('token' in content && { script: COPY_SCRIPT }) },
    html`
      <div class="row spread">
        <h1>${title}</h1>
        ${'token' in content ? linkToNewForm(t.another) : html`<a class="button" href="#new">${t.new}</a>`}
      </div>
      <p class="soft">${t.explanation}</p>
      ${notice(doneOf(c))}
      ${'token' in content && newTokenCard(site, c, content.token, content.scopes)}
      ${problem === undefined ? [list, form] : [form, list]}
      ${testCard(c)}
      ${tokens.length > 0 && revokeAllCard(c)}`,
  );
}

function doneOf(c: PageContext): string | undefined {
  const t = words[c.get('visitor').language];
  const done = (['revoked', 'allRevoked', 'saved'] as const).find((name) => c.req.query(name) !== undefined);
  return done && t[done];
}

function revokeAllCard(c: PageContext): Html {
  const t = words[c.get('visitor').language];
  return html`
    <section class="card">
      <h2>${t.allTitle}</h2>
      <p class="soft">${t.all}</p>
      <p><a class="button" href="${PATH}/revoke-all">${t.revokeAll}</a></p>
    </section>`;
}

function statusOf(problem: TokenFormProblem | undefined): 200 | 400 | 429 {
  if (problem === undefined) return 200;
  return problem === 'too_fast' ? 429 : 400;
}

function linkToNewForm(text: string): Html {
  return html`<a class="button primary" href="${PATH}#new">${text}</a>`;
}

const words = bilingual(
  {
    explanation: 'For your own scripts. A token reads only what you choose, and is shown only once.',
    new: 'New token',
    another: 'Create another token',
    yours: 'Your tokens',
    revoked: 'Token revoked. It no longer works.',
    allRevoked: 'All tokens revoked. None of them works any more.',
    saved: 'Token saved.',
    revokeAll: 'Revoke all tokens',
    all: 'If you don’t know which token leaked, or who has them, revoke them all. Programs that use them lose access at once.',
    allTitle: 'Danger zone',
  },
  {
    explanation: '供您自己的脚本使用。每个令牌只能读取您选择的内容，并且只显示一次。',
    new: '新建令牌',
    another: '再建一个令牌',
    yours: '您的令牌',
    revoked: '令牌已撤销，不再有效。',
    allRevoked: '所有令牌均已撤销，不再有效。',
    saved: '令牌已保存。',
    revokeAll: '撤销全部令牌',
    all: '如果不确定哪个令牌泄露、落入谁手，可以全部撤销。使用它们的程序会立即失去访问权限。',
    allTitle: '危险操作',
  },
);
