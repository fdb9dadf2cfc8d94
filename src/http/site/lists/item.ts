// Posts in lists, and the counts under them.

import { html } from 'hono/html';
import type { PostSummary } from '../../../community/post.ts';
import type { Timestamp } from '../../../lib/clock.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { agoElement, countOf } from '../../pages/moments.ts';
import type { Html } from '../../pages/page.ts';
import { categoryPath, memberPath, postPath } from '../../pages/post-path.ts';

export { memberPath } from '../../pages/post-path.ts';

/** A post's title with a link, its excerpt, and what there is to know of it. */
export function postListItem(post: PostSummary, now: Timestamp, language: Language): Html {
  return html`<article class="post">${categoryLink(post)}
<h2><a href="${postPath(post)}">${titleOf(post, language)}</a></h2>
<p>${post.excerpt}</p>
<p class="meta"><a href="${memberPath(post.authorName)}">${post.authorName}</a><span>${agoElement(post.publishedAt ?? post.updatedAt, now, language)}</span>${countsOf(post, language)}</p></article>`;
}

/** Likes, comments and views. */
export function countsOf(post: PostSummary, language: Language): Html {
  const t = words[language];
  return html`<span>${t.likes(post.likeCount, countOf(post.likeCount))}</span><span>${t.comments(post.commentCount, countOf(post.commentCount))}</span><span>${t.views(post.viewCount, countOf(post.viewCount))}</span>`;
}

/** The category above a post's title. */
export function categoryLink(post: PostSummary): Html {
  return html`<p class="eyebrow"><a href="${categoryPath(post.categorySlug)}">${post.categoryName}</a></p>`;
}

/** The title; a draft may have none yet. */
export function titleOf({ title }: PostSummary, language: Language): string {
  return title === '' ? words[language].untitled : title;
}

const words = bilingual(
  {
    untitled: 'Untitled draft',
    likes: (n: number, text: string) => (n === 1 ? '1 like' : `${text} likes`),
    comments: (n: number, text: string) => (n === 1 ? '1 comment' : `${text} comments`),
    views: (n: number, text: string) => (n === 1 ? '1 view' : `${text} views`),
  },
  {
    untitled: '无标题草稿',
    likes: (_, text) => `${text} 个赞`,
    comments: (_, text) => `${text} 条评论`,
    views: (_, text) => `${text} 次浏览`,
  },
);
