// Reporting a post or a comment to the operators.

import { html } from 'hono/html';
import { byMember } from '../../../audit/doer.ts';
import type { Community } from '../../../community/community.ts';
import { htmlOf } from '../../../community/rendering.ts';
import {
  REPORT_REASONS,
  type Reportable,
  type ReportProblems,
  type ReportText,
  report,
} from '../../../community/report.ts';
import type { User } from '../../../identity/user.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { problemSummary, selectField, textField } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { numberIn } from '../../pages/numbers.ts';
import { formTokenField, type Html, page } from '../../pages/page.ts';
import { prose } from '../../pages/prose.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { retryAfter, waitText } from '../../pages/waiting.ts';
import type { SiteParts } from '../site-parts.ts';
import { REASON_WORDS } from './report-words.ts';

const PATH = '/report';
const EMPTY_TEXT: ReportText = { reason: '', note: '' };

/** Show the form for reporting the post or the comment in the query. */
export async function reportPage(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const subject = await subjectOf(site, c.req.query('post'), c.req.query('comment'));
  if (subject === undefined || subject.authorId === user.id) return notFoundPage(c);
  return pageOfReport(site, c, subject, EMPTY_TEXT, {});
}

/** Send a report to the operators. */
export async function sendReport(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const subject = await subjectOf(site, form.text('post'), form.text('comment'));
  if (subject === undefined || subject.authorId === user.id) return notFoundPage(c);
  const text = { reason: form.text('reason'), note: form.text('note').replaceAll('\r\n', '\n') };
  const refusal = await report(byMember(user, site.clock), site.community, subject, text);
  if (refusal === undefined) return c.redirect(`${PATH}/thanks?post=${subject.postId}`, 303);
  if ('problems' in refusal) return pageOfReport(site, c, subject, text, refusal.problems);
  retryAfter(c, refusal.retryAfterSeconds);
  return pageOfReport(site, c, subject, text, {}, refusal.retryAfterSeconds);
}

async function subjectOf(
  { community }: SiteParts,
  post: string | undefined,
  comment: string | undefined,
): Promise<Reportable | undefined> {
  const commentId = numberIn(comment);
  if (commentId !== undefined) return community.reads.findReportable({ commentId });
  const postId = numberIn(post);
  return postId === undefined ? undefined : community.reads.findReportable({ postId });
}

async function pageOfReport(
  { community }: SiteParts,
  c: PageContext,
  subject: Reportable,
  text: ReportText,
  problems: ReportProblems,
  waitSeconds?: number,
): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const title = subject.commentId === undefined ? t.post : t.comment;
  const problemTexts = {
    reason: problems.reason && t.reasonProblem,
    note: problems.note && t.noteProblem,
  };
  const status = waitSeconds !== undefined ? 429 : Object.keys(problems).length > 0 ? 400 : 200;
  return page(
    c,
    { title, status },
    html`
      <h1>${title}</h1>
      ${waitSeconds === undefined ? '' : tooManyNotice(waitSeconds, language)}
      ${problemSummary(problemTexts, language)}
      <section class="card">${await subjectExcerpt(community, subject, language)}</section>
      <p class="soft">${t.explanation}</p>
      ${reportForm(c, subject, text, problemTexts)}`,
  );
}

function tooManyNotice(waitSeconds: number, language: Language): Html {
  const text = words[language].tooMany(waitText(waitSeconds, language));
  return html`<p class="notice wrong" role="alert">${text}</p>`;
}

async function subjectExcerpt(
  community: Community,
  { commentId, postTitle, authorName }: Reportable,
  language: Language,
): Promise<Html> {
  const author = html`<p class="soft small">${words[language].by(authorName)}</p>`;
  if (commentId === undefined) return html`<p class="quoted">${postTitle}</p>${author}`;
  const comment = await community.reads.findComment(commentId);
  return html`${author}${comment && prose(await htmlOf(community, 'comment', comment))}`;
}

function reportForm(
  c: PageContext,
  { postId, commentId }: Reportable,
  text: ReportText,
  problemTexts: { reason: string | undefined; note: string | undefined },
): Html {
  const { language } = c.get('visitor');
  const t = words[language];
  const name = commentId === undefined ? 'post' : 'comment';
  return html`
    <form method="post" action="${PATH}">
      ${formTokenField(c)}
      <input type="hidden" name="${name}" value="${commentId ?? postId}">
      ${reasonField(text.reason, problemTexts.reason, language)}
      <div class="short">
        ${textField({
          name: 'note',
          label: t.note,
          hint: t.noteHint,
          problem: problemTexts.note,
          value: text.note,
          required: false,
        })}
      </div>
      <div class="actions">
        <a class="button" href="/posts/${postId}">${t.back}</a>
        <button class="primary">${t.send}</button>
      </div>
    </form>`;
}

function reasonField(value: string, problem: string | undefined, language: Language): Html {
  const t = words[language];
  const reasons = REPORT_REASONS.map((reason) => ({ value: reason, label: REASON_WORDS[language][reason] }));
  const options = value === '' ? [{ value: '', label: t.choose }, ...reasons] : reasons;
  return selectField({ name: 'reason', label: t.reason, problem, value, options });
}

/** Tell the member that the report was sent. */
export function reportThanksPage(_: SiteParts, c: PageContext): Promise<Response> {
  const t = words[c.get('visitor').language];
  const postId = numberIn(c.req.query('post'));
  const path = postId === undefined ? '/' : `/posts/${postId}`;
  return page(
    c,
    { title: t.thanks },
    html`
      <h1>${t.thanks}</h1>
      <p>${t.willLook}</p>
      <p><a class="button" href="${path}">${postId === undefined ? t.home : t.back}</a></p>`,
  );
}

const words = bilingual(
  {
    post: 'Report this post',
    comment: 'Report this comment',
    by: (username: string) => `by ${username}`,
    explanation: 'Only operators see reports. The author isn’t told.',
    reason: 'Reason',
    choose: 'Choose a reason',
    note: 'Anything else the operators should know',
    noteHint: 'Optional. At most 1,000 characters.',
    send: 'Send report',
    back: 'Back to the post',
    reasonProblem: 'Choose a reason.',
    noteProblem: 'The note can have at most 1,000 characters.',
    tooMany: (wait: string) =>
      `You can send up to 20 reports a day. You can send another one in ${wait}. Your text is kept below.`,
    thanks: 'Report sent',
    willLook:
      'Thank you. The operators will look at your report and remove the content if it doesn’t belong here.',
    home: 'Go to the home page',
  },
  {
    post: '举报这篇文章',
    comment: '举报这条评论',
    by: (username: string) => `作者：${username}`,
    explanation: '举报只有管理员能看到，作者不会收到通知。',
    reason: '举报原因',
    choose: '请选择原因',
    note: '补充说明',
    noteHint: '选填，最多 1,000 个字符。',
    send: '提交举报',
    back: '返回文章',
    reasonProblem: '请选择举报原因。',
    noteProblem: '补充说明最多 1,000 个字符。',
    tooMany: (wait) => `每天最多可以举报 20 次，${wait}后可以继续举报。您写的内容仍保留在下面。`,
    thanks: '举报已提交',
    willLook: '谢谢。管理员会查看您的举报，并移除不适合本社区的内容。',
    home: '前往首页',
  },
);
