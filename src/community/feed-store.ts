// Lists of published posts for everyone, as reads from storage.

import type { Cursor } from './feed.ts';
import type { PostSummary } from './post-store.ts';

export interface PopularPost extends PostSummary {
  /** The sort value of the list, as in `popularity.ts`. */
  popularity: number;
}

export interface FeedReads {
  /** The newest published posts of the community. */
  newestPosts(limit: number): Promise<readonly PostSummary[]>;
  /** Published posts after a cursor, newest first. */
  postsBefore(after: Cursor, limit: number): Promise<PostSummary[]>;
  /** Published posts of one category after a cursor, newest first. */
  postsInCategory(categoryId: number, after: Cursor, limit: number): Promise<PostSummary[]>;
  /** Published posts after a cursor, most popular first. */
  popularPosts(after: Cursor, limit: number): Promise<PopularPost[]>;
}
