// The lists of posts for everyone: the newest or the most popular ones, of all posts, of a category or of a tag, in all
// languages or in one.

import { BEGINNING, type Cursor } from '../../../community/feed.ts';
import { POST_LANGUAGES, type PostLanguage } from '../../../community/post-language.ts';
import type { PostSummary } from '../../../community/post-store.ts';
import type { Category, CommunityReads } from '../../../community/store.ts';
import type { Tag } from '../../../community/tag.ts';
import { categoryPath, tagPath } from '../../pages/post-path.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { FEED_PAGE_SIZE, pageOf } from './frame.ts';

export interface PostList {
  order: 'new' | 'popular';
  category?: Category;
  /** Not together with a category. */
  tag?: Tag;
  language?: PostLanguage | undefined;
}

type Reads = Pick<
  CommunityReads,
  | 'newestPosts'
  | 'postsBefore'
  | 'postsInCategory'
  | 'postsInLanguage'
  | 'postsWithTag'
  | 'popularPosts'
  | 'popularInCategory'
  | 'popularInLanguage'
  | 'popularWithTag'
>;

/** Return the language that the address names. Undefined for all languages. */
export function languageInQuery(c: PageContext): PostLanguage | undefined {
  return POST_LANGUAGES.find((language) => language === c.req.query('language'));
}

/** Return the path of a list, without its query. */
export function pathOfList({ order, category, tag }: PostList): string {
  const place = category ? categoryPath(category.slug) : tag && tagPath(tag.name);
  if (place === undefined) return order === 'new' ? '/' : '/popular';
  return order === 'new' ? place : `${place}/popular`;
}

/** Return the query of a list's address. */
export function queryOfList({ language }: PostList): Record<string, string> {
  return language === undefined ? {} : { language };
}

/** Return the whole address of a list. */
export function addressOfList(list: PostList): string {
  const query = new URLSearchParams(queryOfList(list)).toString();
  return query === '' ? pathOfList(list) : `${pathOfList(list)}?${query}`;
}

export interface PartOfList {
  /** As they were read, with one that tells whether there is a next page. */
  posts: readonly PostSummary[];
  items: readonly PostSummary[];
  end: Cursor | undefined;
}

/** Read the page of a list that begins after a cursor. */
export async function readPart(
  reads: Reads,
  list: PostList,
  before: Cursor | undefined,
): Promise<PartOfList> {
  // One post more than a page shows tells whether there is a next page.
  const size = FEED_PAGE_SIZE + 1;
  if (list.order === 'popular') {
    const posts = await popularPosts(reads, list, before ?? BEGINNING, size);
    return { posts, ...pageOf(posts, FEED_PAGE_SIZE, ({ popularity }) => popularity) };
  }
  const posts = await newestPosts(reads, list, before, size);
  return { posts, ...pageOf(posts, FEED_PAGE_SIZE, ({ publishedAt }) => publishedAt) };
}

function popularPosts(reads: Reads, { category, tag, language }: PostList, after: Cursor, size: number) {
  if (category !== undefined) return reads.popularInCategory(category.id, after, size, language);
  if (tag !== undefined) return reads.popularWithTag(tag.id, after, size, language);
  if (language !== undefined) return reads.popularInLanguage(language, after, size);
  return reads.popularPosts(after, size);
}

async function newestPosts(
  reads: Reads,
  { category, tag, language }: PostList,
  before: Cursor | undefined,
  size: number,
): Promise<readonly PostSummary[]> {
  const after = before ?? BEGINNING;
  if (category !== undefined) return reads.postsInCategory(category.id, after, size, language);
  if (tag !== undefined) return reads.postsWithTag(tag.id, after, size, language);
  if (language !== undefined) return reads.postsInLanguage(language, after, size);
  return before === undefined ? reads.newestPosts(size) : reads.postsBefore(before, size);
}
