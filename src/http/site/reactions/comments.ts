// Writing, answering, editing and removing comments, and the address that each comment has.

import { html } from 'hono/html';
import { byMember } from '../../../audit/doer.ts';
import {
  type Commented,
  type CommentInPlace,
  comment,
  editComment,
  removeComment,
  reply,
} from '../../../community/comment.ts';
import { type Post, postFor } from '../../../community/post.ts';
import { htmlOf } from '../../../community/rendering.ts';
import { isShownWithPost, repliesTo } from '../../../community/thread.ts';
import type { User } from '../../../identity/user.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { leaveFlash, MASKED } from '../../pages/flash.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { formWithoutEffect } from '../../pages/guards.ts';
import { bilingual } from '../../pages/language.ts';
import { idIn, numberIn } from '../../pages/numbers.ts';
import { type Html, page } from '../../pages/page.ts';
import { postPath } from '../../pages/post-path.ts';
import { prose } from '../../pages/prose.ts';
import { questionPage } from '../../pages/question.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { forgottenPicture } from '../picture-box.ts';
import type { SiteParts } from '../site-parts.ts';
import { type CommentForm, commentFormPage, readCommentText } from './comment-form.ts';
import { pathInPost, replyList } from './comment-list.ts';
import { quotation } from './quotation.ts';

/** Post a comment on a post. */
export async function addComment(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const body = readCommentText(form);
  const post = await postFor(site.community, user.id, idIn(c));
  if (post?.status !== 'published') return notFoundPage(c);
  const retry = { action: `/posts/${post.id}/comments`, kind: 'comment', body } as const;
  const back = `${postPath(post)}#comments`;
  const picture = forgottenPicture(form);
  if (picture !== undefined) return commentFormPage(c, { ...retry, picture }, { back });
  const result = await comment(byMember(user, site.clock), site.community, post.id, body);
  return commentOrForm(c, form, result, retry, { back, onPost: waitingPath(post) });
}

/** Find the page that shows a comment: its post's page, or for a late reply, the page of all replies. */
export async function pathOfComment(site: SiteParts, c: PageContext): Promise<string | undefined> {
  const { reads } = site.community;
  const target = (await reads.findComment(idIn(c))) ?? (await reads.findTopComment(idIn(c)));
  if (target === undefined || (await isShownWithPost(site.community, target)))
    return target && pathInPost(target);
  return `/comments/${target.parentId}/replies?from=${target.id}#comment-${target.id}`;
}

/** Show the form for a reply, below the comment that it answers. */
export async function replyPage(site: SiteParts, c: PageContext): Promise<Response> {
  const parent = await site.community.reads.findComment(idIn(c));
  return parent === undefined
    ? notFoundPage(c)
    : commentFormPage(c, replyForm(parent, ''), {
        back: backTo(parent),
        quote: await quoteOf(site, c, parent),
      });
}

/** Post a reply to a comment. */
export async function addReply(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const parent = await site.community.reads.findComment(idIn(c));
  if (parent === undefined) return notFoundPage(c);
  const body = readCommentText(form);
  const back = backTo(parent);
  const picture = forgottenPicture(form);
  if (picture !== undefined) return commentFormPage(c, { ...replyForm(parent, body), picture }, { back });
  if (form.text('action') === 'quote') {
    const quoted = `${quotation(parent.body)}\n\n${body}`;
    return commentFormPage(c, replyForm(parent, quoted), { back, quote: await quoteOf(site, c, parent) });
  }
  const result = await reply(byMember(user, site.clock), site.community, parent.id, body);
  return commentOrForm(c, form, result, replyForm(parent, body), {
    back,
    onPost: waitingPath({ id: parent.postId, title: parent.postTitle }),
    quote: await quoteOf(site, c, parent),
  });
}

/** Show the form in which authors edit their own comments. */
export function editCommentPage(
  _: SiteParts,
  c: PageContext,
  _user: User,
  ownComment: CommentInPlace,
): Promise<Response> {
  return commentFormPage(c, editForm(ownComment, ownComment.body), { back: placeOf(ownComment) });
}

/** Save the new text of the author's own comment. */
export async function saveComment(
  site: SiteParts,
  c: PageContext,
  user: User,
  ownComment: CommentInPlace,
  form: PostedForm,
): Promise<Response> {
  const body = readCommentText(form);
  const place = placeOf(ownComment);
  const picture = forgottenPicture(form);
  if (picture !== undefined) {
    return commentFormPage(c, { ...editForm(ownComment, body), picture }, { back: place });
  }
  const result = await editComment(byMember(user, site.clock), site.community, ownComment.id, body);
  if (result !== undefined && 'id' in result) return c.redirect(place, 303);
  return commentOrForm(c, form, result, editForm(ownComment, body), { back: place, onPost: place });
}

