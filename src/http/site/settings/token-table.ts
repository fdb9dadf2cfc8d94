// A member's API tokens as a table: what each reads, when it was used, when it ends.

import { html } from 'hono/html';
import type { Timestamp } from '../../../lib/clock.ts';
import type { PersonalToken } from '../../../oauth/personal-token-store.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { agoElement, dayElement } from '../../pages/moments.ts';
import type { Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';

export function tokenTable(
  c: PageContext,
  tokens: readonly PersonalToken[],
  brand: string,
  now: Timestamp,
): Html {
  const { language } = c.get('visitor');
  const t = words[language];
  if (tokens.length === 0) return html`<p class="soft">${t.none}</p>`;
  return html`<table><thead><tr><th scope="col">${t.name}</th><th scope="col">${t.reads}</th><th scope="col">${t.created}</th><th scope="col">${t.lastUsed}</th><th scope="col">${t.ends}</th><td></td></tr></thead>
<tbody>${tokens.map((token) => row(token, brand, now, language))}</tbody></table>`;
}

function row(token: PersonalToken, brand: string, now: Timestamp, language: Language): Html {
  const t = words[language];
  const used = token.lastUsedAt === undefined ? t.never : agoElement(token.lastUsedAt, now, language);
  return html`<tr><th scope="row">${token.name}<br><code class="soft small">${brand}p_…${token.ending}</code></th>
<td data-label="${t.reads}"><span class="chips">${token.scopes.map((scope) => html`<span class="chip">${scope}</span>`)}</span></td>
<td data-label="${t.created}">${dayElement(token.createdAt, language)}</td><td data-label="${t.lastUsed}">${used}</td>
<td data-label="${t.ends}">${end(token, now, language)}</td>
<td><a href="/settings/tokens/${token.id}/revoke" aria-label="${t.revoke}: ${token.name}">${t.revoke}</a></td></tr>`;
}

function end({ expiresAt }: PersonalToken, now: Timestamp, language: Language): Html {
  const t = words[language];
  if (expiresAt === undefined) return html`<span class="badge warning">${t.neverEnds}</span>`;
  const moment = agoElement(expiresAt, now, language);
  return expiresAt > now ? moment : html`<span class="badge">${t.ended}</span> ${moment}`;
}

const words = bilingual(
  {
    none: 'You have no tokens.',
    name: 'Name',
    reads: 'Reads',
    created: 'Created',
    lastUsed: 'Last used',
    ends: 'Ends',
    never: 'never',
    neverEnds: 'never ends',
    ended: 'ended',
    revoke: 'Revoke',
  },
  {
    none: '您还没有令牌。',
    name: '名称',
    reads: '可读取',
    created: '创建于',
    lastUsed: '上次使用',
    ends: '到期',
    never: '从未',
    neverEnds: '永不过期',
    ended: '已过期',
    revoke: '撤销',
  },
);
