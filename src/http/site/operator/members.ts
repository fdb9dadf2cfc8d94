// The members, for operators: found by the beginning of their name, or the newest first.

import { html } from 'hono/html';
import { membersBeginning } from '../../../identity/member-list.ts';
import type { MemberFilter } from '../../../identity/member-list-store.ts';
import { isMember } from '../../../identity/membership.ts';
import type { User } from '../../../identity/user.ts';
import { partOf } from '../../../lib/part.ts';
import { avatarPath } from '../../pages/avatar-path.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { dayElement } from '../../pages/moments.ts';
import { numberIn } from '../../pages/numbers.ts';
import type { Html } from '../../pages/page.ts';
import { wayOn } from '../../pages/pagination.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { operatorPage, operatorTitle } from './page.ts';

const PATH = '/operator/members';
const PAGE_SIZE = 50;
const FILTERS = ['all', 'suspended', 'closed', 'operators'] as const satisfies readonly MemberFilter[];
// As long as a name can be.
const MOST_TYPED = 30;

/** The operators' page about a member. */
export function memberCarePath(id: number): string {
  return `${PATH}/${id}`;
}

export async function membersPage(site: SiteParts, c: PageContext): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const title = operatorTitle(c, PATH);
  const typed = [...(c.req.query('name') ?? '').trim()].slice(0, MOST_TYPED).join('');
  const filter = FILTERS.find((one) => one === c.req.query('filter')) ?? 'all';
  const { members, next } = typed === '' ? await newest(site, c, filter) : await named(site, c, typed);
  const now = site.clock();
  const links = FILTERS.map(
    (one) =>
      html`<li><a href="${one === 'all' ? PATH : `${PATH}?filter=${one}`}"${one === filter && typed === '' ? html` aria-current="page"` : ''}>${t.filters[one]}</a></li>`,
  );
  return operatorPage(
    c,
    PATH,
    { title },
    html`<h1>${title}</h1>
<form method="get" action="${PATH}" role="search" class="find"><div class="field"><label for="name">${t.begins}</label><input type="search" id="name" name="name" value="${typed}" autocomplete="off" autocapitalize="none" spellcheck="false"></div><button>${t.find}</button></form>
<ul class="links">${links}</ul>
${members.length === 0 ? html`<p class="empty">${t.nobody}</p>` : table(members, now, language)}
${wayOn(language, { on: next === undefined ? undefined : { href: next } })}`,
  );
}

interface MembersPart {
  members: readonly User[];
  next: string | undefined;
}

async function newest({ identity }: SiteParts, c: PageContext, filter: MemberFilter): Promise<MembersPart> {
  const before = numberIn(c.req.query('before'));
  const rows = await identity.reads.newestMembers(filter, before, PAGE_SIZE + 1);
  const { items: members, last } = partOf(rows, PAGE_SIZE);
  return { members, next: last && `${PATH}?${new URLSearchParams({ filter, before: String(last.id) })}` };
}

async function named({ identity }: SiteParts, c: PageContext, typed: string): Promise<MembersPart> {
  const rows = await membersBeginning(identity, typed, c.req.query('after'), PAGE_SIZE + 1);
  const { items: members, last } = partOf(rows, PAGE_SIZE);
  return { members, next: last && `${PATH}?${new URLSearchParams({ name: typed, after: last.username })}` };
}

function table(members: readonly User[], now: number, language: Language): Html {
  const t = words[language];
  const rows = members.map(
    (user) =>
      html`<tr><th scope="row"><a class="row" href="${memberCarePath(user.id)}"><img class="avatar" width="28" height="28" alt="" loading="lazy" src="${avatarPath(user.id, user.avatar)}"> ${user.username}</a></th>
<td data-label="${t.state}">${stateBadges(user, now, language)}</td><td data-label="${t.joined}">${dayElement(user.createdAt, language)}</td></tr>`,
  );
  return html`<table><thead><tr><th scope="col">${t.name}</th><th scope="col">${t.state}</th><th scope="col">${t.joined}</th></tr></thead><tbody>${rows}</tbody></table>`;
}

/** What an operator should see at once of a member. */
export function stateBadges(user: User, now: number, language: Language): Html {
  const t = words[language];
  const status =
    user.status === 'active'
      ? html`<span class="soft">${t.active}</span>`
      : html`<span class="badge warning">${t[user.status]}</span>`;
  return html`${status}${user.isOperator ? html` <span class="badge">${t.operator}</span>` : ''}${isMember(user, now) ? html` <span class="badge">${t.member}</span>` : ''}`;
}

const words = bilingual(
  {
    begins: 'The name begins with',
    find: 'Find',
    filters: { all: 'Newest', suspended: 'Suspended', closed: 'Closed', operators: 'Operators' },
    nobody: 'There is nobody like that.',
    name: 'Name',
    state: 'State',
    joined: 'Joined',
    active: 'active',
    suspended: 'suspended',
    closed: 'closed',
    operator: 'Operator',
    member: 'Member',
  },
  {
    begins: '用户名开头为',
    find: '查找',
    filters: { all: '最新', suspended: '已暂停', closed: '已关闭', operators: '管理员' },
    nobody: '没有符合条件的成员。',
    name: '用户名',
    state: '状态',
    joined: '加入于',
    active: '正常',
    suspended: '已暂停',
    closed: '已关闭',
    operator: '管理员',
    member: '会员',
  },
);
