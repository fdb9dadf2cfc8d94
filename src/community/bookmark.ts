// Bookmarks: posts that a member wants to find again. Only the member sees them.

import type { MemberDoer } from '../audit/doer.ts';
import type { BookmarkedPost } from './bookmark-store.ts';
import type { Community } from './community.ts';
import type { Cursor } from './feed.ts';
import { paced, type TooFast } from './pace.ts';

export type { BookmarkedPost } from './bookmark-store.ts';

export const MOST_BOOKMARKS = 10_000;

/** Bookmark a post. Doing it again changes nothing. */
export async function addBookmark(
  by: MemberDoer,
  community: Community,
  postId: number,
): Promise<TooFast | 'too_many' | undefined> {
  const tooFast = await paced(by, community, 'bookmark');
  if (tooFast !== undefined) return tooFast;
  const isAdded = await community.writes.addBookmark(by, postId, MOST_BOOKMARKS);
  return isAdded || (await community.reads.hasBookmarked(postId, by.userId)) ? undefined : 'too_many';
}

/** Remove a bookmark. Changes nothing if there is none. */
export async function removeBookmark(by: MemberDoer, { writes }: Community, postId: number): Promise<void> {
  await writes.removeBookmark(by, postId);
}

/** A member's bookmarks after a cursor, the newest first. Those of posts that are not public any more are left out. */
export function bookmarkedPosts(
  { reads }: Community,
  userId: number,
  after: Cursor,
  limit: number,
): Promise<BookmarkedPost[]> {
  return reads.bookmarkedPosts(userId, after, limit);
}
