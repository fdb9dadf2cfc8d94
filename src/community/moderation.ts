// What operators and moderators do to posts and comments: remove, restore, lock, pin, and change the category.

import type { Moderating, SystemDoer } from '../audit/doer.ts';
import { oneLine } from '../lib/one-line.ts';
import type { Community } from './community.ts';
import { XP_FOR_COMMENT, XP_FOR_POST } from './level.ts';
import { tooFastOf } from './pace.ts';
import { POPULARITY_WEIGHT } from './popularity.ts';
import type { Post } from './post-store.ts';
import { gainsOf } from './post-text.ts';
import { isOwn } from './report.ts';
import type { ReportSubject } from './report-store.ts';

export type { RemovedContent } from './moderation-store.ts';

/** The longest reason for a removal. */
export const MOST_REASON_CHARACTERS = 500;
/** More pinned posts would push the newest ones out of sight. */
export const MOST_PINNED = 3;

/** `own`: moderators don't decide about their own texts. `too_fast`: a moderator removed very many this hour. */
export type RemovalProblem = 'reason_too_long' | 'own' | 'too_fast' | 'nothing';

/**
 * Remove a post or comment, also a reported one that its author removed already: the author can't restore it. The
 * author is told, with the reason. Closes all reports about it. `nothing`: there was nothing to do.
 */
export async function removeContent(
  by: Moderating,
  community: Community,
  subject: ReportSubject,
  reason = '',
): Promise<RemovalProblem | undefined> {
  const { reads, writes } = community;
  const text = oneLine(reason);
  if ([...text].length > MOST_REASON_CHARACTERS) return 'reason_too_long';
  const content = await reads.findReported(subject);
  if (content === undefined) return 'nothing';
  if (isOwn(by, content)) return 'own';
  // Each removal is mailed to the author, with the moderator's words.
  if ((await tooFastOf(by, community)) !== undefined) return 'too_fast';
  const xp = content.commentId === undefined ? XP_FOR_POST : XP_FOR_COMMENT;
  const removal = { subject: content, reason: text || undefined, xp, weight: POPULARITY_WEIGHT };
  if (await writes.removeContent(by, removal)) return undefined;
  // Another operator removed it, and a report arrived at the same moment.
  return (await writes.closeReports(by, subject, 'removed')) ? undefined : 'nothing';
}

/** Undo the removal of a post or comment. Returns false if there is none that can be undone. */
export async function restoreContent(
  by: Moderating | SystemDoer,
  { reads, writes }: Community,
  of: ReportSubject,
): Promise<boolean> {
  const subject = await reads.findReported(of);
  if (subject === undefined || isOwn(by, subject)) return false;
  if (subject.commentId !== undefined) {
    const { commentId: id } = subject;
    return writes.undoRemovalOfComment(by, { subject, id, xp: XP_FOR_COMMENT, weight: POPULARITY_WEIGHT });
  }
  const post = await reads.findPost(subject.postId);
  if (post === undefined) return false;
  const publication = { ...gainsOf(post, 'published'), version: post.updatedAt };
  return writes.undoRemovalOfPost(by, subject, publication);
}

/** Find the post that a comment in any state is on. */
export async function postOfComment({ reads }: Community, commentId: number): Promise<number | undefined> {
  return (await reads.findReported({ postId: 0, commentId }))?.postId;
}

/** Close a published post to new comments, or open it again. */
export async function setLocked(
  by: Moderating,
  { writes }: Community,
  { id }: Pick<Post, 'id'>,
  isLocked: boolean,
): Promise<void> {
  await writes.setLocked(by, id, isLocked);
}

/** Pin a published post on top of its category and of the newest posts, or unpin it. */
export async function setPinned(
  by: Moderating,
  { reads, writes }: Community,
  { id }: Pick<Post, 'id'>,
  isPinned: boolean,
): Promise<'too_many' | undefined> {
  if (await writes.setPinned(by, id, isPinned, MOST_PINNED)) return undefined;
  const post = await reads.findPost(id);
  return isPinned && post?.pinnedAt === undefined ? 'too_many' : undefined;
}

/** Move a published post to another category. Returns false if there is no such category. */
export async function moveToCategory(
  by: Moderating,
  { reads, writes }: Community,
  { id }: Pick<Post, 'id'>,
  categoryId: number,
): Promise<boolean> {
  if (!(await reads.categories()).some((category) => category.id === categoryId)) return false;
  await writes.moveToCategory(by, id, categoryId);
  return true;
}
