// The open reports, grouped by post or comment, which the operator removes or keeps.

import { html } from 'hono/html';
import { byOperator } from '../../../audit/doer.ts';
import { keepReported, type OpenReports, type Report, removeReported } from '../../../community/report.ts';
import type { User } from '../../../identity/user.ts';
import type { Timestamp } from '../../../lib/clock.ts';
import { unformatted } from '../../../lib/markdown.ts';
import { notFoundPage } from '../../pages/failures.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { agoElement } from '../../pages/moments.ts';
import { numberIn } from '../../pages/numbers.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import { prose } from '../../pages/prose.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { notice } from '../notice.ts';
import { REASON_WORDS } from '../reactions/report-words.ts';
import type { SiteParts } from '../site-parts.ts';
import { manageMemberPath } from './members.ts';
import { operatorPage, operatorTitle } from './page.ts';

const PATH = '/operator/reports';
const MOST_SHOWN = 10;
const MOST_NOTES_SHOWN = 10;

/** Remove the post or comment, or keep it. Both close all reports about it. */
export async function decideReports(
  site: SiteParts,
  c: PageContext,
  operator: User,
  form: PostedForm,
): Promise<Response> {
  const subject = subjectIn(form);
  const decision = form.text('decision');
  if (subject === undefined || (decision !== 'remove' && decision !== 'keep')) return notFoundPage(c);
  const decide = decision === 'remove' ? removeReported : keepReported;
  // If another operator has decided already, the queue shows what is left.
  await decide(byOperator(operator, site.clock), site.community, subject);
  return c.redirect(`${PATH}?done=${decision}`, 303);
}

function subjectIn(form: PostedForm) {
  const postId = numberIn(form.text('post'));
  const comment = form.text('comment');
  const commentId = numberIn(comment);
  return postId === undefined || (comment !== '' && commentId === undefined)
    ? undefined
    : { postId, commentId };
}

/** Show the posts and comments with open reports, the oldest report first. */
export async function reportsPage(site: SiteParts, c: PageContext): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const title = operatorTitle(c, PATH);
  const queue = await site.community.reads.openReports(MOST_SHOWN);
  const decision = c.req.query('done');
  const isDecision = decision === 'remove' || decision === 'keep';
  const now = site.clock();
  return operatorPage(
    c,
    PATH,
    { title },
    html`
      <h1>${title}</h1>
      ${notice(isDecision ? t.done[decision] : undefined)}
      ${queue.map((open) => reportedCard(c, open, now))}
      ${queue.length === 0 && html`<p class="empty">${t.nothing}</p>`}
      ${queue.length === MOST_SHOWN && html`<p class="soft">${t.more}</p>`}`,
  );
}

function reportedCard(c: PageContext, open: OpenReports, now: Timestamp): Html {
  const { language } = c.get('visitor');
  const t = words[language];
  const { subject, isGone, reports } = open;
  const { postId, postTitle, authorId, authorName } = subject;
  return html`
    <section class="card">
      <p class="eyebrow">
        ${subject.commentId === undefined ? t.post : t.comment} ·
        <a href="${manageMemberPath(authorId)}">${authorName}</a>
        ${isGone && html`<span class="badge">${t.gone}</span>`}
      </p>
      <h2>${isGone ? postTitle : html`<a href="/posts/${postId}">${postTitle}</a>`}</h2>
      <div class="excerpted" tabindex="0" role="group" aria-label="${t.text}">${prose(unformatted(subject.text))}</div>
      <h3>${t.reports(reports.length)}</h3>
      <ul class="plain">
        ${reports.slice(0, MOST_NOTES_SHOWN).map((report) => reportItem(report, now, language))}
      </ul>
      ${decisionForm(c, open)}
    </section>`;
}

function reportItem(
  { reason, reporterName, createdAt, note }: Report,
  now: Timestamp,
  language: Language,
): Html {
  return html`
    <li>
      <strong>${REASON_WORDS[language][reason]}</strong>
      <span class="soft small">${reporterName}, ${agoElement(createdAt, now, language)}</span>
      ${note !== '' && html`<br>${note}`}
    </li>`;
}

function decisionForm(c: PageContext, { subject, isGone }: OpenReports): Html {
  const t = words[c.get('visitor').language];
  const { postId, commentId } = subject;
  const kind = commentId === undefined ? 'post' : 'comment';
  return html`
    <form method="post" action="${PATH}">
      ${formTokenField(c)}
      <input type="hidden" name="post" value="${postId}">
      ${commentId !== undefined && html`<input type="hidden" name="comment" value="${commentId}">`}
      ${isGone && html`<p class="soft small">${t.removedByAuthor[kind]}</p>`}
      <div class="actions">
        <button name="decision" value="keep">${isGone ? t.dismiss : t.keep[kind]}</button>
        <button class="danger" name="decision" value="remove">${t.remove[kind]}</button>
      </div>
    </form>`;
}

const words = bilingual(
  {
    nothing: 'No open reports.',
    more: 'More reports will appear here once you’ve decided on these.',
    post: 'Post',
    comment: 'Comment',
    gone: 'Already removed',
    text: 'Reported text',
    reports: (count: number) => (count === 1 ? '1 report' : `${count} reports`),
    keep: { post: 'Keep post', comment: 'Keep comment' },
    remove: { post: 'Remove post', comment: 'Remove comment' },
    removedByAuthor: {
      post: 'The author removed it, and can restore it unless you remove it too.',
      comment:
        'It’s hidden because its author removed it or because the post was removed. If you remove it, it stays hidden.',
    },
    dismiss: 'Close reports',
    done: {
      remove: 'Removed. The author was notified, and all reports about it were closed.',
      keep: 'Kept. All reports about it were closed.',
    },
  },
  {
    nothing: '没有待处理的举报。',
    more: '处理完这些后，会显示其余的举报。',
    post: '文章',
    comment: '评论',
    gone: '已被移除',
    text: '被举报的正文',
    reports: (count: number) => `${count} 份举报`,
    keep: { post: '保留文章', comment: '保留评论' },
    remove: { post: '移除文章', comment: '移除评论' },
    removedByAuthor: {
      post: '作者已自行移除。除非您也移除，否则作者可以恢复。',
      comment: '评论已由作者移除，或所在文章已被移除，因此不再显示。您移除后，它将不会再次显示。',
    },
    dismiss: '结束举报',
    done: { remove: '已移除，作者会收到通知，相关举报均已结束。', keep: '已保留，相关举报均已结束。' },
  },
);
