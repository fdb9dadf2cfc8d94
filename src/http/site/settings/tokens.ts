// API tokens: the list, making one (shown once), revoking one.

import { html } from 'hono/html';
import { byMember } from '../../../audit/doer.ts';
import type { User } from '../../../identity/user.ts';
import {
  createPersonalToken,
  personalTokenKey,
  revokeOwnPersonalToken,
} from '../../../oauth/personal-token.ts';
import type { ScopeSet } from '../../../oauth/scope.ts';
import { notFoundPage } from '../../pages/failures.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { idIn } from '../../pages/numbers.ts';
import type { Html } from '../../pages/page.ts';
import { questionPage } from '../../pages/question.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { PATHS } from '../../routes.ts';
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

export function tokensPage(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  return pageOfTokens(site, c, user, { form: prefilledTokenForm(c, personalTokenKey(site.oauth)) });
}

/** The address of the form, for links from elsewhere that fill it in. */
export function tokenFormPath(_: SiteParts, c: PageContext): string {
  return `${PATH}?${new URLSearchParams(c.req.query())}#new`;
}

export async function createToken(
  site: SiteParts,
  c: PageContext,
  user: User,
  posted: PostedForm,
): Promise<Response> {
  const form = readTokenForm(posted);
  const token = await makeToken(site, user, form);
  if ('problem' in token) return pageOfTokens(site, c, user, { form, problem: token.problem });
  return pageOfTokens(site, c, user, { token: token.text, scopes: form.scopes });
}

async function makeToken(site: SiteParts, user: User, form: TokenForm) {
  const days = chosenDays(form);
  if (days === 'no_expiry') return { problem: days } as const;
  const { name, scopes, once } = form;
  const request = { userId: user.id, name, scopes, days, key: once || undefined };
  return createPersonalToken(site.oauth, byMember(user, site.clock), request);
}

/** What the page shows besides the list. */
type Beside =
  | { form: TokenForm; problem?: TokenFormProblem }
  /** The text of the token that was just created: this page is the only place where it is ever shown. */
  | { token: string; scopes: ScopeSet };

async function pageOfTokens(site: SiteParts, c: PageContext, user: User, content: Beside): Promise<Response> {
  const t = words[c.get('visitor').language];
  const title = settingsTitle(c, PATH);
  const tokens = await site.oauth.reads.personalTokensOf(user.id);
  const isMistaken = 'form' in content && content.problem !== undefined;
  return settingsPage(
    c,
    PATH,
    { title, status: isMistaken ? 400 : 200 },
    html`<div class="row spread"><h1>${title}</h1>${'token' in content ? html`<a class="button primary" href="${PATH}#new">${t.another}</a>` : html`<a class="button" href="#new">${t.new}</a>`}</div>
<p class="soft">${t.explanation}</p>
${c.req.query('revoked') === undefined ? '' : html`<p class="notice" role="status">${t.revoked}</p>`}
${'token' in content ? shownOnce(site, c, content.token, content.scopes) : ''}
${isMistaken && 'form' in content ? tokenFormCard(c, content.form, content.problem) : ''}
<section class="card"><h2>${t.yours}</h2>${tokenTable(c, tokens, site.oauth.brand, site.clock())}</section>
${!isMistaken && 'form' in content ? tokenFormCard(c, content.form, undefined) : ''}`,
  );
}

function shownOnce(site: SiteParts, c: PageContext, token: string, scopes: ScopeSet): Html {
  const t = words[c.get('visitor').language];
  const path = scopes.includes('profile:read') ? '/me' : '/me/posts';
  const curl = `curl -H "Authorization: Bearer ${token}" ${site.site.baseUrl}${PATHS.api}${path}`;
  return html`<section class="card fresh" role="status"><h2>${t.copy}</h2><p class="soft small">${t.copyWhy}</p>
<pre class="once" tabindex="0" aria-label="${t.token}">${token}</pre><p class="small">${t.tryIt}</p><pre class="once" tabindex="0" aria-label="curl">${curl}</pre></section>`;
}

export async function revokeTokenPage(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const tokens = await site.oauth.reads.personalTokensOf(user.id);
  const token = tokens.find(({ id }) => id === idIn(c));
  if (token === undefined) return notFoundPage(c);
  const t = words[c.get('visitor').language];
  return questionPage(c, {
    title: t.question,
    menu: settingsMenu(c, PATH),
    explanation: html`<p class="quoted">${token.name}</p>
<p>${t.consequence}</p>`,
    action: `${PATH}/${token.id}/revoke`,
    button: t.revoke,
    back: { path: PATH, text: t.keep },
  });
}

export async function revokeToken(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const isRevoked = await revokeOwnPersonalToken(site.oauth, byMember(user, site.clock), idIn(c));
  return isRevoked ? c.redirect(`${PATH}?revoked`, 303) : notFoundPage(c);
}

const words = bilingual(
  {
    explanation:
      'For your own scripts. Each reads only what you choose, and nobody can see it again after you made it.',
    new: 'New token',
    another: 'Another token',
    yours: 'Your tokens',
    revoked: 'The token was revoked. It is refused from now on.',
    copy: 'Copy it now: it is shown once',
    copyWhy: 'Only a digest of it is kept. If it is lost, revoke it and make another.',
    token: 'The new token',
    tryIt: 'Try it:',
    question: 'Revoke this token?',
    consequence:
      'Whatever uses it is refused from the next request on. A revoked token can not be brought back.',
    keep: 'Keep it',
    revoke: 'Revoke',
  },
  {
    explanation: '供您自己的脚本使用。每个令牌只能读取您选择的内容，创建之后任何人都无法再次看到它。',
    new: '新建令牌',
    another: '再建一个',
    yours: '您的令牌',
    revoked: '令牌已撤销，从现在起将被拒绝。',
    copy: '请立即复制：它只显示这一次',
    copyWhy: '我们只保存它的摘要。如果遗失，请撤销并新建一个。',
    token: '新令牌',
    tryIt: '试一试：',
    question: '撤销此令牌？',
    consequence: '使用它的程序从下一次请求起将被拒绝。撤销后无法恢复。',
    keep: '保留',
    revoke: '撤销',
  },
);
