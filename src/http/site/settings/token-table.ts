// A member's API tokens as a list: what each can read and from where, when it expires, and how it was last used.

import { html } from 'hono/html';
import type { Timestamp } from '../../../lib/clock.ts';
import { canChange } from '../../../oauth/personal-token-changes.ts';
import type { PersonalToken } from '../../../oauth/personal-token-store.ts';
import { bilingual, type Locale } from '../../pages/language.ts';
import { agoElement, countOf, dayElement } from '../../pages/moments.ts';
import type { Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { table } from '../table.ts';
import type { TokenUses } from './token-uses.ts';

/** List the tokens. `uses` has what happened to some of them, by their ids. */
export function tokenTable(
  c: PageContext,
  tokens: readonly PersonalToken[],
  uses: ReadonlyMap<string, TokenUses>,
  { oauth, clock }: SiteParts,
): Html {
  const { language } = c.get('visitor');
  const t = words[language];
  if (tokens.length === 0) return html`<p class="soft">${t.none}</p>`;
  const now = clock();
  return table(
    [t.name, t.reads, t.lastUsed, t.expires, ''],
    tokens.map((token) =>
      tokenRow(token, uses.get(String(token.id)), { brand: oauth.brand, now, locale: c.get('visitor') }),
    ),
  );
}

interface Row {
  /** The first letters of each token. */
  brand: string;
  now: Timestamp;
  locale: Locale;
}

function tokenRow(token: PersonalToken, uses: TokenUses | undefined, row: Row): Html {
  const { brand, now, locale } = row;
  const t = words[locale.language];
  const { id, name, note, scopes, addresses, createdAt } = token;
  const act = (name: 'edit' | 'regenerate' | 'revoke') =>
    html`<a href="/settings/tokens/${id}/${name}" aria-label="${t[name]}: ${token.name}">${t[name]}</a> `;
  return html`
    <tr>
      <th scope="row">
        ${name}
        <br>
        <code class="soft small">${shortForm(token, brand)}</code>
        ${note !== '' && html`<br><span class="soft small">${note}</span>`}
      </th>
      <td data-label="${t.reads}">
        <div>
          <span class="chips">${scopes.map((scope) => html`<span class="chip">${scope}</span>`)}</span>
          ${addresses.length > 0 && html`<span class="soft small">${t.from} ${addresses.join(', ')}</span>`}
        </div>
      </td>
      <td data-label="${t.lastUsed}"><div>${lastUse(token, row)}${lately(uses, row)}</div></td>
      <td data-label="${t.expires}">
        <div>
          ${expiry(token, now, locale)}
          <br>
          <span class="soft small">${t.created} ${dayElement(createdAt, locale)}</span>
        </div>
      </td>
      <td class="acts">
        ${canChange(token, now) && (['edit', 'regenerate'] as const).map(act)}
        ${act('revoke')}
      </td>
    </tr>`;
}

/** The first and the last characters of a token, by which its member recognises it. */
export function shortForm({ key, ending }: PersonalToken, brand: string): string {
  return `${brand}p_${key.slice(0, 4)}…${ending}`;
}

/** When, from where and by which program a token was last used. */
export function lastUse(
  { lastUsedAt, lastUse: use }: PersonalToken,
  { now, locale }: Omit<Row, 'brand'>,
): Html {
  const t = words[locale.language];
  if (lastUsedAt === undefined) return html`${t.never}`;
  const facts = [use?.endpoint, use?.program, use?.network].filter((fact) => fact !== undefined);
  return html`
    ${agoElement(lastUsedAt, now, locale)}
    ${facts.map((fact) => html`<br><span class="soft small">${fact}</span>`)}`;
}

function lately(uses: TokenUses | undefined, { now, locale }: Row): Html | string {
  if (uses === undefined) return '';
  const t = words[locale.language];
  const { requests, limited, refusal } = uses;
  return html`
    ${requests > 0 && html`<br><span class="soft small">${t.requests(requests)}</span>`}
    ${
      limited > 0 &&
      html`<br><span class="small"><span class="badge warning">429</span> ${t.limited(limited)}</span>`
    }
    ${
      refusal !== undefined &&
      html`
        <br>
        <span class="small"><span class="badge warning">${t.refused}</span>
          ${agoElement(refusal.at, now, locale)}, ${t.notAllowed(refusal.address ?? '')}</span>`
    }`;
}

/** When a token expires, with a lasting badge if it never does. */
export function expiry({ expiresAt, replacedAt }: PersonalToken, now: Timestamp, locale: Locale): Html {
  const { language } = locale;
  const t = words[language];
  if (expiresAt === undefined) return html`<span class="badge warning">${t.neverExpires}</span>`;
  const moment = agoElement(expiresAt, now, locale);
  if (expiresAt <= now) return html`<span class="badge">${t.expired}</span> ${moment}`;
  return replacedAt === undefined ? moment : html`<span class="badge">${t.replaced}</span> ${moment}`;
}

const words = bilingual(
  {
    none: 'You have no tokens.',
    name: 'Name',
    reads: 'Can read',
    from: 'Only from',
    created: 'Created',
    lastUsed: 'Last used',
    refused: 'Refused',
    requests: (count: number) => `${countOf(count)} ${count === 1 ? 'request' : 'requests'} in 24 hours`,
    limited: (count: number) =>
      count === 1 ? 'once, too many requests' : `${countOf(count)} times, too many requests`,
    notAllowed: (address: string) => `from ${address}, which isn’t allowed`,
    expires: 'Expires',
    never: 'Never',
    neverExpires: 'Never expires',
    expired: 'Expired',
    edit: 'Edit',
    regenerate: 'Regenerate',
    revoke: 'Revoke',
    replaced: 'Replaced',
  },
  {
    none: '您还没有令牌。',
    name: '名称',
    reads: '可读取',
    from: '仅限',
    created: '创建于',
    lastUsed: '上次使用',
    refused: '已拒绝',
    requests: (count: number) => `24 小时内 ${countOf(count)} 次请求`,
    limited: (count: number) => `${countOf(count)} 次因请求过多被拒绝`,
    notAllowed: (address: string) => `来自未允许的地址 ${address}`,
    expires: '到期',
    never: '从未',
    neverExpires: '永不过期',
    expired: '已过期',
    edit: '编辑',
    regenerate: '重新生成',
    revoke: '撤销',
    replaced: '已替换',
  },
);
