// The open reports of applications, on the page with all reports. Only operators decide about them.

import { html } from 'hono/html';
import { byOperator } from '../../../audit/doer.ts';
import type { User } from '../../../identity/user.ts';
import type { Timestamp } from '../../../lib/clock.ts';
import { partOf } from '../../../lib/part.ts';
import {
  type ClientReport,
  closeClientReports,
  MOST_COUNTED,
  type OpenClientReports,
  openClientReports,
  type ReportedBefore,
} from '../../../oauth/client-report.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual, type Locale } from '../../pages/language.ts';
import { agoElement } from '../../pages/moments.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import { neighbourLinks } from '../../pages/pagination.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { CLIENT_REASON_WORDS } from '../reactions/report-words.ts';
import type { SiteParts } from '../site-parts.ts';

const REPORTS = '/operator/reports';
const PATH = `${REPORTS}/applications`;
const MOST_SHOWN = 10;
const BEFORE = 'applications_before';

/** Close the reports of the application in the form. */
export async function closeApplicationReports(
  { oauth, clock }: SiteParts,
  c: PageContext,
  operator: User,
  form: PostedForm,
): Promise<Response> {
  // If another operator has closed them already, the page shows what is left.
  await closeClientReports(byOperator(operator, clock), oauth, form.text('client_id'));
  return c.redirect(`${REPORTS}?done=closed`, 303);
}

/** Show each reported application with its newest reports, and lead to more of them. Moderators see none. */
export async function reportedApplications({ oauth, clock }: SiteParts, c: PageContext): Promise<Html[]> {
  const { visit, language } = c.get('visitor');
  if (!visit?.user.isOperator) return [];
  const before = placeIn(c.req.query(BEFORE));
  const rows = await openClientReports(oauth, before, MOST_SHOWN + 1);
  const { items, last } = partOf(rows, MOST_SHOWN);
  const links = neighbourLinks(language, {
    back: before && { href: REPORTS },
    next: last && { href: `${REPORTS}?${BEFORE}=${last.newestAt}.${encodeURIComponent(last.clientId)}` },
  });
  const cards = items.map((open) => reportedCard(c, open, clock()));
  return links === '' ? cards : [...cards, html`${links}`];
}

function placeIn(text = ''): ReportedBefore | undefined {
  const [, newestAt, clientId] = /^(\d{1,15})\.(\w{1,100})$/.exec(text) ?? [];
  return clientId === undefined ? undefined : { newestAt: Number(newestAt), clientId };
}

function reportedCard(
  c: PageContext,
  { clientId, clientName, clientStatus, count, reports }: OpenClientReports,
  now: Timestamp,
): Html {
  const t = words[c.get('visitor').language];
  const isActive = clientStatus === 'active';
  return html`
    <section class="card">
      <p class="eyebrow">
        ${t.application} · <code>${clientId}</code>
        ${!isActive && html`<span class="badge warning">${t.deactivated}</span>`}
      </p>
      <h2>${clientName}</h2>
      <h3>${t.reports(count)}</h3>
      <ul class="plain">
        ${reports.map((report) => reportItem(report, now, c.get('visitor')))}
      </ul>
      <form method="post" action="${PATH}">
        ${formTokenField(c)}
        <input type="hidden" name="client_id" value="${clientId}">
        <div class="actions">
          <button>${t.close}</button>
          ${isActive && deactivateLink(clientId, t.deactivate)}
        </div>
      </form>
    </section>`;
}

function deactivateLink(clientId: string, text: string): Html {
  const path = `/operator/applications/${encodeURIComponent(clientId)}/deactivate`;
  return html`<a class="button danger" href="${path}">${text}</a>`;
}

function reportItem(
  { reason, reporterName, createdAt, note }: ClientReport,
  now: Timestamp,
  locale: Locale,
): Html {
  return html`
    <li>
      <strong>${CLIENT_REASON_WORDS[locale.language][reason]}</strong>
      <span class="soft small">${reporterName}, ${agoElement(createdAt, now, locale)}</span>
      ${note !== '' && html`<br>${note}`}
    </li>`;
}

const words = bilingual(
  {
    application: 'Application',
    reports: (count: number) =>
      count === 1 ? '1 report' : count < MOST_COUNTED ? `${count} reports` : `${MOST_COUNTED - 1}+ reports`,
    deactivated: 'Deactivated',
    close: 'Close reports',
    deactivate: 'Deactivate application',
  },
  {
    application: '应用',
    reports: (count: number) => `${count < MOST_COUNTED ? count : `${MOST_COUNTED - 1}+`} 份举报`,
    deactivated: '已停用',
    close: '结束举报',
    deactivate: '停用应用',
  },
);
