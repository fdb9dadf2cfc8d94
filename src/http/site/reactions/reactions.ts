// Readers' reactions to a post: the like button, and the comments below.

import { html } from 'hono/html';
import type { WaitingComment } from '../../../community/approval.ts';
import type { Post } from '../../../community/post.ts';
import { type ThreadsPart, threadsOf } from '../../../community/thread.ts';
import { isCrawler } from '../../../community/view.ts';
import { unformatted } from '../../../lib/markdown.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { countOf } from '../../pages/moments.ts';
import { numberIn } from '../../pages/numbers.ts';
import type { Html } from '../../pages/page.ts';
import { postPath } from '../../pages/post-path.ts';
import { pressAfterSignIn, pressButton } from '../../pages/press.ts';
import { prose } from '../../pages/prose.ts';
import { loginPath } from '../../pages/return-path.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { bookmarkButton } from './bookmarks.ts';
import { commentForm } from './comment-form.ts';
import { threadList } from './comment-list.ts';
import { relatedList } from './related.ts';

/** Make the part below a published post's text, and count a view of the post. */
export async function reactionsOf(site: SiteParts, c: PageContext, post: Post): Promise<Html> {
  countView(site, c, post);
  const { visit, language } = c.get('visitor');
  const t = words[language];
  const { reads } = site.community;
  const [part, isLiked, waiting] = await Promise.all([
    post.commentCount === 0
      ? NO_THREADS
      : threadsOf(site.community, post.id, numberIn(c.req.query('comments')) ?? 0),
    visit === undefined ? false : reads.hasLiked(post.id, visit.user.id),
    visit === undefined ? [] : reads.waitingCommentsOf(visit.user.id, post.id, MOST_SHOWN + 1),
  ]);
  const canQuote = visit !== undefined && post.lockedAt === undefined;
  const isEmpty = part.threads.length === 0 && part.previous === undefined;
  return html`
    <div class="reactions" id="reactions">
      <div class="row">
        ${likeButton(c, post, isLiked)}
        ${await bookmarkButton(site, c, post)}
      </div>
      ${reportLink(c, post)}
    </div>
    ${await relatedList(site, c, post)}
    <section class="comments" id="comments" aria-labelledby="comments-title"
      data-post="${post.id}" data-now="${site.clock()}" data-fresh="${t.fresh}" data-fresh-count="${t.freshCount}">
      <h2 id="comments-title">${t.comments(post.commentCount, countOf(post.commentCount))}</h2>
      ${isEmpty ? html`<p class="soft">${t.none}</p>` : threadList(site, c, part, post)}
      ${waiting.length > 0 && waitingComments(waiting, language)}
      <div id="write-comment"${canQuote && html` data-quote="${t.quote}"`}>${commentFormOrSignIn(c, post)}</div>
      <p class="small soft"><a href="/posts/${post.id}/comments/feed.atom">${t.feed}</a></p>
    </section>`;
}

const NO_THREADS: ThreadsPart = { threads: [], previous: undefined, next: undefined };

const MOST_SHOWN = 10;

// Only their author sees them here.
function waitingComments(comments: readonly WaitingComment[], language: Language): Html {
  const t = words[language];
  const isCut = comments.length > MOST_SHOWN;
  const shown = comments.slice(0, MOST_SHOWN).toReversed();
  return html`
    <div class="notice" id="waiting" role="status">
      <p><strong>${isCut ? t.manyWaiting(MOST_SHOWN) : t.waiting(comments.length)}</strong> ${t.untilApproved}</p>
      ${shown.map(
        ({ id, body }) => html`
          <div class="comment">
            ${prose(unformatted(body))}
            <ul class="links">
              <li><a href="/comments/${id}/edit">${t.edit}</a></li>
              <li><a href="/comments/${id}/remove">${t.withdraw}</a></li>
            </ul>
          </div>`,
      )}
    </div>`;
}