/** Ask the author whether to remove the comment. */
export async function removeCommentPage(
  site: SiteParts,
  c: PageContext,
  _user: User,
  ownComment: CommentInPlace,
): Promise<Response> {
  const all = words[c.get('visitor').language];
  const t = ownComment.status === 'waiting' ? all.withdrawal : all.removal;
  return questionPage(c, {
    title: t.title,
    explanation: html`
      <blockquote class="excerpted">${prose(await htmlOf(site.community, 'comment', ownComment))}</blockquote>
      <p>${t.consequence}</p>`,
    action: `/comments/${ownComment.id}/remove`,
    button: t.button,
    back: { path: placeOf(ownComment), text: all.cancel },
  });
}

/** Remove the author's own comment. */
export async function removeOwnComment(
  site: SiteParts,
  c: PageContext,
  user: User,
  ownComment: CommentInPlace,
): Promise<Response> {
  if (!(await removeComment(byMember(user, site.clock), site.community, ownComment.id)))
    return notFoundPage(c);
  const { postId: id, postTitle: title } = ownComment;
  return c.redirect(`${postPath({ id, title, status: 'published' })}#comments`, 303);
}

async function commentOrForm(
  c: PageContext,
  form: PostedForm,
  result: Commented | undefined,
  retry: CommentForm,
  surroundings: { back: string; onPost: string; quote?: Html },
): Promise<Response> {
  if (result === undefined) return formWithoutEffect(c, form);
  if ('isMasked' in result && result.isMasked) leaveFlash(c, MASKED);
  if ('isWaiting' in result && result.isWaiting) return c.redirect(surroundings.onPost, 303);
  if ('id' in result) return c.redirect(`/comments/${result.id}`, 303);
  const problem = 'problem' in result ? result.problem : result;
  return commentFormPage(c, { ...retry, problem }, surroundings);
}

/** Show a comment with all replies to it. */
export async function repliesPage(site: SiteParts, c: PageContext): Promise<Response> {
  const top = await site.community.reads.findTopComment(idIn(c));
  if (top === undefined) return notFoundPage(c);
  const part = await repliesTo(site.community, top.id, numberIn(c.req.query('from')) ?? 0);
  if (part === undefined) return notFoundPage(c);
  const post = { userId: top.postUserId, lockedAt: top.postLockedAt };
  const t = words[c.get('visitor').language];
  return page(
    c,
    { title: t.replies },
    html`
      <p class="eyebrow"><a href="${pathInPost(top)}">${top.postTitle}</a></p>
      <h1>${t.replies}</h1>
      <section class="comments">${replyList(site, c, part, post)}</section>`,
  );
}

async function quoteOf(site: SiteParts, c: PageContext, parent: CommentInPlace): Promise<Html> {
  const t = words[c.get('visitor').language];
  return html`
    <p>${t.replyingTo(parent.authorName)}</p>
    <blockquote class="excerpted">${prose(await htmlOf(site.community, 'comment', parent))}</blockquote>`;
}

function replyForm({ id }: CommentInPlace, body: string): CommentForm {
  return { action: `/comments/${id}/reply`, kind: 'reply', body };
}

function editForm({ id }: CommentInPlace, body: string): CommentForm {
  return { action: `/comments/${id}/edit`, kind: 'edit', body };
}

// Where the author sees a comment that waits for approval.
function waitingPath({ id, title }: Pick<Post, 'id' | 'title'>): string {
  return `${postPath({ id, title, status: 'published' })}#waiting`;
}

// Where the author sees the comment.
function placeOf(comment: CommentInPlace): string {
  if (comment.status !== 'waiting') return backTo(comment);
  return waitingPath({ id: comment.postId, title: comment.postTitle });
}

function backTo({ id }: CommentInPlace): string {
  return `/comments/${id}`;
}

const words = bilingual(
  {
    replies: 'Replies',
    replyingTo: (name: string) => `Replying to ${name}`,
    removal: {
      title: 'Remove this comment?',
      consequence:
        'Other people will no longer see the comment, and you lose the points for it. Replies to it stay. This can’t be undone.',
      button: 'Remove comment',
    },
    withdrawal: {
      title: 'Withdraw this comment?',
      consequence: 'It waits for approval, and will not be published. This can’t be undone.',
      button: 'Withdraw comment',
    },
    cancel: 'Cancel',
  },
  {
    replies: '回复',
    replyingTo: (name) => `正在回复 ${name}`,
    removal: {
      title: '移除这条评论？',
      consequence: '其他人将无法再看到这条评论，它带来的经验值也会收回。其下的回复会保留。此操作无法撤销。',
      button: '移除评论',
    },
    withdrawal: {
      title: '撤回这条评论？',
      consequence: '这条评论正在等待审核，撤回后不会发布。此操作无法撤销。',
      button: '撤回评论',
    },
    cancel: '取消',
  },
);
