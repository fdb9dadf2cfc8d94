// Lists of published posts that go on for as long as there are any: each page begins below the last post of the one
// before, so that the thousandth costs what the first does.

import type { PostSummary } from './post.ts';

/** Where a page of a list ends: by what the list is ordered, and the post's number. */
export interface Place {
  at: number;
  id: number;
}

/** Before everything. */
export const BEGINNING: Place = { at: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };

export interface PopularPost extends PostSummary {
  /** By which it is ordered. */
  heat: number;
}

export interface FeedReads {
  /** The community's newest published posts. */
  newestPosts(limit: number): Promise<readonly PostSummary[]>;
  /** Published posts below a moment of publication and number, newest first. */
  postsBefore(before: Place, limit: number): Promise<PostSummary[]>;
  /** The same in one category. */
  postsInCategory(categoryId: number, before: Place, limit: number): Promise<PostSummary[]>;
  /** Published posts below a heat and number, most popular first. */
  popularPosts(before: Place, limit: number): Promise<PopularPost[]>;
}
