// The member's security log: what happened to the account, its sign-ins, its applications and its tokens.

import { html } from 'hono/html';
import { SECURITY_EVENT_LIFETIME, type SecurityEvent } from '../../../audit/security-event.ts';
import type { User } from '../../../identity/user.ts';
import { DAY } from '../../../lib/clock.ts';
import { partOf } from '../../../lib/part.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { clockTimeOf, dayElement } from '../../pages/moments.ts';
import { numberIn } from '../../pages/numbers.ts';
import type { Html } from '../../pages/page.ts';
import { neighbourLinks } from '../../pages/pagination.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { detailWords } from '../security-details.ts';
import { EVENT_WORDS } from '../security-words.ts';
import type { SiteParts } from '../site-parts.ts';
import { table } from '../table.ts';
import { settingsPage, settingsTitle } from './page.ts';

const PATH = '/settings/security-log';
const PAGE_SIZE = 50;

/** Show the events of the member's own account, newest first. */
export async function securityLogPage(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const title = settingsTitle(c, PATH);
  const before = numberIn(c.req.query('before'));
  const rows = await site.audit.reads.securityEvents({ before, limit: PAGE_SIZE + 1, userId: user.id });
  const { items: events, last } = partOf(rows, PAGE_SIZE);
  const applications = await applicationNames(site, events);
  return settingsPage(
    c,
    PATH,
    { title },
    html`
      <h1>${title}</h1>
      <p class="soft">${t.explanation(SECURITY_EVENT_LIFETIME / DAY, c.get('site').timeZone)}</p>
      ${
        events.length === 0
          ? html`<p class="empty">${t.nothing}</p>`
          : table(
              [t.time, t.event, t.address],
              events.map((event) => eventRow(c, event, applications)),
            )
      }
      ${neighbourLinks(language, {
        back: before === undefined ? undefined : { href: PATH },
        next: last && { href: `${PATH}?before=${last.id}` },
      })}`,
  );
}

async function applicationNames(
  { oauth }: SiteParts,
  events: readonly SecurityEvent[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(events.flatMap(({ clientId }) => clientId ?? []));
  const clients = await Promise.all([...ids].map((id) => oauth.reads.findClient(id)));
  return new Map(clients.flatMap((client) => (client === undefined ? [] : [[client.id, client.name]])));
}

function eventRow(c: PageContext, event: SecurityEvent, applications: ReadonlyMap<string, string>): Html {
  const visitor = c.get('visitor');
  const t = words[visitor.language];
  const details = detailsOf(event, applications, visitor.language);
  return html`
    <tr>
      <td data-label="${t.time}">${dayElement(event.at, visitor)} ${clockTimeOf(event.at, visitor)}</td>
      <td data-label="${t.event}">
        <div>
          ${EVENT_WORDS[visitor.language][event.event]}
          ${details !== '' && html`<br><span class="soft small">${details}</span>`}
        </div>
      </td>
      <td data-label="${t.address}">${event.address ?? '–'}</td>
    </tr>`;
}

function detailsOf(
  event: SecurityEvent,
  applications: ReadonlyMap<string, string>,
  language: Language,
): string {
  const { clientId, by } = event;
  const t = words[language];
  return [
    clientId === undefined ? undefined : (applications.get(clientId) ?? clientId),
    detailWords(event, language),
    // Members don't learn which operator or moderator acted.
    by === undefined || by === 'member' ? undefined : by === 'server' ? t.byServer : t.byOperators,
  ]
    .filter((text) => text !== undefined && text !== '')
    .join(t.separator);
}

const words = bilingual(
  {
    explanation: (days: number, zone: string) =>
      `What happened to your account, your sign-ins, applications and API tokens. Entries are deleted after ${days} days. Times are in the time zone ${zone}. Only you and the operators can see this.`,
    nothing: 'No entries.',
    time: 'Time',
    event: 'Event',
    address: 'Network address',
    byOperators: 'by the operators',
    byServer: 'by the server',
    separator: ', ',
  },
  {
    explanation: (days: number, zone: string) =>
      `记录您的账号、登录、应用和 API 令牌的变动。条目保留 ${days} 天。时间为 ${zone} 时区。只有您和管理员可以看到。`,
    nothing: '没有条目。',
    time: '时间',
    event: '事件',
    address: '网络地址',
    byOperators: '由管理员操作',
    byServer: '由服务器操作',
    separator: '，',
  },
);
