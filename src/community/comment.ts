// Comments: on a post, or in answer to another comment. One level deep: who answers an answer stands beside it.

import type { Timestamp } from '../lib/clock.ts';
import type { CommentStore } from './comment-store.ts';
import type { Community } from './community.ts';
import { XP_FOR_COMMENT } from './level.ts';
import { paced, type TooFast } from './pace.ts';
import { HEAT_WEIGHT } from './popularity.ts';

export interface Comment {
  id: number;
  postId: number;
  /** The comment above it; undefined for one on the post itself. */
  parentId: number | undefined;
  userId: number;
  authorName: string;
  /** As in `User`. */
  authorAvatar: string | undefined;
  /** A removed one is there for its replies, without its text. */
  status: 'published' | 'removed';
  /** Markdown. */
  body: string;
  createdAt: Timestamp;
  editedAt: Timestamp | undefined;
}

/** A comment with what it stands below. */
export interface CommentInPlace extends Comment {
  postTitle: string;
}

/** A comment on the post itself with what was answered. */
export interface Thread {
  top: Comment;
  replies: readonly Comment[];
  /** There are more replies than these. */
  hasMore: boolean;
}

/** A part of a list whose parts begin at numbers: those of the parts before and after, where there are any. */
interface Part {
  /** 0: from the beginning. */
  previous: number | undefined;
  next: number | undefined;
}

export interface ThreadsPart extends Part {
  threads: readonly Thread[];
}

export interface RepliesPart extends Part {
  replies: readonly Comment[];
}

export type CommentProblem = 'missing' | 'too_long';

export type Commented = { id: number } | { problem: CommentProblem } | TooFast;

export const MOST_COMMENT_CHARACTERS = 5_000;
/** Of the comments on a post itself, and of the replies where they have a page of their own. */
const ON_A_PAGE = 50;
// To each of many comments: the rest have a page of their own.
const REPLIES_SHOWN = 20;

/** Comments on a post. Undefined if it isn't there (any more). */
export async function comment(
  community: Community,
  userId: number,
  postId: number,
  body: string,
): Promise<Commented | undefined> {
  return add(community, { postId, userId, answers: undefined, body });
}

/** Answers a comment. Undefined if that isn't there (any more). */
export async function reply(
  community: Community,
  userId: number,
  answered: number,
  body: string,
): Promise<Commented | undefined> {
  const answers = await community.reads.findComment(answered);
  if (answers === undefined) return undefined;
  return add(community, { postId: answers.postId, userId, answers, body });
}

/** Changes a member's own comment. Undefined if there is no such comment of theirs. */
export async function editComment(
  { writes, clock }: Community,
  userId: number,
  id: number,
  body: string,
): Promise<{ id: number } | { problem: CommentProblem } | undefined> {
  const problem = problemWithComment(body);
  if (problem !== undefined) return { problem };
  return (await writes.editComment(id, userId, body.trim(), clock())) ? { id } : undefined;
}

/**
 * Removes a member's own comment from everyone's sight; what it earned is taken back in the same step. False if there
 * is no such comment of theirs.
 */
export async function removeComment(
  { reads, writes, clock }: Community,
  userId: number,
  id: number,
): Promise<boolean> {
  const found = await reads.findComment(id);
  if (found?.userId !== userId) return false;
  const worth = { xp: XP_FOR_COMMENT, weight: HEAT_WEIGHT };
  return writes.removeComment({ id, postId: found.postId, authorId: userId, ...worth, at: clock() });
}

/** The comments on a post from the given number on (0: from the beginning), with the first of their replies. */
export async function threadsOf({ reads }: Community, postId: number, from: number): Promise<ThreadsPart> {
  const [found, before] = await Promise.all([
    reads.topComments(postId, from, ON_A_PAGE + 1),
    from === 0 ? [] : reads.topCommentsBefore(postId, from, ON_A_PAGE),
  ]);
  const tops = found.slice(0, ON_A_PAGE);
  const [first, last] = [tops[0], tops.at(-1)];
  const replies =
    first === undefined || last === undefined
      ? []
      : await reads.firstReplies(postId, first.id, last.id, REPLIES_SHOWN + 1);
  const byTop = Map.groupBy(replies, ({ parentId }) => parentId);
  const threads = tops.map((top) => {
    const all = byTop.get(top.id) ?? [];
    return { top, replies: all.slice(0, REPLIES_SHOWN), hasMore: all.length > REPLIES_SHOWN };
  });
  return { threads, previous: startBefore(before), next: found[ON_A_PAGE]?.id };
}

/** All the replies to a comment, in parts. */
export async function repliesTo({ reads }: Community, topId: number, from: number): Promise<RepliesPart> {
  const [found, before] = await Promise.all([
    reads.repliesTo(topId, from, ON_A_PAGE + 1),
    from === 0 ? [] : reads.repliesBefore(topId, from, ON_A_PAGE),
  ]);
  return { replies: found.slice(0, ON_A_PAGE), previous: startBefore(before), next: found[ON_A_PAGE]?.id };
}

/** Whether a reply is among those that are shown with the post's comments, and not only on their own page. */
export async function isShownWithPost({ reads }: Community, { id, parentId }: Comment): Promise<boolean> {
  if (parentId === undefined) return true;
  return (await reads.repliesBefore(parentId, id, REPLIES_SHOWN)).length < REPLIES_SHOWN;
}

async function add(
  community: Community,
  written: Omit<Parameters<CommentStore['addComment']>[0], 'xp' | 'weight' | 'at'>,
): Promise<Commented | undefined> {
  const problem = problemWithComment(written.body);
  if (problem !== undefined) return { problem };
  const tooFast = await paced(community, 'comment', written.userId);
  if (tooFast !== undefined) return tooFast;
  const id = await community.writes.addComment({
    ...written,
    body: written.body.trim(),
    xp: XP_FOR_COMMENT,
    weight: HEAT_WEIGHT,
    at: community.clock(),
  });
  return id === undefined ? undefined : { id };
}

// A part that is not whole is the first, however few there are before.
function startBefore(before: readonly number[]): number | undefined {
  if (before.length === 0) return undefined;
  return before.length < ON_A_PAGE ? 0 : before.at(-1);
}

export function problemWithComment(body: string): CommentProblem | undefined {
  const length = [...body.trim()].length;
  if (length === 0) return 'missing';
  return length > MOST_COMMENT_CHARACTERS ? 'too_long' : undefined;
}
