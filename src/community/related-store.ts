// Posts related to another, as reads from storage.

import type { PostSummary } from './post-store.ts';

/** A post in the list of related ones. */
export type RelatedPost = Pick<
  PostSummary,
  'id' | 'status' | 'title' | 'authorName' | 'publishedAt' | 'updatedAt'
>;

export interface RelatedReads {
  /** Published posts that share tags with a post: those that share the most first, then the newest. */
  postsSharingTags(postId: number, limit: number): Promise<RelatedPost[]>;
  /** The newest published posts in a category. */
  newestInCategory(slug: string, limit: number): Promise<readonly RelatedPost[]>;
}
