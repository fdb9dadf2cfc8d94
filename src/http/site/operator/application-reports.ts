// The open reports of applications, on the page with all reports. Only operators decide about them.

import { html } from 'hono/html';
import { byOperator } from '../../../audit/doer.ts';
import type { User } from '../../../identity/user.ts';
import type { Timestamp } from '../../../lib/clock.ts';
import {
  type ClientReport,
  closeClientReports,
  type OpenClientReports,
} from '../../../oauth/client-report.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual, type Locale } from '../../pages/language.ts';
import { agoElement } from '../../pages/moments.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { CLIENT_REASON_WORDS } from '../reactions/report-words.ts';
import type { SiteParts } from '../site-parts.ts';

const PATH = '/operator/reports/applications';
const MOST_NOTES_SHOWN = 10;

/** Close the reports of the application in the form. */
export async function closeApplicationReports(
  { oauth, clock }: SiteParts,
  c: PageContext,
  operator: User,
  form: PostedForm,
): Promise<Response> {
  // If another operator has closed them already, the page shows what is left.
  await closeClientReports(byOperator(operator, clock), oauth, form.text('client_id'));
  return c.redirect('/operator/reports?done=closed', 303);
}

/** Show each reported application with its reports. Moderators see none. */
export async function reportedApplications({ oauth, clock }: SiteParts, c: PageContext): Promise<Html[]> {
  if (!c.get('visitor').visit?.user.isOperator) return [];
  const queue = await oauth.reads.openClientReports();
  return queue.map((open) => reportedCard(c, open, clock()));
}

function reportedCard(
  c: PageContext,
  { clientId, clientName, clientStatus, reports }: OpenClientReports,
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
      <h3>${t.reports(reports.length)}</h3>
      <ul class="plain">
        ${reports.slice(0, MOST_NOTES_SHOWN).map((report) => reportItem(report, now, c.get('visitor')))}
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
    reports: (count: number) => (count === 1 ? '1 report' : `${count} reports`),
    deactivated: 'Deactivated',
    close: 'Close reports',
    deactivate: 'Deactivate application',
  },
  {
    application: '应用',
    reports: (count: number) => `${count} 份举报`,
    deactivated: '已停用',
    close: '结束举报',
    deactivate: '停用应用',
  },
);
