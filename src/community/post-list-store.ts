// The port for lists of all posts, which operators read at the command line.

import type { Timestamp } from '../lib/clock.ts';

/** Which posts a list has. An undefined property allows any. */
export interface PostQuery {
  status?: 'published' | 'removed' | undefined;
  userId?: number | undefined;
  /** The name of the category. */
  category?: string | undefined;
  /** Part of the title, in lower case. */
  search?: string | undefined;
}

/** A post in the list. */
export interface ListedPost {
  id: number;
  authorName: string;
  categoryName: string;
  status: 'published' | 'removed';
  title: string;
  publishedAt: Timestamp | undefined;
  updatedAt: Timestamp;
  removedAt: Timestamp | undefined;
  likeCount: number;
  commentCount: number;
  viewCount: number;
}

export interface PostListReads {
  /**
   * Posts with an id above `after`, oldest first, that are or were published: drafts are their authors' own. It may
   * read every post, so no page uses it.
   */
  postsMatching(query: PostQuery, after: number, limit: number): Promise<ListedPost[]>;
  /** One of them, with its text in Markdown. */
  findListedPost(id: number): Promise<(ListedPost & { body: string }) | undefined>;
}
