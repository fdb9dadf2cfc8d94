// A post in a list, and the parts that it shares with other pages.

import { html } from 'hono/html';
import type { PostSummary } from '../../../community/post.ts';
import type { Timestamp } from '../../../lib/clock.ts';
import { bilingual, type Language, type Locale } from '../../pages/language.ts';
import { agoElement, countOf } from '../../pages/moments.ts';
import type { Html } from '../../pages/page.ts';
import { categoryPath, memberPath, postPath } from '../../pages/post-path.ts';
import { tagLinks } from './tag-links.ts';

/** Make the items of a list that begins with the pinned posts. No post is shown twice. */
export function postListItems(
  pinned: readonly PostSummary[],
  posts: readonly PostSummary[],
  now: Timestamp,
  locale: Locale,
): Html[] {
  const ids = new Set(pinned.map(({ id }) => id));
  return [
    ...pinned.map((post) => postListItem(post, now, locale, true)),
    ...posts.filter(({ id }) => !ids.has(id)).map((post) => postListItem(post, now, locale)),
  ];
}

export { memberPath } from '../../pages/post-path.ts';

/** Make a post's item in a list: category, title, excerpt, author, age and counts. */
export function postListItem(post: PostSummary, now: Timestamp, locale: Locale, isPinned = false): Html {
  const { language } = locale;
  return html`
    <article class="post">
      ${categoryLink(post, isPinned && words[language].pinned)}
      <h2><a href="${postPath(post)}">${titleOf(post, language)}</a></h2>
      <p>${post.excerpt}</p>
      <p class="meta">
        <a href="${memberPath(post.authorName)}">${post.authorName}</a>
        <span>${agoElement(post.publishedAt ?? post.updatedAt, now, locale)}</span>
        ${countsOf(post, language)}
      </p>
      ${tagLinks(post)}
    </article>`;
}

/** Count a post's likes, comments and views, each in an element of its own. */
export function countsOf({ likeCount, commentCount, viewCount }: PostSummary, language: Language): Html {
  const t = words[language];
  return html`
    <span>${t.likes(likeCount, countOf(likeCount))}</span>
    <span>${t.comments(commentCount, countOf(commentCount))}</span>
    <span>${t.views(viewCount, countOf(viewCount))}</span>`;
}

/** Link to the post's category, above its title, with a badge behind it. */
export function categoryLink(post: PostSummary, badge: string | false = false): Html {
  return html`
    <p class="eyebrow">
      <a href="${categoryPath(post.categorySlug)}">${post.categoryName}</a>
      ${badge && html`<span class="badge">${badge}</span>`}
    </p>`;
}

/** The title, or a placeholder for a draft that has none yet. */
export function titleOf({ title }: PostSummary, language: Language): string {
  return title === '' ? words[language].untitled : title;
}

/** The excerpt as a paragraph. Empty for a draft without text. */
export function excerptOf({ excerpt }: PostSummary): Html | string {
  return excerpt === '' ? '' : html`<p>${excerpt}</p>`;
}

const words = bilingual(
  {
    untitled: 'Untitled draft',
    pinned: 'Pinned',
    likes: (n: number, text: string) => (n === 1 ? '1 like' : `${text} likes`),
    comments: (n: number, text: string) => (n === 1 ? '1 comment' : `${text} comments`),
    views: (n: number, text: string) => (n === 1 ? '1 view' : `${text} views`),
  },
  {
    untitled: '无标题草稿',
    pinned: '置顶',
    likes: (_, text) => `${text} 个赞`,
    comments: (_, text) => `${text} 条评论`,
    views: (_, text) => `${text} 次浏览`,
  },
);
