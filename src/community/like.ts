// Liking and unliking a post.

import type { MemberDoer } from '../audit/doer.ts';
import type { Community } from './community.ts';
import { XP_FOR_LIKE } from './level.ts';
import { paced, type TooFast } from './pace.ts';
import { POPULARITY_WEIGHT } from './popularity.ts';

/** Like a post of another member. Liking it again changes nothing. */
export async function likePost(
  by: MemberDoer,
  community: Community,
  postId: number,
): Promise<TooFast | undefined> {
  const tooFast = await paced(by, community, 'like');
  if (tooFast === undefined) await community.writes.addLike(by, likeOf(postId));
  return tooFast;
}

/** Remove a like. Changes nothing if there is none. */
export async function unlikePost(
  by: MemberDoer,
  community: Community,
  postId: number,
): Promise<TooFast | undefined> {
  const tooFast = await paced(by, community, 'unlike');
  if (tooFast === undefined) await community.writes.removeLike(by, likeOf(postId));
  return tooFast;
}

function likeOf(postId: number) {
  return { postId, xp: XP_FOR_LIKE, weight: POPULARITY_WEIGHT };
}
