// Tags, as reads from storage. The writes of posts store them.

import type { Cursor } from './feed.ts';
import type { PostSummary } from './post-store.ts';

export interface Tag {
  id: number;
  /** In the form of `tag.ts`. */
  name: string;
  /** How many published posts have it. */
  postCount: number;
}

export interface TagReads {
  /** A tag that a published post has, or had. */
  findTag(name: string): Promise<Tag | undefined>;
  /** The tags that published posts have, the most used first. */
  mostUsedTags(limit: number): Promise<Tag[]>;
  /** Published posts with a tag after a cursor, newest first. */
  postsWithTag(tagId: number, after: Cursor, limit: number): Promise<PostSummary[]>;
}
