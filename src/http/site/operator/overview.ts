// The operators' first page: the open reports, and how large the community is.

import { html } from 'hono/html';
import type { User } from '../../../identity/user.ts';
import { VERSION } from '../../../lib/version.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { countOf } from '../../pages/moments.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { factorNotice } from '../factor-notice.ts';
import { notice } from '../notice.ts';
import type { SiteParts } from '../site-parts.ts';
import { waitingText } from './applications.ts';
import { doStep, firstSteps, type MailTest, mailTestText } from './first-steps.ts';
import { operatorPage, operatorTitle } from './page.ts';
import { WAITING_APPLICATIONS_PATH } from './waiting-applications.ts';

const PATH = '/operator';
// Larger counts are shown as "1,000+": the exact number is not needed, and counting takes time.
const MOST_COUNTED = 1000;
const MOST_CLIENTS_COUNTED = 100;

/** Show the first steps that are left, and the number of open reports, members and applications. */
export function overviewPage(parts: SiteParts, c: PageContext, operator: User): Promise<Response> {
  return pageOfOverview(parts, c, operator, undefined);
}

/** Do one of the first steps, and show the page again. */
export async function takeFirstStep(
  parts: SiteParts,
  c: PageContext,
  operator: User,
  form: PostedForm,
): Promise<Response> {
  const test = await doStep(parts, c, operator, form);
  return test === undefined ? c.redirect(PATH, 303) : pageOfOverview(parts, c, operator, test);
}

async function pageOfOverview(
  parts: SiteParts,
  c: PageContext,
  operator: User,
  test: MailTest | undefined,
): Promise<Response> {
  const { identity, community, oauth } = parts;
  const { language } = c.get('visitor');
  const t = words[language];
  const title = operatorTitle(c, PATH);
  const [ofContent, ofClients, waiting, waitingClients, members, clients] = await Promise.all([
    community.reads.countOpenReports(MOST_COUNTED),
    oauth.reads.countOpenClientReports(MOST_COUNTED),
    community.reads.countWaitingTexts(MOST_COUNTED),
    oauth.reads.countWaitingClients(MOST_CLIENTS_COUNTED),
    identity.reads.countMembers(MOST_COUNTED),
    oauth.reads.clientsBefore(undefined, MOST_CLIENTS_COUNTED),
  ]);
  const reports = ofContent + ofClients;
  const steps = await firstSteps(parts, c, operator);
  const reportCount = upTo(reports, MOST_COUNTED);
  return operatorPage(
    c,
    PATH,
    { title },
    html`
      <h1>${title}</h1>
      ${notice(test && mailTestText(c, test))}
      ${steps === '' ? await factorNotice(parts, c, operator, true) : steps}
      <section class="card">
        <p>${reports === 0 ? t.noReports : html`<a href="/operator/reports">${t.reports(reportCount)}</a>`}</p>
        ${waiting > 0 && html`<p><a href="/operator/waiting">${t.waiting(upTo(waiting, MOST_COUNTED))}</a></p>`}
        ${
          waitingClients > 0 &&
          html`
            <p>
              <a href="${WAITING_APPLICATIONS_PATH}">${waitingText(c, waitingClients, MOST_CLIENTS_COUNTED)}</a>
            </p>`
        }
        <dl class="facts">
          <dt>${t.members}</dt>
          <dd>${countOf(members.total)}</dd>
          <dt>${t.suspended}</dt>
          <dd><a href="/operator/members?filter=suspended">${upTo(members.suspended, MOST_COUNTED)}</a></dd>
          <dt>${t.closed}</dt>
          <dd><a href="/operator/members?filter=closed">${upTo(members.closed, MOST_COUNTED)}</a></dd>
          <dt>${t.clients}</dt>
          <dd><a href="/operator/applications">${upTo(clients.length, MOST_CLIENTS_COUNTED)}</a></dd>
          <dt>${t.version}</dt>
          <dd>Portico ${VERSION}</dd>
        </dl>
      </section>`,
  );
}

function upTo(count: number, most: number): string {
  return `${countOf(count)}${count === most ? '+' : ''}`;
}

const words = bilingual(
  {
    noReports: 'No open reports.',
    reports: (count: string) => (count === '1' ? 'Review 1 open report' : `Review ${count} open reports`),
    waiting: (count: string) =>
      count === '1' ? 'Approve or return 1 waiting text' : `Approve or return ${count} waiting texts`,
    members: 'Members',
    suspended: 'Suspended',
    closed: 'Closed',
    clients: 'Applications',
    version: 'Version',
  },
  {
    noReports: '没有待处理的举报。',
    reports: (count: string) => `处理 ${count} 份举报`,
    waiting: (count: string) => `审核 ${count} 篇待审核内容`,
    members: '成员',
    suspended: '已暂停',
    closed: '已关闭',
    clients: '应用',
    version: '版本',
  },
);
