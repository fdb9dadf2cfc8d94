// Approval: the first posts and comments of a member can wait until an operator or moderator has seen them.

import type { Doer, MemberDoer, Moderating } from '../audit/doer.ts';
import { hasHiddenCharacters } from '../lib/one-line.ts';
import type { WaitingText } from './approval-store.ts';
import type { Community } from './community.ts';
import { XP_FOR_COMMENT } from './level.ts';
import { toNotify } from './mention.ts';
import { POPULARITY_WEIGHT } from './popularity.ts';
import { gainsOf } from './post-text.ts';
import { mentionedIn } from './rendering.ts';

export type { DraftReview, WaitingComment, WaitingText } from './approval-store.ts';

export const MOST_NOTE_CHARACTERS = 300;
/** Pages show a larger number of waiting texts as "99+". */
export const MOST_WAITING_SHOWN = 99;
/** More waiting posts or comments of one member would hide those of others in the queue. */
export const MOST_WAITING_POSTS = 20;
export const MOST_WAITING_COMMENTS = 20;

/** Report whether what this member publishes now must wait for approval. */
export async function mustWait(by: Doer, { reads, textsToApprove }: Community): Promise<boolean> {
  if (by.kind !== 'member') return false;
  const most = await textsToApprove();
  return most > 0 && (await reads.isNewcomer(by.userId, most));
}

/** Report whether so many posts of the member wait that no other can. One that waits already can be sent again. */
export async function hasTooManyWaitingPosts(
  { userId }: MemberDoer,
  { reads }: Community,
  again?: number,
): Promise<boolean> {
  const reviews = await reads.draftReviewsOf(userId);
  const others = reviews.filter(({ postId, isWaiting }) => isWaiting && postId !== again);
  return others.length >= MOST_WAITING_POSTS;
}

/** The number of texts that wait. `MOST_WAITING_SHOWN + 1` stands for any larger number. */
export function countWaitingTexts({ reads }: Community): Promise<number> {
  return reads.countWaitingTexts(MOST_WAITING_SHOWN + 1);
}

/** Publish a waiting text. False if it doesn't wait any more, or its author has changed it since. */
export async function approve(
  by: Moderating,
  community: Community,
  { postId, commentId, postTitle: title, authorId, body, version }: WaitingText,
): Promise<boolean> {
  const { writes, maskCredentials } = community;
  // The author may have added a credential since the text was sent. It is revoked before it becomes public, and the
  // text stays as the moderator has read it.
  await maskCredentials(`${title}\n${body}`, commentId === undefined ? 'post' : 'comment');
  const mentioned = await toNotify(by, community, (await mentionedIn(by, community, body)) ?? []);
  if (commentId === undefined) {
    const publication = { ...gainsOf({ title, body }, 'published'), version, mentioned };
    return writes.approvePost(by, postId, authorId, publication);
  }
  const worth = { xp: XP_FOR_COMMENT, weight: POPULARITY_WEIGHT };
  return writes.approveComment(by, { id: commentId, postId, authorId, version, mentioned, ...worth });
}

/**
 * Refuse a waiting text, and tell its author why: a post becomes a draft again, a comment is removed. False if it
 * doesn't wait any more.
 */
export async function refuse(
  by: Moderating,
  { writes }: Community,
  { postId, commentId }: Pick<WaitingText, 'postId' | 'commentId'>,
  reason: string,
): Promise<'reason' | boolean> {
  const note = reason.trim();
  const { length } = [...note];
  if (length === 0 || length > MOST_NOTE_CHARACTERS || hasHiddenCharacters(note)) return 'reason';
  return commentId === undefined
    ? writes.returnPost(by, postId, note)
    : writes.refuseComment(by, { postId, commentId }, note);
}
