// A post in a list, and the parts that it shares with other pages.

import { html } from 'hono/html';
import type { PostSummary } from '../../../community/post.ts';
import type { ShownNames } from '../../../community/tag.ts';
import type { Timestamp } from '../../../lib/clock.ts';
import { type PictureKey, pictureIn, smallPicturePath } from '../../../lib/picture-path.ts';
import { avatarPath } from '../../pages/avatar-path.ts';
import { bilingual, type Language, type Locale } from '../../pages/language.ts';
import { agoElement, countOf } from '../../pages/moments.ts';
import type { Html } from '../../pages/page.ts';
import { categoryPath, memberPath, postPath } from '../../pages/post-path.ts';
import { tagLinks } from './tag-links.ts';

export { memberPath } from '../../pages/post-path.ts';

/** A post as a list shows it. */
export interface PostInList extends PostSummary {
  /** The title and some of the text with marks, where a search found words. */
  marked?: { title: Html; text: Html } | undefined;
}

/** How a list shows its posts. */
export interface ItemStyle {
  /** The names under which tags are shown. */
  names: ShownNames;
  isCompact?: boolean;
  /** What the head of the page says already. */
  without?: 'author' | 'category';
}

/** Make the items of a list that begins with the pinned posts. No post is shown twice. */
export function postListItems(
  pinned: readonly PostSummary[],
  posts: readonly PostSummary[],
  now: Timestamp,
  locale: Locale,
  style: ItemStyle,
): Html[] {
  const ids = new Set(pinned.map(({ id }) => id));
  return [
    ...pinned.map((post) => postListItem(post, now, locale, { ...style, isPinned: true })),
    ...posts.filter(({ id }) => !ids.has(id)).map((post) => postListItem(post, now, locale, style)),
  ];
}

/** Make a post's item in a list: title, excerpt, picture, author, age, category and counts. */
export function postListItem(
  post: PostInList,
  now: Timestamp,
  locale: Locale,
  { names, isCompact = false, without, isPinned = false }: ItemStyle & { isPinned?: boolean },
): Html {
  const { language } = locale;
  const t = words[language];
  const { marked, readingMinutes } = post;
  const picture = isCompact ? undefined : pictureIn(post.picture ?? '');
  return html`
    <article class="post h-entry${picture === undefined ? '' : ' pictured'}">
      <h2><a class="u-url p-name" href="${postPath(post)}">${marked?.title ?? titleOf(post, language)}</a></h2>
      ${!isCompact && html`<p class="excerpt p-summary">${marked?.text ?? post.excerpt}</p>`}
      <p class="meta">
        ${isPinned && html`<span class="badge">${t.pinned}</span>`}
        ${without !== 'author' && authorLink(post)}
        <span>${agoElement(post.publishedAt ?? post.updatedAt, now, locale, 'dt-published')}</span>
        ${without !== 'category' && categoryName(post)}
        ${!isCompact && readingMinutes !== undefined && html`<span>${t.minutes(readingMinutes)}</span>`}
        ${reactionsTo(post, language)}
      </p>
      ${!isCompact && tagLinks(post, names)}
      ${picture !== undefined && thumbnail(post, picture)}
    </article>`;
}

function authorLink({ userId, authorName, authorAvatar }: PostSummary): Html {
  const picture = avatarPath(userId, authorAvatar);
  return html`<a class="author p-author h-card" href="${memberPath(authorName)}"><img class="avatar u-photo"
    width="22" height="22" alt="" loading="lazy" src="${picture}">${authorName}</a>`;
}

// At least twice the width at which a list shows it, for sharp screens.
const THUMBNAIL_WIDTH = 320;

// The title links to the same page, so the picture is for eyes and pointers only.
function thumbnail(post: PostSummary, picture: PictureKey): Html {
  const { width, height } = picture;
  return html`<a class="thumbnail" href="${postPath(post)}" tabindex="-1" aria-hidden="true"><img
    src="${smallPicturePath(picture, THUMBNAIL_WIDTH)}" width="${width}" height="${height}" alt="" loading="lazy"></a>`;
}

// A list is calmer without zeros.
function reactionsTo({ likeCount, commentCount }: PostSummary, language: Language): Html {
  const t = words[language];
  return html`
    ${likeCount > 0 && html`<span>${t.likes(likeCount, countOf(likeCount))}</span>`}
    ${commentCount > 0 && html`<span>${t.comments(commentCount, countOf(commentCount))}</span>`}`;
}

/** Count a post's likes, comments and views, each in an element of its own. */
export function countsOf({ likeCount, commentCount, viewCount }: PostSummary, language: Language): Html {
  const t = words[language];
  return html`
    <span>${t.likes(likeCount, countOf(likeCount))}</span>
    <span>${t.comments(commentCount, countOf(commentCount))}</span>
    <span>${t.views(viewCount, countOf(viewCount))}</span>`;
}

/** Link to the post's category, above its title. */
export function categoryLink(post: PostSummary): Html {
  return html`
    <p class="eyebrow">
      ${categoryName(post)}
    </p>`;
}

function categoryName({ categorySlug, categoryName: name }: PostSummary): Html {
  return html`<a class="p-category" href="${categoryPath(categorySlug)}">${name}</a>`;
}

/** The title, or a placeholder for a draft that has none yet. */
export function titleOf({ title }: PostSummary, language: Language): string {
  return title === '' ? words[language].untitled : title;
}

/** The excerpt as a paragraph. Empty for a draft without text. */
export function excerptOf({ excerpt }: PostSummary): Html | string {
  return excerpt === '' ? '' : html`<p class="excerpt">${excerpt}</p>`;
}

const words = bilingual(
  {
    untitled: 'Untitled draft',
    pinned: 'Pinned',
    minutes: (n: number) => `${n} min read`,
    likes: (n: number, text: string) => (n === 1 ? '1 like' : `${text} likes`),
    comments: (n: number, text: string) => (n === 1 ? '1 comment' : `${text} comments`),
    views: (n: number, text: string) => (n === 1 ? '1 view' : `${text} views`),
  },
  {
    untitled: '无标题草稿',
    pinned: '置顶',
    minutes: (n) => `阅读约 ${n} 分钟`,
    likes: (_, text) => `${text} 个赞`,
    comments: (_, text) => `${text} 条评论`,
    views: (_, text) => `${text} 次浏览`,
  },
);
