// Lists of published posts for everyone, as reads from storage.

import type { Place } from './feed.ts';
import type { PostSummary } from './post-store.ts';

export interface PopularPost extends PostSummary {
  /** The list is ordered by it, as `popularity.ts` explains. */
  popularity: number;
}

export interface FeedReads {
  /** The newest published posts of the community. */
  newestPosts(limit: number): Promise<readonly PostSummary[]>;
  /** Published posts after a place in the list, newest first. */
  postsBefore(after: Place, limit: number): Promise<PostSummary[]>;
  /** Published posts of one category after a place in the list, newest first. */
  postsInCategory(categoryId: number, after: Place, limit: number): Promise<PostSummary[]>;
  /** Published posts after a place in the list, most popular first. */
  popularPosts(after: Place, limit: number): Promise<PopularPost[]>;
}
