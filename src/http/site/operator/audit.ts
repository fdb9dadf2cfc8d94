// The operators' book: what each of them did, newest first.

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
import { ACTION_WORDS, SUBJECT_WORDS } from './audit-words.ts';
import { memberCarePath } from './members.ts';
import { operatorPage, operatorTitle } from './page.ts';

const PATH = '/operator/audit';
const PAGE_SIZE = 50;

export async function auditPage({ audit }: SiteParts, c: PageContext): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const title = operatorTitle(c, PATH);
  const subject = readAuditSubject(c.req.query('subject') ?? '');
  const found = await audit.reads.auditEvents({
    before: numberIn(c.req.query('before')),
    limit: PAGE_SIZE + 1,
    subject,
  });
  const { items: events, last } = partOf(found, PAGE_SIZE);
  const query = new URLSearchParams({
    ...(subject !== undefined && { subject: textOf(subject) }),
    before: String(last?.id),
  });
  return operatorPage(
    c,
    PATH,
    { title },
    html`<h1>${title}</h1><p class="soft">${t.explanation}</p>
${subject === undefined ? '' : html`<p class="notice row spread"><span>${t.only} <strong>${subjectWords(subject, language)}</strong></span> <a href="${PATH}">${t.everything}</a></p>`}
${events.length === 0 ? html`<p class="empty">${t.nothing}</p>` : table(events, language)}
${wayOn(language, { on: last && { href: `${PATH}?${query}` } })}`,
  );
}

function textOf({ kind, id }: AuditSubject): string {
  return `${kind}:${id}`;
}

function subjectWords({ kind, id }: AuditSubject, language: Language): string {
  return `${SUBJECT_WORDS[language][kind]} ${id}`;
}

function table(events: readonly AuditEvent[], language: Language): Html {
  const t = words[language];
  const rows = events.map(({ at, actorName, action, subject, detail }) => {
    const name = ACTION_WORDS[language][action];
    const more = Object.entries(detail).map(([key, value]) => `${key}: ${value}`);
    const own = subject.kind === 'user' ? html` <a href="${memberCarePath(Number(subject.id))}">→</a>` : '';
    return html`<tr><td data-label="${t.when}">${dayElement(at, language)} ${clockTimeOf(at)}</td><td data-label="${t.who}">${actorName ?? html`<span class="soft">${t.commandLine}</span>`}</td><td data-label="${t.what}">${name}${more.length === 0 ? '' : html`<br><span class="soft small">${more.join(', ')}</span>`}</td><td data-label="${t.whom}"><a href="${PATH}?${new URLSearchParams({ subject: textOf(subject) })}">${subjectWords(subject, language)}</a>${own}</td></tr>`;
  });
  return html`<table><thead><tr><th scope="col">${t.when}</th><th scope="col">${t.who}</th><th scope="col">${t.what}</th><th scope="col">${t.whom}</th></tr></thead><tbody>${rows}</tbody></table>`;
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
