// Likes: their reads and writes in storage.

import type { MemberDoer } from '../audit/doer.ts';

export interface LikeRecord {
  postId: number;
  /** Points that the post's author earns or loses in the same step. */
  xp: number;
  /** As in `popularity.ts`. */
  weight: number;
}

export interface LikeReads {
  hasLiked(postId: number, userId: number): Promise<boolean>;
}

export interface LikeWrites {
  /**
   * Adds the like, counts it and notifies the post's author. Returns true once for each like, and false if
   * the post is not published, is the member's own, or has the member's like already, or if the member is not
   * active.
   */
  addLike(by: MemberDoer, like: LikeRecord): Promise<boolean>;
  /** Removes the like. Returns false if there is none. Of parallel calls exactly one returns true. */
  removeLike(by: MemberDoer, like: LikeRecord): Promise<boolean>;
}

export interface LikeStore extends LikeReads, LikeWrites {}
