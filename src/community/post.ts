// The life of a post: draft → published → removed (contract §9). Writing and publishing are in `writing.ts`.

import type { MemberDoer } from '../audit/doer.ts';
import type { Awaitable } from '../lib/awaitable.ts';
import { DAY } from '../lib/clock.ts';
import type { Community } from './community.ts';
import { XP_FOR_POST } from './level.ts';
import { paced, type TooFast } from './pace.ts';
import type { Post, PublishedPosts, RemovedPost } from './post-store.ts';
import { gainsOf } from './post-text.ts';

export type { Post, PostStatus, PostSummary, PublishedPosts, RemovedPost } from './post-store.ts';
export { MOST_TITLE_CHARACTERS, type PostProblems, type PostText } from './post-text.ts';

/** How long an author can restore a post that they removed. The server deletes it afterwards. */
export const RESTORABLE_FOR = 30 * DAY;

/** A post that a visitor may see: a published one, or the visitor's own draft. */
export async function postFor(
  { reads }: Community,
  visitorId: number | undefined,
  id: number,
): Promise<Post | undefined> {
  const post = await reads.findPost(id);
  if (post?.status === 'published') return post;
  return post?.status === 'draft' && post.userId === visitorId ? post : undefined;
}

/** A page of a member's published posts, newest first, ties by id (spec §2.4). `page` counts from 0. */
export function publishedPostsOf(
  { reads }: Community,
  userId: number,
  page: number,
  size: number,
): Awaitable<PublishedPosts> {
  return reads.publishedPostsOf(userId, page * size, size);
}

/** A member's removed posts that are not deleted yet, last removed first. */
export async function removedPostsOf({ reads, clock }: Community, userId: number): Promise<RemovedPost[]> {
  return reads.removedPostsOf(userId, clock() - RESTORABLE_FOR);
}

/** Remove the member's own post. The points of a published one are taken back in the same step. */
export async function removePost(by: MemberDoer, { writes }: Community, id: number): Promise<boolean> {
  return writes.removePost(by, id, XP_FOR_POST);
}

/**
 * Restore a post, with its points, that the member removed within the last 30 days. False if that is refused. Only
 * restoring is limited, because a post can be removed again only after it was restored.
 */
export async function restorePost(
  by: MemberDoer,
  community: Community,
  id: number,
): Promise<boolean | TooFast> {
  const { reads, writes } = community;
  const post = await reads.findPost(id);
  if (post?.userId !== by.userId || post.status !== 'removed') return false;
  const tooFast = await paced(by, community, 'edit');
  if (tooFast !== undefined) return tooFast;
  const publication = { ...gainsOf(post, 'published'), version: post.updatedAt };
  return writes.restorePost(by, id, publication, by.at - RESTORABLE_FOR);
}

/** Why the member can't restore a removed post. Undefined if there is no such post (any more). */
export async function problemWithRestoring(
  community: Community,
  userId: number,
  id: number,
): Promise<'removed_by_operator' | 'reported' | undefined> {
  const post = (await removedPostsOf(community, userId)).find((removed) => removed.id === id);
  if (post?.isByOperator) return 'removed_by_operator';
  return post?.isReported ? 'reported' : undefined;
}
