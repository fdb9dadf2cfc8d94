// Bookmarking a post, and the list of a member's bookmarks.

import { html } from 'hono/html';
import { byMember } from '../../../audit/doer.ts';
import { addBookmark, bookmarkedPosts, MOST_BOOKMARKS, removeBookmark } from '../../../community/bookmark.ts';
import { BEGINNING } from '../../../community/feed.ts';
import { type Post, postFor } from '../../../community/post.ts';
import type { User } from '../../../identity/user.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { bilingual } from '../../pages/language.ts';
import { countOf } from '../../pages/moments.ts';
import { idIn } from '../../pages/numbers.ts';
import { type Html, page } from '../../pages/page.ts';
import { postPath } from '../../pages/post-path.ts';
import { pressButton } from '../../pages/press.ts';
import { tooOftenPage } from '../../pages/too-often.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { cursorInQuery, cursorText, FEED_PAGE_SIZE, feedLinks, pageOf } from '../lists/frame.ts';
import { postListItem } from '../lists/item.ts';
import { shownNames } from '../lists/shown-tags.ts';
import type { SiteParts } from '../site-parts.ts';

export const BOOKMARKS_PATH = '/bookmarks';

/** Make the button that bookmarks a post. Empty for visitors. */
export async function bookmarkButton(
  { community }: SiteParts,
  c: PageContext,
  post: Post,
): Promise<Html | ''> {
  const { visit, language } = c.get('visitor');
  if (visit === undefined) return '';
  const t = words[language];
  const isPressed = await community.reads.hasBookmarked(post.id, visit.user.id);
  const [sign, word] = isPressed ? [SET, t.bookmarked] : [NOT_SET, t.bookmark];
  const text = html`<span aria-hidden="true">${sign}</span> ${word}`;
  const action = `/posts/${post.id}/${isPressed ? 'unbookmark' : 'bookmark'}`;
  return pressButton(c, { id: 'bookmark', isPressed, action, text });
}

const SET = '★';
const NOT_SET = '☆';

/** Bookmark the post in the path. */
export async function bookmark(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const post = await postFor(site.community, user.id, idIn(c));
  if (post?.status !== 'published') return notFoundPage(c);
  const path = `${postPath(post)}#reactions`;
  const refusal = await addBookmark(byMember(user, site.clock), site.community, post.id);
  if (refusal === undefined) return c.redirect(path, 303);
  return refusal === 'too_many' ? tooManyPage(c, path) : tooOftenPage(c, refusal, path);
}

/** Remove the member's bookmark of the post in the path. */
export async function unbookmark(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const post = await postFor(site.community, user.id, idIn(c));
  if (post?.status !== 'published') return notFoundPage(c);
  await removeBookmark(byMember(user, site.clock), site.community, post.id);
  return c.redirect(`${postPath(post)}#reactions`, 303);
}

function tooManyPage(c: PageContext, back: string): Promise<Response> {
  const t = words[c.get('visitor').language];
  return page(
    c,
    { title: t.tooMany, status: 409 },
    html`
      <h1>${t.tooMany}</h1>
      <p>${t.most(countOf(MOST_BOOKMARKS))}</p>
      <p><a class="button" href="${back}">${t.back}</a></p>`,
  );
}

/** Show the posts that the member bookmarked, the newest bookmark first. */
export async function bookmarksPage(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const before = cursorInQuery(c);
  const posts = await bookmarkedPosts(site.community, user.id, before ?? BEGINNING, FEED_PAGE_SIZE + 1);
  const { items, end } = pageOf(posts, FEED_PAGE_SIZE, ({ bookmarkedAt }) => bookmarkedAt);
  const now = site.clock();
  const names = await shownNames(site);
  return page(
    c,
    { title: t.title },
    html`
      <h1>${t.title}</h1>
      <p class="soft">${t.explanation}</p>
      ${
        items.length === 0
          ? html`<div class="empty"><p>${before === undefined ? t.none : t.noneOlder}</p></div>`
          : items.map((post) => postListItem(post, now, c.get('visitor'), { names }))
      }
      ${feedLinks(BOOKMARKS_PATH, cursorText(end), before === undefined, language)}`,
  );
}

const words = bilingual(
  {
    title: 'Bookmarks',
    explanation: 'Only you can see them.',
    none: 'No bookmarks yet. The button below a post adds one.',
    noneOlder: 'There are no older bookmarks.',
    bookmark: 'Bookmark',
    bookmarked: 'Bookmarked',
    tooMany: 'You have too many bookmarks',
    most: (most: string) => `You can have ${most} bookmarks. Remove some before you add another.`,
    back: 'Back to the post',
  },
  {
    title: '书签',
    explanation: '只有您能看到。',
    none: '还没有书签。文章下方的按钮可以添加书签。',
    noneOlder: '没有更早的书签了。',
    bookmark: '加书签',
    bookmarked: '已加书签',
    tooMany: '书签太多了',
    most: (most) => `最多可以有 ${most} 个书签。请先移除一些，再添加新的书签。`,
    back: '返回文章',
  },
);
