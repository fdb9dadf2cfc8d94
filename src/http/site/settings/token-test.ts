// The box that tells a member what a token is: its kind, whether it was cut short, whether it is theirs, and what it
// can do. The token is in no address and no log, and is not shown again.

import { html } from 'hono/html';
import type { User } from '../../../identity/user.ts';
import { attempted, hourlyLimit } from '../../../lib/attempt.ts';
import type { Timestamp } from '../../../lib/clock.ts';
import { findCredential, isAlive, type KnownCredential } from '../../../oauth/exposed-credential.ts';
import type { ScopeSet } from '../../../oauth/scope.ts';
import { prefixedKind, readToken } from '../../../oauth/token.ts';
import { inputField } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { dayElement } from '../../pages/moments.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { retryAfter } from '../../pages/waiting.ts';
import type { SiteParts } from '../site-parts.ts';
import { settingsPage, settingsTitle } from './page.ts';
import { lastUse } from './token-table.ts';

const PATH = '/settings/tokens';
const TEST_PATH = `${PATH}/test`;
const MOST_AN_HOUR = 60;

/** Make the card with the form. */
export function testCard(c: PageContext): Html {
  const t = words[c.get('visitor').language];
  const attributes = html`spellcheck="false"`;
  return html`
    <section class="card" id="test">
      <h2>${t.title}</h2>
      <form method="post" action="${TEST_PATH}">
        ${formTokenField(c)}
        ${inputField({ name: 'test_token', label: t.token, hint: t.hint, required: true, attributes })}
        <div class="actions"><button>${t.test}</button></div>
      </form>
    </section>`;
}

/** Say what the token is. */
export async function testToken(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const t = words[c.get('visitor').language];
  const text = form.text('test_token').trim();
  const limit = hourlyLimit(site.clock(), MOST_AN_HOUR, 'token test', user.id);
  const tooFast = await attempted(site.identity, limit);
  if (tooFast !== undefined) retryAfter(c, tooFast.retryAfterSeconds);
  const result = tooFast === undefined ? await resultOf(site, c, user, text) : html`<p>${t.tooFast}</p>`;
  return settingsPage(
    c,
    PATH,
    { title: t.result, status: tooFast === undefined ? 200 : 429 },
    html`
      <p class="eyebrow"><a href="${PATH}">${settingsTitle(c, PATH)}</a></p>
      <h1>${t.result}</h1>
      <section class="card" role="status">${result}</section>
      ${testCard(c)}`,
  );
}

async function resultOf(
  { oauth, clock }: SiteParts,
  c: PageContext,
  user: User,
  text: string,
): Promise<Html> {
  const t = words[c.get('visitor').language];
  const kind = prefixedKind(text, oauth.brand);
  if (kind === undefined) return html`<p>${t.notOurs(oauth.brand)}</p>`;
  const facts = [html`<dt>${t.kind}</dt><dd>${t.kinds[kind]}</dd>`];
  const isWhole = readToken(text, oauth.brand) !== undefined;
  facts.push(html`<dt>${t.checksum}</dt><dd>${isWhole ? t.right : t.wrong}</dd>`);
  if (isWhole) {
    const found = await findCredential(oauth, text);
    const own = found !== undefined && ownerOf(found) === user.id ? found : undefined;
    facts.push(html`<dt>${t.owner}</dt><dd>${own === undefined ? t.notYours : t.yours}</dd>`);
    if (own !== undefined) facts.push(...factsOf(own, c, clock()));
  }
  return html`<dl class="facts">${facts}</dl>`;
}

function ownerOf(found: KnownCredential): number | undefined {
  if (found.kind === 'client_secret') return found.client.ownerId;
  if (found.kind === 'refresh') return found.family.userId;
  return found.kind === 'access' ? found.token.user.id : found.token.userId;
}

function factsOf(found: KnownCredential, c: PageContext, now: Timestamp): Html[] {
  const locale = c.get('visitor');
  const t = words[locale.language];
  const state = html`<dt>${t.state}</dt><dd>${isAlive(found, now) ? t.works : t.dead}</dd>`;
  if (found.kind === 'client_secret') return [fact(t.application, found.client.name), state];
  const { scopes, expiresAt } =
    found.kind === 'refresh'
      ? { ...found.family, expiresAt: found.family.refreshExpiresAt }
      : (found.token as { scopes: ScopeSet; expiresAt: Timestamp | undefined });
  const end = expiresAt === undefined ? html`${t.never}` : dayElement(expiresAt, locale);
  const facts = [state, fact(t.scopes, scopes.join(', ')), html`<dt>${t.expires}</dt><dd>${end}</dd>`];
  if (found.kind !== 'personal') return facts;
  const used = lastUse(found.token, { now, locale });
  return [fact(t.name, found.token.name), ...facts, html`<dt>${t.lastUsed}</dt><dd>${used}</dd>`];
}

function fact(name: string, text: string): Html {
  return html`<dt>${name}</dt><dd>${text}</dd>`;
}

const words = bilingual(
  {
    title: 'Test a token',
    token: 'Token',
    hint: 'Find out what a token is that you come across. It isn’t stored, and isn’t shown again.',
    test: 'Test token',
    result: 'This token',
    tooFast: 'You’ve tested many tokens this hour. Try again later.',
    notOurs: (brand: string) =>
      `This isn’t a token of this site. Ours begin with ${brand}, a letter and an underscore, such as ${brand}p_.`,
    kind: 'Kind',
    kinds: {
      access: 'Access token of an application',
      refresh: 'Refresh token of an application',
      personal: 'API token',
      code: 'Authorization code',
      clientSecret: 'Secret of an application',
    },
    checksum: 'Checksum',
    right: 'Right: nothing was cut off or mistyped',
    wrong: 'Wrong: it was cut off, mistyped or invented',
    owner: 'Owner',
    yours: 'You',
    notYours: 'Not yours',
    state: 'State',
    works: 'Works',
    dead: 'Expired or revoked',
    name: 'Name',
    application: 'Application',
    scopes: 'Scopes',
    expires: 'Expires',
    never: 'Never',
    lastUsed: 'Last used',
  },
  {
    title: '检验令牌',
    token: '令牌',
    hint: '查看您遇到的一个令牌是什么。它不会被保存，也不会再次显示。',
    test: '检验令牌',
    result: '此令牌',
    tooFast: '您这一小时检验的次数过多，请稍后再试。',
    notOurs: (brand: string) =>
      `这不是本站的令牌。本站的令牌以 ${brand}、一个字母和下划线开头，例如 ${brand}p_。`,
    kind: '类型',
    kinds: {
      access: '应用的访问令牌',
      refresh: '应用的刷新令牌',
      personal: 'API 令牌',
      code: '授权码',
      clientSecret: '应用的密钥',
    },
    checksum: '校验码',
    right: '正确：没有缺失或输错',
    wrong: '错误：被截断、输错或伪造',
    owner: '主人',
    yours: '您',
    notYours: '不是您的',
    state: '状态',
    works: '有效',
    dead: '已过期或已撤销',
    name: '名称',
    application: '应用',
    scopes: '权限',
    expires: '到期',
    never: '永不',
    lastUsed: '上次使用',
  },
);
