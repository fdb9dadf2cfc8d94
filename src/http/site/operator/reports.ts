// The open reports, grouped by post or comment. Operators and moderators remove or keep these, one or several at once.

import { html } from 'hono/html';
import { byModerating } from '../../../audit/doer.ts';
import { MOST_REASON_CHARACTERS, removeContent } from '../../../community/moderation.ts';
import {
  keepReported,
  type OpenReports,
  openReportsFor,
  type Report,
  type ReportSubject,
} from '../../../community/report.ts';
import type { User } from '../../../identity/user.ts';
import type { Timestamp } from '../../../lib/clock.ts';
import { unformatted } from '../../../lib/markdown.ts';
import { notFoundPage } from '../../pages/failures.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual, type Language, type Locale } from '../../pages/language.ts';
import { agoElement } from '../../pages/moments.ts';
import { numberIn } from '../../pages/numbers.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import { memberPath } from '../../pages/post-path.ts';
import { prose } from '../../pages/prose.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { notice } from '../notice.ts';
import { REASON_WORDS } from '../reactions/report-words.ts';
import type { SiteParts } from '../site-parts.ts';
import { reportedApplications } from './application-reports.ts';
import { operatorPage, operatorTitle } from './page.ts';

const PATH = '/operator/reports';
const MOST_SHOWN = 10;
const MOST_NOTES_SHOWN = 10;
const SELECTION = 'selection';

/** Remove the posts and comments in the form, or keep them. Both close all reports about them. */
export async function decideReports(
  site: SiteParts,
  c: PageContext,
  moderator: User,
  form: PostedForm,
): Promise<Response> {
  const decision = form.text('decision');
  if (decision !== 'remove' && decision !== 'keep') return notFoundPage(c);
  const one = subjectOf(form.text('post'), form.text('comment'));
  const subjects = one === undefined ? selectedIn(form) : [one];
  if (subjects.length === 0) {
    return form.has('post') ? notFoundPage(c) : c.redirect(`${PATH}?done=nothing`, 303);
  }
  const by = byModerating(moderator, site.clock);
  // The page shows no more than these.
  for (const subject of subjects.slice(0, MOST_SHOWN)) {
    // If another moderator has decided already, the queue shows what is left.
    if (decision === 'keep') await keepReported(by, site.community, subject);
    else {
      const problem = await removeContent(by, site.community, subject, form.text('reason'));
      if (problem === 'reason_too_long' || problem === 'too_fast') {
        return pageOfReports(site, c, moderator, problem);
      }
    }
  }
  return c.redirect(`${PATH}?done=${decision}`, 303);
}

function selectedIn(form: PostedForm): ReportSubject[] {
  return form.all('selected').flatMap((text) => {
    const [post, comment = ''] = text.split('/');
    return subjectOf(post ?? '', comment) ?? [];
  });
}

function subjectOf(post: string, comment: string): ReportSubject | undefined {
  const postId = numberIn(post);
  const commentId = numberIn(comment);
  return postId === undefined || (comment !== '' && commentId === undefined)
    ? undefined
    : { postId, commentId };
}

/** Show the posts and comments with open reports, the oldest first, and the first of each reporter before others. */
export function reportsPage(site: SiteParts, c: PageContext, moderator: User): Promise<Response> {
  return pageOfReports(site, c, moderator);
}

async function pageOfReports(
  site: SiteParts,
  c: PageContext,
  moderator: User,
  problem?: 'reason_too_long' | 'too_fast',
): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const title = operatorTitle(c, PATH);
  const queue = await openReportsFor(byModerating(moderator, site.clock), site.community, MOST_SHOWN);
  const decision = c.req.query('done');
  const isDecision =
    decision === 'remove' || decision === 'keep' || decision === 'nothing' || decision === 'closed';
  const applications = await reportedApplications(site, c);
  const now = site.clock();
  return operatorPage(
    c,
    PATH,
    { title, status: problem === undefined ? 200 : problem === 'too_fast' ? 429 : 400 },
    html`
      <h1>${title}</h1>
      ${problem !== undefined && html`<p class="notice wrong" role="alert">${t[problem]}</p>`}
      ${notice(isDecision ? t.done[decision] : undefined)}
      ${applications}
      ${queue.map((open) => reportedCard(c, open, now))}
      ${queue.length + applications.length === 0 && html`<p class="empty">${t.nothing}</p>`}
      ${queue.length > 1 && selectionForm(c)}
      ${!moderator.isOperator && html`<p class="soft">${t.notOwn}</p>`}
      ${queue.length === MOST_SHOWN && html`<p class="soft">${t.more}</p>`}`,
  );
}

