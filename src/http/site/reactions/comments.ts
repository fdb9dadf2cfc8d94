// Writing, answering, changing and removing comments, and the address that each of them has.

import { Hono } from 'hono';
import { html } from 'hono/html';
import {
  type Commented,
  type CommentInPlace,
  comment,
  editComment,
  isShownWithPost,
  removeComment,
  repliesTo,
  reply,
} from '../../../community/comment.ts';
import { postFor } from '../../../community/post.ts';
import { bilingual } from '../../pages/language.ts';
import { idIn, NUMBER, numberIn } from '../../pages/numbers.ts';
import { formTokenField, type Html, page } from '../../pages/page.ts';
import { POST_PATH, postPath } from '../../pages/post-path.ts';
import { prose } from '../../pages/prose.ts';
import { forMember, fromMember, writtenByMember } from '../../pages/signed-in.ts';
import type { PageContext, PageEnv } from '../../pages/visitor.ts';
import type { SiteDoor } from '../door.ts';
import { notFoundPage } from '../failures.ts';
import { type CommentForm, commentFormPage, readCommentText } from './comment-form.ts';
import { pathInPost, replyList } from './comment-list.ts';

const COMMENT_PATH = `/comments/:id${NUMBER}` as const;

export function comments(site: SiteDoor): Hono<PageEnv> {
  const door = new Hono<PageEnv>();
  const { reads } = site.community;
  const find = (c: PageContext) => reads.findComment(idIn(c));

  door.post(
    `${POST_PATH}/comments`,
    writtenByMember(async (c, user, form) => {
      const body = readCommentText(form);
      const post = await postFor(site.community, user.id, idIn(c));
      if (post?.status !== 'published') return notFoundPage(c);
      const done = await comment(site.community, user.id, post.id, body);
      const again = { action: `/posts/${post.id}/comments`, kind: 'comment', body } as const;
      return answer(c, done, again, { back: `${postPath(post)}#comments` });
    }),
  );
  door.get(`${POST_PATH}/comments`, (c) => c.redirect(`/posts/${c.req.param('id')}#comments`, 303));

  door.get(COMMENT_PATH, async (c) => {
    const found = (await find(c)) ?? (await reads.findTopComment(idIn(c)));
    if (found === undefined) return notFoundPage(c);
    if (await isShownWithPost(site.community, found)) return c.redirect(pathInPost(found), 303);
    return c.redirect(`/comments/${found.parentId}/replies?from=${found.id}#comment-${found.id}`, 303);
  });
  door.get(`${COMMENT_PATH}/replies`, (c) => repliesPage(site, c));

  door.get(
    `${COMMENT_PATH}/reply`,
    forMember(async (c) => {
      const found = await find(c);
      return found === undefined
        ? notFoundPage(c)
        : commentFormPage(c, replyForm(found, ''), { back: backTo(found), quoted: quoted(c, found) });
    }),
  );
  door.post(
    `${COMMENT_PATH}/reply`,
    writtenByMember(async (c, user, form) => {
      const found = await find(c);
      if (found === undefined) return notFoundPage(c);
      const body = readCommentText(form);
      const done = await reply(site.community, user.id, found.id, body);
      return answer(c, done, replyForm(found, body), { back: backTo(found), quoted: quoted(c, found) });
    }),
  );

  door.get(
    `${COMMENT_PATH}/edit`,
    forMember(async (c, user) => {
      const found = await find(c);
      if (found?.userId !== user.id) return notFoundPage(c);
      return commentFormPage(c, editForm(found, found.body), { back: backTo(found) });
    }),
  );
  door.post(
    `${COMMENT_PATH}/edit`,
    writtenByMember(async (c, user, form) => {
      const found = await find(c);
      if (found?.userId !== user.id) return notFoundPage(c);
      const body = readCommentText(form);
      const done = await editComment(site.community, user.id, found.id, body);
      return answer(c, done, editForm(found, body), { back: backTo(found) });
    }),
  );

  door.get(
    `${COMMENT_PATH}/remove`,
    forMember(async (c, user) => {
      const found = await find(c);
      return found?.userId !== user.id ? notFoundPage(c) : removalPage(c, found);
    }),
  );
  door.post(
    `${COMMENT_PATH}/remove`,
    fromMember(async (c, user) => {
      const found = await find(c);
      if (found === undefined || !(await removeComment(site.community, user.id, found.id))) {
        return notFoundPage(c);
      }
      const { postId: id, postTitle: title } = found;
      return c.redirect(`${postPath({ id, title, status: 'published' })}#comments`, 303);
    }),
  );
  return door;
}

async function answer(
  c: PageContext,
  done: Commented | undefined,
  form: CommentForm,
  around: { back: string; quoted?: Html },
): Promise<Response> {
  if (done === undefined) return notFoundPage(c);
  if ('id' in done) return c.redirect(`/comments/${done.id}`, 303);
  return commentFormPage(c, { ...form, problem: 'problem' in done ? done.problem : done }, around);
}

async function repliesPage(site: SiteDoor, c: PageContext): Promise<Response> {
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

function removalPage(c: PageContext, found: CommentInPlace): Response | Promise<Response> {
  const t = words[c.get('visitor').language];
  return page(
    c,
    { title: t.remove },
    html`<div class="narrow"><h1>${t.remove}</h1><blockquote class="excerpted">${prose(found.body)}</blockquote><p>${t.consequence}</p>
<form method="post" action="/comments/${found.id}/remove">${formTokenField(c)}
<div class="actions"><a class="button" href="${backTo(found)}">${t.keep}</a><button class="danger">${t.removeIt}</button></div></form></div>`,
  );
}

function quoted(c: PageContext, found: CommentInPlace): Html {
  const t = words[c.get('visitor').language];
  return html`<p>${t.answering(found.authorName)}</p><blockquote class="excerpted">${prose(found.body)}</blockquote>`;
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
