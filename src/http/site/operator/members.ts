// The members, for operators: those whose username starts with a text, the one with an email address, or the newest
// first.

import { html } from 'hono/html';
import { findAccount } from '../../../identity/find-account.ts';
import { membersBeginning } from '../../../identity/member-list.ts';
import type { MemberFilter } from '../../../identity/member-list-store.ts';
import { isMember } from '../../../identity/membership.ts';
import type { User } from '../../../identity/user.ts';
import type { Timestamp } from '../../../lib/clock.ts';
import { partOf } from '../../../lib/part.ts';
import { avatarPath } from '../../pages/avatar-path.ts';
import { bilingual, type Language, type Locale } from '../../pages/language.ts';
import { dayElement } from '../../pages/moments.ts';
import type { Html } from '../../pages/page.ts';
import { neighbourLinks } from '../../pages/pagination.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { cursorInQuery, cursorText } from '../lists/frame.ts';
import type { SiteParts } from '../site-parts.ts';
import { table } from '../table.ts';
import { operatorPage, operatorTitle } from './page.ts';

const PATH = '/operator/members';
const PAGE_SIZE = 50;
const FILTERS = [
  'all',
  'suspended',
  'closed',
  'operators',
  'moderators',
  'membership',
] as const satisfies readonly MemberFilter[];
// The longest email address.
const MOST_CHARACTERS = 254;

/** The path of the operators' page about a member. */
export function manageMemberPath(id: number): string {
  return `${PATH}/${id}`;
}

/** List the members that a filter selects, or those whom the text in the query finds. */
export async function membersPage(site: SiteParts, c: PageContext): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const title = operatorTitle(c, PATH);
  const prefix = [...(c.req.query('name') ?? '').trim()].slice(0, MOST_CHARACTERS).join('');
  const filter = FILTERS.find((name) => name === c.req.query('filter')) ?? 'all';
  const { members, next } =
    prefix === '' ? await newestMembers(site, c, filter) : await matchingMembers(site, c, prefix);
  const table = memberTable(members, site.clock(), c.get('visitor'));
  return operatorPage(
    c,
    PATH,
    { title },
    html`
      <h1>${title}</h1>
      ${searchForm(prefix, language)}
      ${filterLinks(prefix === '' ? filter : undefined, language)}
      ${members.length === 0 ? html`<p class="empty">${t.none}</p>` : table}
      ${neighbourLinks(language, { next: next === undefined ? undefined : { href: next } })}`,
  );
}

function searchForm(prefix: string, language: Language): Html {
  const t = words[language];
  const attributes = html`autocomplete="off" autocapitalize="none" spellcheck="false"`;
  return html`
    <form method="get" action="${PATH}" role="search" class="find">
      <div class="field">
        <label for="name">${t.begins}</label>
        <input type="search" id="name" name="name" value="${prefix}" ${attributes}>
      </div>
      <button>${t.find}</button>
    </form>`;
}

function filterLinks(current: MemberFilter | undefined, language: Language): Html {
  const t = words[language];
  const link = (filter: MemberFilter) => {
    const path = filter === 'all' ? PATH : `${PATH}?filter=${filter}`;
    return html`<a href="${path}"${filter === current && html` aria-current="page"`}>${t.filters[filter]}</a>`;
  };
  return html`<ul class="links">${FILTERS.map((filter) => html`<li>${link(filter)}</li>`)}</ul>`;
}

interface MembersPart {
  members: readonly User[];
  next: string | undefined;
}

async function newestMembers(
  { identity, clock }: SiteParts,
  c: PageContext,
  filter: MemberFilter,
): Promise<MembersPart> {
  const rows = await identity.reads.newestMembers(filter, cursorInQuery(c), PAGE_SIZE + 1, clock());
  const { items: members, last } = partOf(rows, PAGE_SIZE);
  const before = cursorText(last && { at: last.createdAt, id: last.id });
  return { members, next: before && `${PATH}?${new URLSearchParams({ filter, before })}` };
}

async function matchingMembers(
  { identity }: SiteParts,
  c: PageContext,
  prefix: string,
): Promise<MembersPart> {
  if (prefix.includes('@')) {
    const user = await findAccount(identity, prefix);
    return { members: user === undefined ? [] : [user], next: undefined };
  }
  const rows = await membersBeginning(identity, prefix, c.req.query('after'), PAGE_SIZE + 1);
  const { items: members, last } = partOf(rows, PAGE_SIZE);
  return { members, next: last && `${PATH}?${new URLSearchParams({ name: prefix, after: last.username })}` };
}

function memberTable(members: readonly User[], now: Timestamp, locale: Locale): Html {
  const { language } = locale;
  const t = words[language];
  return table(
    [t.name, t.state, t.joined],
    members.map((user) => memberRow(user, now, locale)),
  );
}

function memberRow(user: User, now: Timestamp, locale: Locale): Html {
  const { language } = locale;
  const t = words[language];
  const picture = avatarPath(user.id, user.avatar);
  return html`
    <tr>
      <th scope="row">
        <a class="row" href="${manageMemberPath(user.id)}">
          <img class="avatar" width="28" height="28" alt="" loading="lazy" src="${picture}">
          ${user.username}
        </a>
      </th>
      <td data-label="${t.state}">${stateBadges(user, now, language)}</td>
      <td data-label="${t.joined}">${dayElement(user.createdAt, locale)}</td>
    </tr>`;
}

/** Badges that tell operators a member's state: the account's status, operator, membership. */
export function stateBadges(user: User, now: Timestamp, language: Language): Html {
  const t = words[language];
  const status =
    user.status === 'active'
      ? html`<span class="soft">${t.active}</span>`
      : html`<span class="badge warning">${t[user.status]}</span>`;
  return html`
    ${status}
    ${user.isOperator && html`<span class="badge">${t.operator}</span>`}
    ${user.isModerator && html`<span class="badge">${t.moderator}</span>`}
    ${isMember(user, now) && html`<span class="badge">${t.member}</span>`}`;
}

const words = bilingual(
  {
    begins: 'Start of the username, or whole email address',
    find: 'Find',
    filters: {
      all: 'Newest',
      suspended: 'Suspended',
      closed: 'Closed',
      operators: 'Operators',
      moderators: 'Moderators',
      membership: 'With membership',
    },
    none: 'No members match.',
    name: 'Username',
    state: 'Status',
    joined: 'Joined',
    active: 'Active',
    suspended: 'Suspended',
    closed: 'Closed',
    operator: 'Operator',
    moderator: 'Moderator',
    member: 'Membership',
  },
  {
    begins: '用户名开头，或完整的邮箱',
    find: '查找',
    filters: {
      all: '最新',
      suspended: '已暂停',
      closed: '已关闭',
      operators: '管理员',
      membership: '会员',
      moderators: '版主',
    },
    none: '没有符合条件的成员。',
    name: '用户名',
    state: '状态',
    joined: '加入于',
    active: '正常',
    suspended: '已暂停',
    closed: '已关闭',
    operator: '管理员',
    moderator: '版主',
    member: '会员',
  },
);