function commentFormOrSignIn(c: PageContext, post: Post): Html {
  const { visit, language } = c.get('visitor');
  if (post.lockedAt !== undefined) return html`<p class="soft">${words[language].locked}</p>`;
  if (visit !== undefined) {
    return commentForm(c, { action: `/posts/${post.id}/comments`, kind: 'comment', body: '' });
  }
  const path = loginPath(`${postPath(post)}#write-comment`);
  return html`<p><a class="button" href="${path}">${words[language].signIn}</a></p>`;
}

function reportLink(c: PageContext, post: Post): Html | string {
  const { visit, language } = c.get('visitor');
  if (visit === undefined || visit.user.id === post.userId) return '';
  return html`<a class="small soft" href="/report?post=${post.id}">${words[language].report}</a>`;
}

// Visits by the author and by crawlers don't count, and neither does a HEAD request.
function countView(site: SiteParts, c: PageContext, post: Post): void {
  const { visit } = c.get('visitor');
  const userAgent = c.req.header('user-agent') ?? '';
  if (c.req.method !== 'GET' || isCrawler(userAgent) || visit?.user.id === post.userId) return;
  const viewer =
    visit === undefined ? { address: site.clientAddress(c), userAgent } : { userId: visit.user.id };
  site.views.note(post.id, viewer);
}

function likeButton(c: PageContext, post: Post, isLiked: boolean): Html | string {
  const { visit, language } = c.get('visitor');
  const t = words[language];
  const count = html`
    <span aria-hidden="true">${isLiked ? LIKED : NOT_LIKED}</span>
    ${t.likes(post.likeCount, countOf(post.likeCount))}`;
  if (visit === undefined) {
    const text = html`${count}<span class="unseen"> – ${t.signInToLike}</span>`;
    return pressAfterSignIn(`${postPath(post)}#reactions`, text);
  }
  // Authors can't like their own posts. The number of likes is in the line above.
  if (visit.user.id === post.userId) return '';
  return pressButton(c, {
    id: 'like',
    isPressed: isLiked,
    action: `/posts/${post.id}/${isLiked ? 'unlike' : 'like'}`,
    text: html`${count}<span class="unseen"> – ${t.likeThis}</span>`,
    changes: 'counts',
  });
}

const LIKED = '♥';
const NOT_LIKED = '♡';

const words = bilingual(
  {
    likes: (n: number, text: string) => (n === 1 ? '1 like' : `${text} likes`),
    likeThis: 'like this post',
    signInToLike: 'sign in to like this post',
    feed: 'Feed of these comments',
    report: 'Report this post',
    comments: (n: number, text: string) => (n === 1 ? '1 comment' : `${text} comments`),
    none: 'No comments yet.',
    fresh: 'New',
    freshCount: '{n} new',
    quote: 'Quote',
    waiting: (n: number) =>
      n === 1 ? 'Your comment waits for approval.' : `${n} of your comments wait for approval.`,
    manyWaiting: (shown: number) =>
      `More than ${shown} of your comments wait for approval. The newest ${shown} are below.`,
    untilApproved: 'Until a moderator approves it, only you, moderators and operators can see it.',
    edit: 'Edit',
    withdraw: 'Withdraw',
    signIn: 'Sign in to comment',
    locked: 'Comments on this post are closed.',
  },
  {
    likes: (_, text) => `${text} 个赞`,
    likeThis: '赞这篇文章',
    signInToLike: '登录后点赞',
    feed: '订阅这些评论',
    report: '举报这篇文章',
    comments: (_, text) => `${text} 条评论`,
    none: '还没有评论。',
    fresh: '新',
    freshCount: '{n} 条新评论',
    quote: '引用',
    waiting: (n) => (n === 1 ? '您的评论正在等待审核。' : `您有 ${n} 条评论正在等待审核。`),
    manyWaiting: (shown) => `您有 ${shown} 条以上的评论正在等待审核，下面是最新的 ${shown} 条。`,
    untilApproved: '审核通过之前，只有您、版主和管理员能看到。',
    edit: '编辑',
    withdraw: '撤回',
    signIn: '登录后发表评论',
    locked: '这篇文章已关闭评论。',
  },
);
