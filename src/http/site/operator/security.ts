// The security events as a page: of all members, or of one, newest first.

import { html } from 'hono/html';
import {
  readSecurityEventName,
  SECURITY_EVENT_NAMES,
  type SecurityEvent,
  type SecurityEventName,
} from '../../../audit/security-event.ts';
import type { User } from '../../../identity/user.ts';
import { usernameKey } from '../../../identity/username.ts';
import { partOf } from '../../../lib/part.ts';
import { selectField } from '../../pages/fields.ts';
import { bilingual, type Language, type Locale } from '../../pages/language.ts';
import { clockTimeOf, dayElement } from '../../pages/moments.ts';
import { numberIn } from '../../pages/numbers.ts';
import type { Html } from '../../pages/page.ts';
import { neighbourLinks } from '../../pages/pagination.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { EVENT_WORDS } from '../security-words.ts';
import type { SiteParts } from '../site-parts.ts';
import { table } from '../table.ts';
import { manageMemberPath } from './members.ts';
import { operatorPage, operatorTitle } from './page.ts';

const PATH = '/operator/security';
const PAGE_SIZE = 50;
const MOST_CHARACTERS = 30;

interface Filter {
  username: string;
  event: SecurityEventName | undefined;
}

/** Show the security events, of all members and kinds or of those in the query. */
export async function securityEventsPage(site: SiteParts, c: PageContext): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const title = operatorTitle(c, PATH);
  const username = [...(c.req.query('username') ?? '').trim()].slice(0, MOST_CHARACTERS).join('');
  const filter: Filter = { username, event: readSecurityEventName(c.req.query('event')) };
  const user =
    username === '' ? undefined : await site.identity.reads.findUserByAnyName(usernameKey(username));
  const isUnknown = username !== '' && user === undefined;
  const rows = isUnknown ? [] : await eventsOf(site, c, filter, user);
  const { items: events, last } = partOf(rows, PAGE_SIZE);
  const names = await usernamesOf(site, events);
  const next = last && { href: `${PATH}?${queryOf(filter, last.id)}` };
  return operatorPage(
    c,
    PATH,
    { title },
    html`
      <h1>${title}</h1>
      <p class="soft">${t.explanation(c.get('site').timeZone)}</p>
      ${filterForm(filter, language)}
      ${isUnknown && html`<p class="notice error" role="alert">${t.unknown(username)}</p>`}
      ${events.length === 0 ? html`<p class="empty">${t.nothing}</p>` : eventTable(events, names, c.get('visitor'))}
      ${neighbourLinks(language, { next })}`,
  );
}

function eventsOf({ audit }: SiteParts, c: PageContext, { event }: Filter, user: User | undefined) {
  const before = numberIn(c.req.query('before'));
  return audit.reads.securityEvents({ before, limit: PAGE_SIZE + 1, userId: user?.id, event });
}

async function usernamesOf(
  { identity }: SiteParts,
  events: readonly SecurityEvent[],
): Promise<ReadonlyMap<number, string>> {
  const ids = new Set(events.flatMap(({ userId }) => userId ?? []));
  const users = await Promise.all([...ids].map((id) => identity.reads.findUser(id)));
  return new Map(users.flatMap((user) => (user === undefined ? [] : [[user.id, user.username]])));
}

function queryOf({ username, event }: Filter, before: number): URLSearchParams {
  return new URLSearchParams({ username, event: event ?? '', before: String(before) });
}

function filterForm({ username, event }: Filter, language: Language): Html {
  const t = words[language];
  const options = SECURITY_EVENT_NAMES.map((name) => ({ value: name, label: EVENT_WORDS[language][name] }));
  return html`
    <form method="get" action="${PATH}" role="search" class="find">
      <div class="field">
        <label for="username">${t.username}</label>
        <input
          type="search" id="username" name="username" value="${username}" autocomplete="off"
          autocapitalize="none" spellcheck="false">
      </div>
      ${selectField({
        name: 'event',
        label: t.event,
        value: event ?? '',
        options: [{ value: '', label: t.allEvents }, ...options],
      })}
      <button>${t.show}</button>
    </form>`;
}

function eventTable(
  events: readonly SecurityEvent[],
  names: ReadonlyMap<number, string>,
  locale: Locale,
): Html {
  const { language } = locale;
  const t = words[language];
  return table(
    [t.time, t.event, t.member, t.address],
    events.map((event) => eventRow(event, names, locale)),
  );
}

function eventRow(row: SecurityEvent, names: ReadonlyMap<number, string>, locale: Locale): Html {
  const { language } = locale;
  const t = words[language];
  const { at, event, userId, clientId, address, by, detail, subject } = row;
  const details = [detail, subject, clientId, by].filter((text) => text !== undefined).join(', ');
  return html`
    <tr>
      <td data-label="${t.time}">${dayElement(at, locale)} ${clockTimeOf(at, locale)}</td>
      <td data-label="${t.event}">
        ${EVENT_WORDS[language][event]}
        ${details !== '' && html`<br><span class="soft small">${details}</span>`}
      </td>
      <td data-label="${t.member}">
        ${userId === undefined ? '–' : html`<a href="${manageMemberPath(userId)}">${names.get(userId) ?? userId}</a>`}
      </td>
      <td data-label="${t.address}">${address ?? '–'}</td>
    </tr>`;
}

const words = bilingual(
  {
    explanation: (zone: string) =>
      `What happened to members’ accounts, tokens and sign-ins, and refused attempts. Events are deleted after 90 days. Times are in the time zone ${zone}.`,
    username: 'Username',
    event: 'Event',
    allEvents: 'All events',
    show: 'Show events',
    unknown: (name: string) => `There is no member named “${name}”.`,
    nothing: 'No events.',
    time: 'Time',
    member: 'Member',
    address: 'Network address',
  },
  {
    explanation: (zone) =>
      `记录成员账号、令牌和登录的变动，以及被拒绝的尝试。事件保留 90 天。时间为 ${zone} 时区。`,
    username: '用户名',
    event: '事件',
    allEvents: '全部事件',
    show: '显示事件',
    unknown: (name) => `没有名为“${name}”的成员。`,
    nothing: '没有事件。',
    time: '时间',
    member: '成员',
    address: '网络地址',
  },
);
