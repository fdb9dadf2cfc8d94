// Writing, answering, changing and removing comments, and the address that each of them has.

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
import { postFor } from '../../../community/post.ts';
import { isShownWithPost, repliesTo } from '../../../community/thread.ts';
import type { User } from '../../../identity/user.ts';
import { notFoundPage } from '../../pages/failures.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { idIn, numberIn } from '../../pages/numbers.ts';
import { type Html, page } from '../../pages/page.ts';
import { postPath } from '../../pages/post-path.ts';
import { prose } from '../../pages/prose.ts';
import { questionPage } from '../../pages/question.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { type CommentForm, commentFormPage, readCommentText } from './comment-form.ts';
import { pathInPost, replyList } from './comment-list.ts';

export async function addComment(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const body = readCommentText(form);
  const post = await postFor(site.community, user.id, idIn(c));
  if (post?.status !== 'published') return notFoundPage(c);
  const result = await comment(byMember(user, site.clock), site.community, post.id, body);
  const again = { action: `/posts/${post.id}/comments`, kind: 'comment', body } as const;
  return commentOrForm(c, result, again, { back: `${postPath(post)}#comments` });
}

/** Where a comment is shown: below its post, or with all replies if it is not among the first ones. */
export async function pathOfComment(site: SiteParts, c: PageContext): Promise<string | undefined> {
  const { reads } = site.community;
  const place = (await reads.findComment(idIn(c))) ?? (await reads.findTopComment(idIn(c)));
  if (place === undefined || (await isShownWithPost(site.community, place)))
    return place && pathInPost(place);
  return `/comments/${place.parentId}/replies?from=${place.id}#comment-${place.id}`;
}

export async function replyPage(site: SiteParts, c: PageContext): Promise<Response> {
  const parent = await site.community.reads.findComment(idIn(c));
  return parent === undefined
    ? notFoundPage(c)
    : commentFormPage(c, replyForm(parent, ''), { back: backTo(parent), quoted: quoted(c, parent) });
}

export async function addReply(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const parent = await site.community.reads.findComment(idIn(c));
  if (parent === undefined) return notFoundPage(c);
  const body = readCommentText(form);
  const result = await reply(byMember(user, site.clock), site.community, parent.id, body);
  return commentOrForm(c, result, replyForm(parent, body), {
    back: backTo(parent),
    quoted: quoted(c, parent),
  });
}

export function editCommentPage(
  _: SiteParts,
  c: PageContext,
  _user: User,
  own: CommentInPlace,
): Promise<Response> {
  return commentFormPage(c, editForm(own, own.body), { back: backTo(own) });
}

export async function saveComment(
  site: SiteParts,
  c: PageContext,
  user: User,
  own: CommentInPlace,
  form: PostedForm,
): Promise<Response> {
  const body = readCommentText(form);
  const result = await editComment(byMember(user, site.clock), site.community, own.id, body);
  return commentOrForm(c, result, editForm(own, body), { back: backTo(own) });
}

export function removeCommentPage(
  _: SiteParts,
  c: PageContext,
  _user: User,
  own: CommentInPlace,
): Promise<Response> {
  const t = words[c.get('visitor').language];
  return questionPage(c, {
    title: t.remove,
    explanation: html`<blockquote class="excerpted">${prose(own.body)}</blockquote>
<p>${t.consequence}</p>`,
    action: `/comments/${own.id}/remove`,
    button: t.removeIt,
    back: { path: backTo(own), text: t.keep },
  });
}

export async function removeOwnComment(
  site: SiteParts,
  c: PageContext,
  user: User,
  own: CommentInPlace,
): Promise<Response> {
  if (!(await removeComment(byMember(user, site.clock), site.community, own.id))) return notFoundPage(c);
  const { postId: id, postTitle: title } = own;
  return c.redirect(`${postPath({ id, title, status: 'published' })}#comments`, 303);
}

async function commentOrForm(
  c: PageContext,
  result: Commented | undefined,
  form: CommentForm,
  around: { back: string; quoted?: Html },
): Promise<Response> {
  if (result === undefined) return notFoundPage(c);
  if ('id' in result) return c.redirect(`/comments/${result.id}`, 303);
  return commentFormPage(c, { ...form, problem: 'problem' in result ? result.problem : result }, around);
}

export async function repliesPage(site: SiteParts, c: PageContext): Promise<Response> {
  const top = await site.community.reads.findTopComment(idIn(c));
  if (top === undefined) return notFoundPage(c);
  const part = await repliesTo(site.community, top.id, numberIn(c.req.query('from')) ?? 0);
  const t = words[c.get('visitor').language];
  return page(
    c,
    { title: t.replies },
    html`<p class="eyebrow"><a href="${pathInPost(top)}">${top.postTitle}</a></p><h1>${t.replies}</h1>
<section class="comments">${replyList(site, c, top, part)}</section>`,
  );
}

function quoted(c: PageContext, parent: CommentInPlace): Html {
  const t = words[c.get('visitor').language];
  return html`<p>${t.answering(parent.authorName)}</p><blockquote class="excerpted">${prose(parent.body)}</blockquote>`;
}

function replyForm({ id }: CommentInPlace, body: string): CommentForm {
  return { action: `/comments/${id}/reply`, kind: 'reply', body };
}

function editForm({ id }: CommentInPlace, body: string): CommentForm {
  return { action: `/comments/${id}/edit`, kind: 'edit', body };
}

function backTo({ id }: CommentInPlace): string {
  return `/comments/${id}`;
}

const words = bilingual(
  {
    replies: 'Replies',
    answering: (name: string) => `You answer ${name}:`,
    remove: 'Remove this comment?',
    consequence:
      'Nobody will see it any more, and the points it earned you are taken back. Replies to it stay. This is for good.',
    keep: 'Keep it',
    removeIt: 'Remove',
  },
  {
    replies: '回复',
    answering: (name: string) => `您正在回复 ${name}：`,
    remove: '移除这条评论？',
    consequence: '所有人都将无法再看到它，它带来的经验值也会收回。其下的回复会保留。此操作无法撤销。',
    keep: '保留',
    removeIt: '移除',
  },
);
