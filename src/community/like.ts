// Likes: one of a member for a post, taken back as easily.

import type { Timestamp } from '../lib/clock.ts';
import type { Community } from './community.ts';
import { XP_FOR_LIKE } from './level.ts';
import { paced, type TooFast } from './pace.ts';
import { HEAT_WEIGHT } from './popularity.ts';

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

/** Likes a post of somebody else. Liking twice changes nothing. */
export async function likePost(
  community: Community,
  userId: number,
  postId: number,
): Promise<TooFast | undefined> {
  const tooFast = await paced(community, 'like', userId);
  if (tooFast === undefined) await community.writes.addLike(likeOf(community, userId, postId));
  return tooFast;
}

/** Takes a like back. Where there is none nothing changes. */
export async function unlikePost(community: Community, userId: number, postId: number): Promise<void> {
  await community.writes.takeLikeBack(likeOf(community, userId, postId));
}

function likeOf({ clock }: Community, userId: number, postId: number) {
  return { postId, userId, xp: XP_FOR_LIKE, weight: HEAT_WEIGHT, at: clock() };
}
