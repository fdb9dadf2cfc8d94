// The audit log as a page: the acts of operators and of the command line, newest first.

import { html } from 'hono/html';
import { type AuditEvent, type AuditSubject, readAuditSubject } from '../../../audit/audit-log.ts';
import { partOf } from '../../../lib/part.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { clockTimeOf, dayElement } from '../../pages/moments.ts';
import { numberIn } from '../../pages/numbers.ts';
import type { Html } from '../../pages/page.ts';
import { wayOn } from '../../pages/pagination.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { table } from '../table.ts';
import { ACTION_WORDS, SUBJECT_WORDS } from './audit-words.ts';
import { manageMemberPath } from './members.ts';
import { operatorPage, operatorTitle } from './page.ts';

const PATH = '/operator/audit';
const PAGE_SIZE = 50;

/** The audit log, of all subjects or of the one in the query. */
export async function auditPage({ community }: SiteParts, c: PageContext): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const title = operatorTitle(c, PATH);
  const subject = readAuditSubject(c.req.query('subject') ?? '');
  const rows = await community.reads.auditEvents({
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
      <p class="soft">${t.explanation}</p>
      ${subject && subjectNote(subject, language)}
      ${events.length === 0 ? html`<p class="empty">${t.nothing}</p>` : eventTable(events, language)}
      ${wayOn(language, { on: last && { href: pathOf({ subject, before: last.id }) } })}`,
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

function eventTable(events: readonly AuditEvent[], language: Language): Html {
  const t = words[language];
  return table(
    [t.when, t.who, t.what, t.whom],
    events.map((event) => eventRow(event, language)),
  );
}

function eventRow({ at, actorName, action, subject, detail }: AuditEvent, language: Language): Html {
  const t = words[language];
  const details = Object.entries(detail).map(([key, value]) => `${key}: ${value}`);
  return html`
    <tr>
      <td data-label="${t.when}">${dayElement(at, language)} ${clockTimeOf(at)}</td>
      <td data-label="${t.who}">${actorName ?? html`<span class="soft">${t.commandLine}</span>`}</td>
      <td data-label="${t.what}">
        ${ACTION_WORDS[language][action]}
        ${details.length > 0 && html`<br><span class="soft small">${details.join(', ')}</span>`}
      </td>
      <td data-label="${t.whom}">
        <a href="${pathOf({ subject })}">${subjectWords(subject, language)}</a>
        ${subject.kind === 'user' && html`<a href="${manageMemberPath(Number(subject.id))}">→</a>`}
      </td>
    </tr>`;
}

const words = bilingual(
  {
    explanation:
      'Written down with each act, on these pages and at the command line, and never changed. Times are UTC+8.',
    only: 'Only what was done to',
    everything: 'Show everything',
    nothing: 'Nothing is written down.',
    when: 'When',
    who: 'Who',
    what: 'What',
    whom: 'To what',
    commandLine: 'command line',
  },
  {
    explanation: '每一项操作都会在此记录，无论来自页面还是命令行，且不可更改。时间为 UTC+8。',
    only: '仅显示针对以下对象的记录：',
    everything: '显示全部',
    nothing: '没有记录。',
    when: '时间',
    who: '操作者',
    what: '操作',
    whom: '对象',
    commandLine: '命令行',
  },
);
