// The comments on a post, each with links to reply, edit, remove or report.

import { html } from 'hono/html';
import type { Comment, CommentInPlace } from '../../../community/comment.ts';
import type { Post } from '../../../community/post.ts';
import type { RepliesPart, ShownComment, Thread, ThreadsPart } from '../../../community/thread.ts';
import { canModerate } from '../../../identity/user.ts';
import type { Timestamp } from '../../../lib/clock.ts';
import { avatarPath } from '../../pages/avatar-path.ts';
import { bilingual } from '../../pages/language.ts';
import { agoElement } from '../../pages/moments.ts';
import type { Html } from '../../pages/page.ts';
import { neighbourLinks } from '../../pages/pagination.ts';
import { memberPath, postPath } from '../../pages/post-path.ts';
import { prose } from '../../pages/prose.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { restoreForm } from '../operator/removed.ts';
import type { SiteParts } from '../site-parts.ts';

/** The path of the published post's page, with the list of comments starting at this comment. */
export function pathInPost(comment: CommentInPlace): string {
  const { postId: id, postTitle: title, parentId } = comment;
  const start = `?comments=${parentId ?? comment.id}`;
  return `${postPath({ id, title, status: 'published' })}${start}#comment-${comment.id}`;
}

/** The post that the comments are on, as far as the list needs it. */
type CommentedPost = Pick<Post, 'id' | 'title' | 'status' | 'userId' | 'lockedAt'>;

/** What the post says about each comment. */
type PostAbove = Pick<Post, 'userId' | 'lockedAt'>;

/** List part of the comments on a post, with links to the parts before and after. */
export function threadList(site: SiteParts, c: PageContext, part: ThreadsPart, post: CommentedPost): Html {
  const path = postPath(post);
  const threads = part.threads.map((thread) => threadItem(site, c, thread, post));
  return html`
    <ol class="plain thread">${threads}</ol>
    ${partLinks(c, part, (from) => (from === 0 ? `${path}#comments` : `${path}?comments=${from}#comments`))}`;
}

/** List part of the replies to a comment, below the comment. */
export function replyList(site: SiteParts, c: PageContext, part: RepliesPart, post: PostAbove): Html {
  const { top } = part;
  const path = `/comments/${top.id}/replies`;
  return html`
    <ol class="plain thread">
      <li>
        ${commentArticle(site, c, top, post)}
        ${replyItems(site, c, part.replies, post)}
      </li>
    </ol>
    ${partLinks(c, part, (from) => (from === 0 ? path : `${path}?from=${from}`))}`;
}

function threadItem(
  site: SiteParts,
  c: PageContext,
  { top, replies, hasMore }: Thread,
  post: PostAbove,
): Html {
  return html`
    <li>
      ${commentArticle(site, c, top, post)}
      ${replies.length === 0 ? '' : replyItems(site, c, replies, post)}
      ${hasMore ? allRepliesLink(c, top) : ''}
    </li>`;
}

function replyItems(
  site: SiteParts,
  c: PageContext,
  replies: readonly ShownComment[],
  post: PostAbove,
): Html {
  const items = replies.map((reply) => html`<li>${commentArticle(site, c, reply, post)}</li>`);
  return html`<ol class="plain">${items}</ol>`;
}

function allRepliesLink(c: PageContext, { id }: Comment): Html {
  const text = words[c.get('visitor').language].allReplies;
  return html`<p class="more-replies"><a href="/comments/${id}/replies">${text}</a></p>`;
}

function commentArticle(site: SiteParts, c: PageContext, comment: ShownComment, post: PostAbove): Html {
  const { language, visit } = c.get('visitor');
  const t = words[language];
  if (comment.status === 'removed') {
    const canRestore = visit !== undefined && canModerate(visit.user);
    return html`
      <article class="comment" id="comment-${comment.id}">
        <p class="soft">${t.removed}</p>
        ${canRestore && restoreForm(c, { postId: comment.postId, commentId: comment.id }, 'link')}
      </article>`;
  }
  return html`
    <article class="comment h-cite" id="comment-${comment.id}">
      ${byline(site, c, comment, post)}
      <div class="e-content">${prose(comment.html)}</div>
      ${actions(c, comment, post)}
    </article>`;
}

function byline(site: SiteParts, c: PageContext, comment: Comment, post: PostAbove): Html {
  const { language } = c.get('visitor');
  const { id, userId, authorName, authorAvatar, createdAt, editedAt } = comment;
  const age = (moment: Timestamp, property: 'dt-published' | 'dt-updated') =>
    agoElement(moment, site.clock(), c.get('visitor'), property);
  return html`
    <p class="meta">
      <a class="row p-author h-card" href="${memberPath(authorName)}">
        <img class="avatar u-photo" width="28" height="28" alt="" src="${avatarPath(userId, authorAvatar)}">
        <strong>${authorName}</strong>
      </a>
      ${userId === post.userId && html`<span class="badge">${words[language].author}</span>`}
      <a class="u-url" href="/comments/${id}">${age(createdAt, 'dt-published')}</a>
      ${editedAt !== undefined && html`<span>${words[language].edited} ${age(editedAt, 'dt-updated')}</span>`}
    </p>`;
}

function actions(c: PageContext, { id, userId }: Comment, post: PostAbove): Html | string {
  const { visit, language } = c.get('visitor');
  if (visit === undefined) return '';
  const t = words[language];
  const path = `/comments/${id}`;
  const isOwn = visit.user.id === userId;
  const authorActions = html`
    <li><a href="${path}/edit">${t.edit}</a></li>
    <li><a href="${path}/remove">${t.remove}</a></li>`;
  return html`
    <ul class="links">
      ${post.lockedAt === undefined && html`<li><a href="${path}/reply">${t.reply}</a></li>`}
      ${isOwn ? authorActions : html`<li><a href="/report?comment=${id}">${t.report}</a></li>`}
      ${!isOwn && canModerate(visit.user) && html`<li><a href="/operator${path}/remove">${t.remove}</a></li>`}
    </ul>`;
}

function partLinks(
  c: PageContext,
  { previous, next }: { previous: number | undefined; next: number | undefined },
  pathOf: (from: number) => string,
): Html | string {
  const { language } = c.get('visitor');
  const t = words[language];
  return neighbourLinks(language, {
    back: previous === undefined ? undefined : { href: pathOf(previous), text: t.earlier },
    next: next === undefined ? undefined : { href: pathOf(next), text: t.later },
  });
}

const words = bilingual(
  {
    removed: 'This comment was removed.',
    author: 'Author',
    edited: 'edited',
    reply: 'Reply',
    edit: 'Edit',
    remove: 'Remove',
    report: 'Report',
    allReplies: 'Show all replies',
    earlier: 'Earlier comments',
    later: 'Later comments',
  },
  {
    removed: '此评论已被移除。',
    author: '作者',
    edited: '编辑于',
    reply: '回复',
    edit: '编辑',
    remove: '移除',
    report: '举报',
    allReplies: '查看全部回复',
    earlier: '更早的评论',
    later: '更晚的评论',
  },
);
