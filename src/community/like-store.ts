// What likes ask of storage. Each verb is one atomic, durable step.

import type { Timestamp } from '../lib/clock.ts';

export interface LikeRecord {
  postId: number;
  userId: number;
  /** Points that the post's author gets, or gives back, in the same step. */
  xp: number;
  /** As in `popularity.ts`. */
  weight: number;
  at: Timestamp;
}

export interface LikeStore {
  /**
   * Adds the like, counts it and tells the post's author. False, and nothing done, unless the post is published, another
   * member's, and not liked yet. Of parallel calls exactly one is true.
   */
  addLike(like: LikeRecord): Promise<boolean>;
  /** False if there is no such like. Of parallel calls exactly one is true. */
  takeLikeBack(like: LikeRecord): Promise<boolean>;
  hasLiked(postId: number, userId: number): Promise<boolean>;
}
