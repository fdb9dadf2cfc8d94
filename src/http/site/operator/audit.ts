// The audit log as a page: the acts of operators and of the command line, newest first.

import { html } from 'hono/html';
import { type AuditEvent, type AuditSubject, readAuditSubject } from '../../../audit/audit-log.ts';
import { membershipWord } from '../../../identity/membership.ts';
import { partOf } from '../../../lib/part.ts';
import { bilingual, type Language, type Locale } from '../../pages/language.ts';
import { clockTimeOf, dayElement } from '../../pages/moments.ts';
import { numberIn } from '../../pages/numbers.ts';
import type { Html } from '../../pages/page.ts';
import { neighbourLinks } from '../../pages/pagination.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { table } from '../table.ts';
import { ACTION_WORDS, SUBJECT_WORDS } from './audit-words.ts';
import { manageMemberPath } from './members.ts';
import { operatorPage, operatorTitle } from './page.ts';

const PATH = '/operator/audit';
const PAGE_SIZE = 50;

/** Show the audit log, of all subjects or of the one in the query. */
export async function auditPage({ audit }: SiteParts, c: PageContext): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const title = operatorTitle(c, PATH);
  const subject = readAuditSubject(c.req.query('subject') ?? '');
  const rows = await audit.reads.auditEvents({
    before: numberIn(c.req.query('before')),
    limit: PAGE_SIZE + 1,
    subject,
  });
  const { items: events, last } = partOf(rows, PAGE_SIZE);
  return operatorPage(
    c,
    PATH,
    { title },
    html`
      <h1>${title}</h1>
      <p class="soft">${t.explanation(c.get('site').timeZone)}</p>
      ${subject && subjectNote(subject, language)}
      ${events.length === 0 ? html`<p class="empty">${t.nothing}</p>` : eventTable(events, c.get('visitor'))}
      ${neighbourLinks(language, { next: last && { href: pathOf({ subject, before: last.id }) } })}`,
  );
}

function pathOf({ subject, before }: { subject?: AuditSubject | undefined; before?: number }): string {
  const query = new URLSearchParams();
  if (subject !== undefined) query.set('subject', `${subject.kind}:${subject.id}`);
  if (before !== undefined) query.set('before', String(before));
  return `${PATH}?${query}`;
}

function subjectNote(subject: AuditSubject, language: Language): Html {
  const t = words[language];
  return html`
    <p class="notice row spread">
      <span>${t.only} <strong>${subjectWords(subject, language)}</strong></span>
      <a href="${PATH}">${t.everything}</a>
    </p>`;
}

function subjectWords({ kind, id }: AuditSubject, language: Language): string {
  return `${SUBJECT_WORDS[language][kind]} ${id}`;
}

function eventTable(events: readonly AuditEvent[], locale: Locale): Html {
  const { language } = locale;
  const t = words[language];
  return table(
    [t.time, t.actor, t.action, t.subject],
    events.map((event) => eventRow(event, locale)),
  );
}

function eventRow(event: AuditEvent, locale: Locale): Html {
  const { language } = locale;
  const t = words[language];
  const { at, actorName, action, subject, subjectName, detail } = event;
  const details = Object.entries(detail).map(([key, value]) => detailWords(key, value, locale));
  const name = subjectName ?? subject.id;
  const path = pageOf(event);
  return html`
    <tr>
      <td data-label="${t.time}">${dayElement(at, locale)} ${clockTimeOf(at, locale)}</td>
      <td data-label="${t.actor}">${actorName ?? html`<span class="soft">${t.commandLine}</span>`}</td>
      <td data-label="${t.action}">
        <span>
          ${ACTION_WORDS[language][action]}
          ${details.length > 0 && html`<br><span class="soft small">${details.join(', ')}</span>`}
        </span>
      </td>
      <td data-label="${t.subject}">
        <span>
          ${SUBJECT_WORDS[language][subject.kind]} ${path === undefined ? name : html`<a href="${path}">${name}</a>`}
          <br><a class="soft small" href="${pathOf({ subject })}" aria-label="${t.entries}: ${name}">${t.entries}</a>
        </span>
      </td>
    </tr>`;
}

/** The path of the page about the subject of an event. */
function pageOf({ action, subject: { kind, id }, subjectName }: AuditEvent): string | undefined {
  if (kind === 'user') return manageMemberPath(Number(id));
  // A removed post has no page.
  const isShown = action === 'post.create' || action === 'report.keep';
  return kind === 'post' && isShown && subjectName !== undefined ? `/posts/${id}` : undefined;
}

function detailWords(key: string, value: unknown, { language, timeZone }: Locale): string {
  const name = words[language].details[key as keyof Words['details']] ?? key;
  return `${name}: ${key === 'until' ? membershipWord(Date.parse(String(value)), timeZone) : value}`;
}

type Words = (typeof words)['en'];

const words = bilingual(
  {
    explanation: (zone: string) =>
      `Every action that operators take, on these pages or on the command line, is recorded here. Entries can’t be changed. Times are in the time zone ${zone}.`,
    only: 'Entries about',
    everything: 'Show all entries',
    nothing: 'No entries.',
    time: 'Time',
    actor: 'By',
    action: 'Action',
    subject: 'Subject',
    commandLine: 'command line',
    entries: 'Entries',
    details: {
      until: 'last day',
      name: 'new name',
      user: 'member',
      client: 'application',
      status: 'status',
      mail: 'mail',
      about: 'about',
      reason: 'reason',
    },
  },
  {
    explanation: (zone) =>
      `管理员在页面上和命令行中的每一项操作都会记录在此，且不可更改。时间为 ${zone} 时区。`,
    only: '仅显示以下对象的记录：',
    everything: '显示全部记录',
    nothing: '没有记录。',
    time: '时间',
    actor: '操作者',
    action: '操作',
    subject: '对象',
    commandLine: '命令行',
    entries: '相关记录',
    details: {
      until: '最后一天',
      name: '新名称',
      user: '成员',
      client: '应用',
      status: '状态',
      mail: '邮件',
      about: '关于',
      reason: '原因',
    },
  },
);
