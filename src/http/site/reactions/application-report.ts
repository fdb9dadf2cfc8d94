// Reporting an application to the operators.

import { html } from 'hono/html';
import { byMember } from '../../../audit/doer.ts';
import type { User } from '../../../identity/user.ts';
import { type ReportRefusal, reportClient } from '../../../oauth/client-report.ts';
import type { Client } from '../../../oauth/client-store.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { problemSummary, selectField, textField } from '../../pages/fields.ts';
import { localPath, type PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { dayOf, minuteOf } from '../../pages/moments.ts';
import { formTokenField, type Html, page } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { retryAfter, waitText } from '../../pages/waiting.ts';
import type { SiteParts } from '../site-parts.ts';
import { CLIENT_REASON_WORDS } from './report-words.ts';

const PATH = '/report/application';

interface Typed {
  reason: string;
  note: string;
  returnTo: string;
}

/** Show the form for reporting the application in the query. */
export async function reportApplicationPage({ oauth }: SiteParts, c: PageContext): Promise<Response> {
  const client = await oauth.reads.findClient(c.req.query('client_id') ?? '');
  if (client === undefined) return notFoundPage(c);
  const typed = { reason: '', note: '', returnTo: localPath(c.req.query('return_to')) };
  return pageOfReport(c, client, typed);
}

/** Send the report to the operators. */
export async function reportApplication(
  { oauth, identity, clock }: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const client = await oauth.reads.findClient(form.text('client_id'));
  if (client === undefined) return notFoundPage(c);
  const returnTo = localPath(form.text('return_to'));
  const typed = { reason: form.text('reason'), note: form.text('note').replaceAll('\r\n', '\n'), returnTo };
  const refusal = await reportClient(byMember(user, clock), oauth, identity, client.id, typed);
  return refusal === undefined ? pageOfThanks(c, returnTo) : pageOfReport(c, client, typed, refusal);
}

function pageOfReport(
  c: PageContext,
  client: Client,
  { reason, note, returnTo }: Typed,
  refusal?: ReportRefusal,
): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const title = t.title(client.name);
  const problems = refusal !== undefined && 'problems' in refusal ? refusal.problems : {};
  const texts = { reason: problems.reason && t.reasonProblem, note: problems.note && t.noteProblem };
  const status = refusal === undefined ? 200 : 'retryAfterSeconds' in refusal ? 429 : 400;
  return page(
    c,
    { title, status },
    html`
      <h1>${title}</h1>
      ${refusal !== undefined && refusalNotice(c, refusal)}
      ${problemSummary(texts, language)}
      <p class="soft">${t.explanation}</p>
      <form method="post" action="${PATH}">
        ${formTokenField(c)}
        <input type="hidden" name="client_id" value="${client.id}">
        <input type="hidden" name="return_to" value="${returnTo}">
        ${selectField({
          name: 'reason',
          label: t.reason,
          problem: texts.reason,
          value: reason,
          options: [
            { value: '', label: t.choose },
            ...Object.entries(CLIENT_REASON_WORDS[language]).map(([value, label]) => ({ value, label })),
          ],
        })}
        <div class="short">
          ${textField({
            name: 'note',
            label: t.note,
            hint: t.noteHint,
            problem: texts.note,
            value: note,
            required: false,
          })}
        </div>
        <div class="actions">
          <a class="button" href="${returnTo}">${t.back}</a>
          <button class="primary">${t.send}</button>
        </div>
      </form>`,
  );
}

function refusalNotice(c: PageContext, refusal: ReportRefusal): Html | '' {
  const visitor = c.get('visitor');
  const t = words[visitor.language];
  if ('problems' in refusal) return '';
  if ('againAt' in refusal) {
    const [decided, again] = [dayOf(refusal.decidedAt, visitor), minuteOf(refusal.againAt, visitor)];
    return html`<p class="notice" role="alert">${t.decided(decided, again)}</p>`;
  }
  retryAfter(c, refusal.retryAfterSeconds);
  const wait = waitText(refusal.retryAfterSeconds, visitor.language);
  return html`<p class="notice wrong" role="alert">${t.tooMany(wait)}</p>`;
}

function pageOfThanks(c: PageContext, returnTo: string): Promise<Response> {
  const t = words[c.get('visitor').language];
  return page(
    c,
    { title: t.thanks, returnTo },
    html`
      <h1>${t.thanks}</h1>
      <p>${t.willLook}</p>
      <p>
        <a class="button" href="/settings/apps">${t.connected}</a>
        <a class="button" href="${returnTo}">${t.back}</a>
      </p>`,
  );
}

const words = bilingual(
  {
    title: (application: string) => `Report ${application}`,
    explanation: 'Only operators see reports. The application and its owner aren’t told.',
    reason: 'Reason',
    choose: 'Choose a reason',
    note: 'Anything else the operators should know',
    noteHint: 'Optional. At most 1,000 characters.',
    send: 'Send report',
    back: 'Go back',
    reasonProblem: 'Choose a reason.',
    noteProblem: 'The note can have at most 1,000 characters.',
    decided: (decided: string, again: string) =>
      `The operators decided on your earlier report on ${decided}. You can report this application again from ${again} on.`,
    tooMany: (wait: string) =>
      `You can send up to 20 reports a day. You can send another one in ${wait}. Your text is kept below.`,
    thanks: 'Report sent',
    willLook:
      'Thank you. The operators will look at your report. If you’ve already connected the application, you can remove its access at once.',
    connected: 'Connected applications',
  },
  {
    title: (application: string) => `举报 ${application}`,
    explanation: '举报只有管理员能看到，应用及其所有者不会收到通知。',
    reason: '举报原因',
    choose: '请选择原因',
    note: '补充说明',
    noteHint: '选填，最多 1,000 个字符。',
    send: '提交举报',
    back: '返回',
    reasonProblem: '请选择举报原因。',
    noteProblem: '补充说明最多 1,000 个字符。',
    decided: (decided, again) => `管理员已于${decided}处理了您之前的举报。${again}起可再次举报此应用。`,
    tooMany: (wait) => `每天最多可以举报 20 个应用，${wait}后可以继续举报。您写的内容仍保留在下面。`,
    thanks: '举报已提交',
    willLook: '谢谢。管理员会查看您的举报。如果您已连接此应用，可以立即移除它的访问权限。',
    connected: '已连接的应用',
  },
);
