// What readers make of a post: the like button, and the comments below it.

import { html } from 'hono/html';
import type { Post } from '../../../community/post.ts';
import { threadsOf } from '../../../community/thread.ts';
import { isCrawler } from '../../../community/view.ts';
import { bilingual } from '../../pages/language.ts';
import { countOf } from '../../pages/moments.ts';
import { numberIn } from '../../pages/numbers.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import { postPath } from '../../pages/post-path.ts';
import { loginPath } from '../../pages/return-path.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { commentForm } from './comment-form.ts';
import { threadList } from './comment-list.ts';

/** What stands below the text of a published post. That it is shown counts as a view. */
export async function reactionsOf(site: SiteParts, c: PageContext, post: Post): Promise<Html> {
  countView(site, c, post);
  const { visit, language } = c.get('visitor');
  const t = words[language];
  const path = postPath(post);
  const [part, liked] = await Promise.all([
    threadsOf(site.community, post.id, numberIn(c.req.query('comments')) ?? 0),
    visit === undefined ? false : site.community.reads.hasLiked(post.id, visit.user.id),
  ]);
  const isEmpty = part.threads.length === 0 && part.previous === undefined;
  const mine =
    visit === undefined
      ? html`<p><a class="button" href="${loginPath(`${path}#write-comment`)}">${t.signIn}</a></p>`
      : commentForm(c, { action: `/posts/${post.id}/comments`, kind: 'comment', body: '' });
  return html`<div class="reactions" id="reactions">${likeButton(c, post, liked)}${visit === undefined || visit.user.id === post.userId ? '' : html`<a class="small soft" href="/report?post=${post.id}">${t.report}</a>`}</div>
<section class="comments" id="comments" aria-labelledby="comments-title"><h2 id="comments-title">${t.comments(post.commentCount, countOf(post.commentCount))}</h2>
${isEmpty ? html`<p class="soft">${t.none}</p>` : threadList(site, c, part, path)}
<div id="write-comment">${mine}</div></section>`;
}

// The author's own looking does not count, nor what only asks whether the page is there.
function countView(site: SiteParts, c: PageContext, post: Post): void {
  const { visit } = c.get('visitor');
  const userAgent = c.req.header('user-agent') ?? '';
  if (c.req.method !== 'GET' || isCrawler(userAgent) || visit?.user.id === post.userId) return;
  const looker =
    visit === undefined ? { address: site.clientAddress(c), userAgent } : { userId: visit.user.id };
  site.views.note(post.id, looker);
}

function likeButton(c: PageContext, post: Post, liked: boolean): Html | string {
  const { visit, language } = c.get('visitor');
  const t = words[language];
  const count = html`<span aria-hidden="true">${liked ? LIKED : NOT_LIKED}</span> ${t.likes(post.likeCount, countOf(post.likeCount))}`;
  if (visit === undefined) {
    const path = loginPath(`${postPath(post)}#reactions`);
    return html`<a class="button like" href="${path}">${count}<span class="unseen"> &ndash; ${t.signInToLike}</span></a>`;
  }
  // How many there are stands above.
  if (visit.user.id === post.userId) return '';
  return html`<form method="post" action="/posts/${post.id}/${liked ? 'unlike' : 'like'}">${formTokenField(c)}<button class="like" aria-pressed="${liked ? 'true' : 'false'}">${count}<span class="unseen"> &ndash; ${t.likeThis}</span></button></form>`;
}

const LIKED = '♥';
const NOT_LIKED = '♡';

const words = bilingual(
  {
    likes: (n: number, text: string) => (n === 1 ? '1 like' : `${text} likes`),
    likeThis: 'like this post',
    signInToLike: 'sign in to like this post',
    report: 'Report this post',
    comments: (n: number, text: string) => (n === 1 ? '1 comment' : `${text} comments`),
    none: 'Nobody has commented yet.',
    signIn: 'Sign in to comment',
  },
  {
    likes: (_, text) => `${text} 个赞`,
    likeThis: '赞这篇文章',
    signInToLike: '登录后点赞',
    report: '举报这篇文章',
    comments: (_, text) => `${text} 条评论`,
    none: '还没有人评论。',
    signIn: '登录后发表评论',
  },
);
