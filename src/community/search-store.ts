// The search for posts, as a read from storage.

import type { PostSummary } from './post-store.ts';

export interface SearchReads {
  /**
   * Published posts that contain every phrase and have an id less than `below`, newest first. Needs at least
   * one phrase. Throws `ReadTooSlow` if finding them takes too long.
   */
  postsWith(phrases: readonly (readonly string[])[], below: number, limit: number): Promise<PostSummary[]>;
}
