// Lists of published posts for everyone, as reads from storage.

import type { Timestamp } from '../lib/clock.ts';
import type { Cursor } from './feed.ts';
import type { PostLanguage } from './post-language.ts';
import type { PostSummary } from './post-store.ts';

export interface PopularPost extends PostSummary {
  /** The sort value of the list, as in `popularity.ts`. */
  popularity: number;
}

/** What the address of a published post needs, and when the post changed. */
export type PostAddress = Pick<PostSummary, 'id' | 'title' | 'updatedAt'>;

export interface FeedReads {
  /** The newest published posts of the community. */
  newestPosts(limit: number): Promise<readonly PostSummary[]>;
  /** The published posts whose ids are in this range, both ends included, for a list of addresses. */
  addressesBetween(firstId: number, lastId: number): Promise<PostAddress[]>;
  /** The id of the newest post, published or not; 0 if there is none. */
  lastPostId(): Promise<number>;
  /** The published posts that are pinned to the top of lists, last pinned first. */
  pinnedPosts(limit: number): Promise<readonly PostSummary[]>;
  /** Published posts after a cursor, newest first. */
  postsBefore(after: Cursor, limit: number): Promise<PostSummary[]>;
  /** Published posts of one category after a cursor, newest first. Without a language: in all. */
  postsInCategory(
    categoryId: number,
    after: Cursor,
    limit: number,
    language?: PostLanguage,
  ): Promise<PostSummary[]>;
  /** Published posts in a language after a cursor, newest first. */
  postsInLanguage(language: PostLanguage, after: Cursor, limit: number): Promise<PostSummary[]>;
  /** Published posts after a cursor, most popular first. */
  popularPosts(after: Cursor, limit: number): Promise<PopularPost[]>;
  /** As `popularPosts`, of one category. Without a language: in all. */
  popularInCategory(
    categoryId: number,
    after: Cursor,
    limit: number,
    language?: PostLanguage,
  ): Promise<PopularPost[]>;
  /** As `popularPosts`, in a language. */
  popularInLanguage(language: PostLanguage, after: Cursor, limit: number): Promise<PopularPost[]>;
  /** The most popular of the posts that were published after a moment. */
  popularSince(since: Timestamp, limit: number): Promise<readonly PostSummary[]>;
  /** How many published posts the first categories have, counted up to `most`. */
  countInCategories(limit: number, most: number): Promise<{ id: number; posts: number }[]>;
  /** The languages of published posts. */
  languagesOfPosts(): Promise<PostLanguage[]>;
}
