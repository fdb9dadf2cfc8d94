// Telling the operators of a post or a comment that does not belong here.

import { html } from 'hono/html';
import { byMember } from '../../../audit/doer.ts';
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
import { bilingual } from '../../pages/language.ts';
import { numberIn } from '../../pages/numbers.ts';
import { formTokenField, page } from '../../pages/page.ts';
import { prose } from '../../pages/prose.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { retryAfter, waitText } from '../../pages/waiting.ts';
import type { SiteParts } from '../site-parts.ts';
import { REASON_WORDS } from './report-words.ts';

const PATH = '/report';
const NOTHING: ReportText = { reason: '', note: '' };

export async function reportPage(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const subject = await subjectOf(site, c.req.query('post'), c.req.query('comment'));
  if (subject === undefined || subject.authorId === user.id) return notFoundPage(c);
  return pageOfReport(c, subject, NOTHING, {});
}

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
  if ('problems' in refusal) return pageOfReport(c, subject, text, refusal.problems);
  retryAfter(c, refusal.retryAfterSeconds);
  return pageOfReport(c, subject, text, {}, refusal.retryAfterSeconds);
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

function pageOfReport(
  c: PageContext,
  subject: Reportable,
  text: ReportText,
  problems: ReportProblems,
  waitSeconds?: number,
): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const { postId, commentId } = subject;
  const isComment = commentId !== undefined;
  const title = isComment ? t.comment : t.post;
  const reason = problems.reason && t.reasonProblem;
  const note = problems.note && t.noteProblem;
  const options = [
    ...(text.reason === '' ? [{ value: '', label: t.choose }] : []),
    ...REPORT_REASONS.map((value) => ({ value, label: REASON_WORDS[language][value] })),
  ];
  const status = waitSeconds !== undefined ? 429 : Object.keys(problems).length > 0 ? 400 : 200;
  return page(
    c,
    { title, status },
    html`<h1>${title}</h1>
${waitSeconds === undefined ? '' : html`<p class="notice wrong" role="alert">${t.tooMany(waitText(waitSeconds, language))}</p>`}
${problemSummary({ reason, note }, language)}
<section class="card">${isComment ? html`<p class="soft small">${t.by(subject.authorName)}</p>${prose(subject.text)}` : html`<p class="quoted">${subject.postTitle}</p><p class="soft small">${t.by(subject.authorName)}</p>`}</section>
<p class="soft">${t.explanation}</p>
<form method="post" action="${PATH}">${formTokenField(c)}<input type="hidden" name="${isComment ? 'comment' : 'post'}" value="${commentId ?? postId}">
${selectField({ name: 'reason', label: t.reason, problem: reason, value: text.reason, options })}
<div class="short">${textField({ name: 'note', label: t.note, hint: t.noteHint, problem: note, value: text.note, required: false })}</div>
<div class="actions"><a class="button" href="/posts/${postId}">${t.back}</a><button class="primary">${t.send}</button></div></form>`,
  );
}

export function reportThanksPage(_: SiteParts, c: PageContext): Promise<Response> {
  const t = words[c.get('visitor').language];
  const postId = numberIn(c.req.query('post'));
  return page(
    c,
    { title: t.thanks },
    html`<h1>${t.thanks}</h1><p>${t.willLook}</p><p><a class="button" href="${postId === undefined ? '/' : `/posts/${postId}`}">${t.back}</a></p>`,
  );
}

const words = bilingual(
  {
    post: 'Report this post',
    comment: 'Report this comment',
    by: (username: string) => `by ${username}`,
    explanation: 'The operators read every report. Nobody else learns of it, not its author either.',
    reason: 'What is wrong with it?',
    choose: 'Choose …',
    note: 'Anything else they should know',
    noteHint: 'At most 1,000 characters. It may stay empty.',
    send: 'Report',
    back: 'Back to the post',
    reasonProblem: 'Say what is wrong with it.',
    noteProblem: 'The note can have at most 1,000 characters.',
    tooMany: (wait: string) =>
      `You have reported twenty times in a day. Wait ${wait}; what you wrote is still below.`,
    thanks: 'Thank you',
    willLook: 'The operators will look at it. If it does not belong here, they remove it.',
  },
  {
    post: '举报这篇文章',
    comment: '举报这条评论',
    by: (username: string) => `作者：${username}`,
    explanation: '管理员会阅读每一份举报。其他人（包括作者）都不会知道。',
    reason: '有什么问题？',
    choose: '请选择……',
    note: '其他需要说明的情况',
    noteHint: '最多 1,000 个字符，可以留空。',
    send: '举报',
    back: '返回文章',
    reasonProblem: '请选择有什么问题。',
    noteProblem: '说明最多 1,000 个字符。',
    tooMany: (wait) => `您一天内已举报二十次。请等待 ${wait}；您写的内容仍保留在下面。`,
    thanks: '谢谢',
    willLook: '管理员会查看。如果内容不适合本社区，会被移除。',
  },
);
