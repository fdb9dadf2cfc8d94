// Following members and tags. Only the member knows whom and what they follow.

import type { MemberDoer } from '../audit/doer.ts';
import type { Community } from './community.ts';
import type { Followed } from './following-store.ts';
import { paced, type TooFast } from './pace.ts';

export type { Followed, FollowedMember, FollowedTag } from './following-store.ts';

/** Members and tags together. Each page of the posts looks at all of them. */
export const MOST_FOLLOWED = 1000;

/** Follow a member or a tag. Doing it again changes nothing. */
export async function follow(
  by: MemberDoer,
  community: Community,
  followed: Followed,
): Promise<TooFast | 'too_many' | undefined> {
  const tooFast = await paced(by, community, 'follow');
  if (tooFast !== undefined) return tooFast;
  if (await community.writes.follow(by, followed, MOST_FOLLOWED)) return undefined;
  const { reads } = community;
  if (await reads.follows(by.userId, followed)) return undefined;
  const [members, tags] = await Promise.all([
    reads.followedMembers(by.userId),
    reads.followedTags(by.userId),
  ]);
  return members.length + tags.length >= MOST_FOLLOWED ? 'too_many' : undefined;
}

/** Follow a member or a tag no more. Changes nothing if the doer doesn't follow. */
export async function unfollow(by: MemberDoer, { writes }: Community, followed: Followed): Promise<void> {
  await writes.unfollow(by, followed);
}

/** The followers of a member are counted up to this number. */
export const MOST_FOLLOWERS_SHOWN = 1000;

/** The number of members who follow a member. `MOST_FOLLOWERS_SHOWN + 1` stands for any larger number. */
export function countFollowers({ reads }: Community, memberId: number): Promise<number> {
  return reads.countFollowers(memberId, MOST_FOLLOWERS_SHOWN + 1);
}
