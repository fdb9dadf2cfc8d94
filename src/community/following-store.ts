// The members and tags that a member follows: the reads and writes in storage.

import type { MemberDoer } from '../audit/doer.ts';
import type { Timestamp } from '../lib/clock.ts';
import type { Cursor } from './feed.ts';
import type { PostSummary } from './post-store.ts';

/** A member or a tag, by its id. */
export type Followed = { memberId: number } | { tagId: number };

export interface FollowedMember {
  id: number;
  username: string;
  /** As in `User`. */
  avatar: string | undefined;
  /** Since when the member is followed. */
  since: Timestamp;
}

export interface FollowedTag {
  id: number;
  name: string;
  /** As in `Tag`. */
  postCount: number;
  /** Since when the tag is followed. */
  since: Timestamp;
}

export interface FollowingReads {
  follows(userId: number, followed: Followed): Promise<boolean>;
  /** All members whom a member follows, last followed first. */
  followedMembers(userId: number): Promise<FollowedMember[]>;
  /** All tags that a member follows, last followed first. */
  followedTags(userId: number): Promise<FollowedTag[]>;
  /** Published posts by these members, or with one of these tags, after a cursor, newest first. */
  followedPosts(userId: number, after: Cursor, limit: number): Promise<PostSummary[]>;
  /** How many members follow a member. `most` stands for any larger number. */
  countFollowers(memberId: number, most: number): Promise<number>;
}

export interface FollowingWrites {
  /**
   * Follows a member or a tag, if the doer follows fewer than `most` of both together. Returns false if that or
   * something else prevents it: there is no such member or tag, the doer is this member, is not active, or follows
   * already.
   */
  follow(by: MemberDoer, followed: Followed, most: number): Promise<boolean>;
  /** Returns false if the doer doesn't follow. */
  unfollow(by: MemberDoer, followed: Followed): Promise<boolean>;
}

export interface FollowingStore extends FollowingReads, FollowingWrites {}
