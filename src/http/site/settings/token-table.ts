// A member's API tokens as a table: what each can read, when it was last used, and when it expires.

import { html } from 'hono/html';
import type { Timestamp } from '../../../lib/clock.ts';
import type { PersonalToken } from '../../../oauth/personal-token-store.ts';
import { bilingual, type Locale } from '../../pages/language.ts';
import { agoElement, dayElement } from '../../pages/moments.ts';
import type { Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { table } from '../table.ts';

/** List the tokens, each with a link to revoke it. `brand` is the prefix of their text. */
export function tokenTable(
  c: PageContext,
  tokens: readonly PersonalToken[],
  brand: string,
  now: Timestamp,
): Html {
  const { language } = c.get('visitor');
  const t = words[language];
  if (tokens.length === 0) return html`<p class="soft">${t.none}</p>`;
  return table(
    [t.name, t.reads, t.created, t.lastUsed, t.expires, ''],
    tokens.map((token) => tokenRow(token, brand, now, c.get('visitor'))),
  );
}

function tokenRow(token: PersonalToken, brand: string, now: Timestamp, locale: Locale): Html {
  const { language } = locale;
  const t = words[language];
  const { id, name, scopes, createdAt, lastUsedAt } = token;
  const lastUse = lastUsedAt === undefined ? t.never : agoElement(lastUsedAt, now, locale);
  return html`
    <tr>
      <th scope="row">
        ${name}
        <br>
        <code class="soft small">${brand}p_…${token.ending}</code>
      </th>
      <td data-label="${t.reads}">
        <span class="chips">${scopes.map((scope) => html`<span class="chip">${scope}</span>`)}</span>
      </td>
      <td data-label="${t.created}">${dayElement(createdAt, locale)}</td>
      <td data-label="${t.lastUsed}">${lastUse}</td>
      <td data-label="${t.expires}">${expiry(token, now, locale)}</td>
      <td><a href="/settings/tokens/${id}/revoke" aria-label="${t.revoke}: ${name}">${t.revoke}</a></td>
    </tr>`;
}

function expiry({ expiresAt }: PersonalToken, now: Timestamp, locale: Locale): Html {
  const { language } = locale;
  const t = words[language];
  if (expiresAt === undefined) return html`<span class="badge warning">${t.neverExpires}</span>`;
  const moment = agoElement(expiresAt, now, locale);
  return expiresAt > now ? moment : html`<span class="badge">${t.expired}</span> ${moment}`;
}

const words = bilingual(
  {
    none: 'You have no tokens.',
    name: 'Name',
    reads: 'Can read',
    created: 'Created',
    lastUsed: 'Last used',
    expires: 'Expires',
    never: 'Never',
    neverExpires: 'Never expires',
    expired: 'Expired',
    revoke: 'Revoke',
  },
  {
    none: '您还没有令牌。',
    name: '名称',
    reads: '可读取',
    created: '创建于',
    lastUsed: '上次使用',
    expires: '到期',
    never: '从未',
    neverExpires: '永不过期',
    expired: '已过期',
    revoke: '撤销',
  },
);
