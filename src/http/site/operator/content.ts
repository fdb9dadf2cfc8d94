// Removing and restoring posts and comments, for operators and moderators. Removing asks for a reason.

import { html } from 'hono/html';
import { byModerating } from '../../../audit/doer.ts';
import { postOfComment, removeContent, restoreContent } from '../../../community/moderation.ts';
import type { Reportable, ReportSubject } from '../../../community/report.ts';
import type { User } from '../../../identity/user.ts';
import { unformatted } from '../../../lib/markdown.ts';
import { notFoundPage } from '../../pages/failures.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { idIn } from '../../pages/numbers.ts';
import { prose } from '../../pages/prose.ts';
import { questionPage } from '../../pages/question.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { operatorMenu } from './page.ts';
import { reasonField } from './reason-field.ts';
import { pageOfRemoved } from './removed.ts';

/** Ask for the reason before a post or comment is removed. */
export async function removeContentPage(site: SiteParts, c: PageContext): Promise<Response> {
  const subject = await reportable(site, c);
  return subject === undefined ? notFoundPage(c) : pageOfQuestion(c, subject);
}

/** Remove the post or comment in the path. */
export async function removeContentOf(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const subject = await reportable(site, c);
  if (subject === undefined) return notFoundPage(c);
  const reason = form.text('reason');
  const result = await removeContent(byModerating(user, site.clock), site.community, subject, reason);
  if (result !== undefined && result !== 'nothing') {
    return pageOfQuestion(c, subject, { problem: result, reason });
  }
  const { postId, commentId } = subject;
  return c.redirect(
    commentId === undefined
      ? `/posts/${postId}`
      : `/posts/${postId}?done=remove_comment&comment=${commentId}`,
    303,
  );
}

/** Restore the post or comment in the path, or say why it can't be restored. */
export async function restoreContentOf(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const subject = await subjectIn(site, c);
  if (subject === undefined) return notFoundPage(c);
  const isDone = await restoreContent(byModerating(user, site.clock), site.community, subject);
  if (!isDone) return pageOfRemoved(site, c, { isRefused: true });
  if (subject.commentId !== undefined) return c.redirect(`/comments/${subject.commentId}`, 303);
  const post = await site.community.reads.findPost(subject.postId);
  return c.redirect(
    post?.status === 'published'
      ? `/posts/${subject.postId}?done=restore`
      : '/operator/removed?done=given_back',
    303,
  );
}

async function subjectIn(site: SiteParts, c: PageContext): Promise<ReportSubject | undefined> {
  const id = idIn(c);
  if (c.req.param('kind') === 'posts') return { postId: id, commentId: undefined };
  const postId = await postOfComment(site.community, id);
  return postId === undefined ? undefined : { postId, commentId: id };
}

// Only what is published: everything else is either a draft, or removed already.
async function reportable({ community }: SiteParts, c: PageContext): Promise<Reportable | undefined> {
  const id = idIn(c);
  return community.reads.findReportable(c.req.param('kind') === 'posts' ? { postId: id } : { commentId: id });
}

const STATUS_OF = { reason_too_long: 400, own: 409, too_fast: 429 } as const;

interface Refusal {
  problem: keyof typeof STATUS_OF;
  reason: string;
}

function pageOfQuestion(c: PageContext, subject: Reportable, refusal?: Refusal): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const { postId, commentId, authorName, postTitle, text } = subject;
  const kind = commentId === undefined ? 'post' : 'comment';
  const path = commentId === undefined ? `/posts/${postId}` : `/comments/${commentId}`;
  return questionPage(c, {
    title: t.questions[kind],
    status: refusal === undefined ? 200 : STATUS_OF[refusal.problem],
    problem:
      refusal === undefined || refusal.problem === 'reason_too_long'
        ? undefined
        : t.problems[refusal.problem],
    menu: operatorMenu(c, '/operator/removed'),
    explanation: html`
      <p class="eyebrow">${authorName}</p>
      ${kind === 'post' && html`<h2>${postTitle}</h2>`}
      <div class="excerpted" tabindex="0" role="group" aria-label="${t.text}">${prose(unformatted(text))}</div>`,
    consequences: t.consequences[kind],
    fields: reasonField(language, refusal?.problem === 'reason_too_long' ? refusal.reason : undefined),
    action: `/operator${path}/remove`,
    button: t.buttons[kind],
    back: { path, text: t.cancel },
  });
}

const words = bilingual(
  {
    questions: { post: 'Remove this post?', comment: 'Remove this comment?' },
    text: 'Text',
    problems: {
      own: 'You wrote this yourself. Remove it as its author, or ask another moderator.',
      too_fast: 'You’ve removed very many posts and comments this hour. Try again later, or ask an operator.',
    },
    consequences: {
      post: [
        'Other people no longer see the post, and its author can’t restore it.',
        'The author is told, but not by whom, and loses the points for it.',
        'You can restore the post for 30 days. After that it is deleted.',
      ],
      comment: [
        'Other people no longer see the comment. Replies to it stay.',
        'The author is told, but not by whom, and loses the points for it.',
        'You can restore the comment for 30 days. After that its text is deleted.',
      ],
    },
    buttons: { post: 'Remove post', comment: 'Remove comment' },
    cancel: 'Cancel',
  },
  {
    questions: { post: '移除这篇文章？', comment: '移除这条评论？' },
    text: '正文',
    problems: {
      own: '这是您自己写的内容。请以作者身份移除，或请其他版主处理。',
      too_fast: '您这一小时移除的文章和评论过多。请稍后再试，或联系管理员。',
    },
    consequences: {
      post: [
        '其他人将无法再看到这篇文章，作者也不能自行恢复。',
        '作者会收到通知（不会显示由谁移除），相应的经验值会收回。',
        '30 天内可以恢复，之后文章将被删除。',
      ],
      comment: [
        '其他人将无法再看到这条评论，其下的回复会保留。',
        '作者会收到通知（不会显示由谁移除），相应的经验值会收回。',
        '30 天内可以恢复，之后评论内容将被删除。',
      ],
    },
    buttons: { post: '移除文章', comment: '移除评论' },
    cancel: '取消',
  },
);