function reportedCard(c: PageContext, open: OpenReports, now: Timestamp): Html {
  const { language } = c.get('visitor');
  const t = words[language];
  const { subject, isGone, reports } = open;
  const { postId, postTitle, authorName } = subject;
  return html`
    <section class="card">
      <p class="eyebrow">
        ${subject.commentId === undefined ? t.post : t.comment} ·
        <a href="${memberPath(authorName)}">${authorName}</a>
        ${isGone && html`<span class="badge">${t.gone}</span>`}
      </p>
      <h2>${isGone ? postTitle : html`<a href="/posts/${postId}">${postTitle}</a>`}</h2>
      <div class="excerpted" tabindex="0" role="group" aria-label="${t.text}">${prose(unformatted(subject.text))}</div>
      <h3>${t.reports(reports.length)}</h3>
      <ul class="plain">
        ${reports.slice(0, MOST_NOTES_SHOWN).map((report) => reportItem(report, now, c.get('visitor')))}
      </ul>
      ${decisionForm(c, open)}
      ${selectBox(open, language)}
    </section>`;
}

// The form that it belongs to is below all cards.
function selectBox({ subject: { postId, commentId, postTitle } }: OpenReports, language: Language): Html {
  const value = commentId === undefined ? `${postId}` : `${postId}/${commentId}`;
  return html`
    <div class="field">
      <label class="check">
        <input type="checkbox" name="selected" value="${value}" form="${SELECTION}">
        <span>${words[language].select}<span class="unseen"> ${postTitle}</span></span>
      </label>
    </div>`;
}

function selectionForm(c: PageContext): Html {
  const t = words[c.get('visitor').language];
  return html`
    <form id="${SELECTION}" class="card" method="post" action="${PATH}">
      ${formTokenField(c)}
      <h2>${t.selected}</h2>
      ${reasonInput('reason', t)}
      <div class="actions">
        <button name="decision" value="keep">${t.keepSelected}</button>
        <button class="danger" name="decision" value="remove">${t.removeSelected}</button>
      </div>
    </form>`;
}

function reasonInput(id: string, t: (typeof words)['en']): Html {
  return html`
    <div class="field">
      <label for="${id}">${t.reason}</label>
      <input type="text" id="${id}" name="reason" maxlength="${MOST_REASON_CHARACTERS}" autocomplete="off">
    </div>`;
}

function reportItem({ reason, reporterName, createdAt, note }: Report, now: Timestamp, locale: Locale): Html {
  const { language } = locale;
  return html`
    <li>
      <strong>${REASON_WORDS[language][reason]}</strong>
      <span class="soft small">${reporterName}, ${agoElement(createdAt, now, locale)}</span>
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
      ${reasonInput(`reason-${kind}-${commentId ?? postId}`, t)}
      <div class="actions">
        <button name="decision" value="keep">${isGone ? t.dismiss : t.keep[kind]}</button>
        <button class="danger" name="decision" value="remove">${t.remove[kind]}</button>
      </div>
    </form>`;
}

const words = bilingual(
  {
    nothing: 'No open reports.',
    notOwn: 'Reports about your own posts and comments are decided by others, and aren’t shown to you.',
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
    reason: 'Reason for removing it (optional; the author is told)',
    select: 'Select',
    selected: 'All selected posts and comments',
    keepSelected: 'Keep selected',
    removeSelected: 'Remove selected',
    too_fast: 'You’ve removed very many posts and comments this hour. Try again later, or ask an operator.',
    reason_too_long: `Nothing was removed: the reason can have at most ${MOST_REASON_CHARACTERS} characters.`,
    done: {
      closed: 'The reports were closed.',
      nothing: 'Nothing was selected. Tick the posts and comments first.',
      remove: 'Removed. The author was notified, and all reports about it were closed.',
      keep: 'Kept. All reports about it were closed.',
    },
  },
  {
    nothing: '没有待处理的举报。',
    notOwn: '与您自己的文章和评论有关的举报由其他人处理，不会显示给您。',
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
    reason: '移除原因（可选，会告知作者）',
    select: '选择',
    selected: '所有选中的文章和评论',
    keepSelected: '保留选中内容',
    removeSelected: '移除选中内容',
    too_fast: '您这一小时移除的文章和评论过多。请稍后再试，或联系管理员。',
    reason_too_long: `没有移除任何内容：原因最多 ${MOST_REASON_CHARACTERS} 个字符。`,
    done: {
      closed: '举报已结束。',
      nothing: '没有选中任何内容，请先勾选文章或评论。',
      remove: '已移除，作者会收到通知，相关举报均已结束。',
      keep: '已保留，相关举报均已结束。',
    },
  },
);
