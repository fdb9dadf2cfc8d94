// The comments of a post as threads, in parts.

import type { Comment } from './comment-store.ts';
import type { Community } from './community.ts';

/** A comment on the post itself, with the first replies to it. */
export interface Thread {
  top: Comment;
  replies: readonly Comment[];
  /** Whether there are more replies than these. */
  hasMore: boolean;
}

/** The first ids of the neighbouring parts of a list, undefined where there is none. */
interface Part {
  /** 0 for the beginning of the list. */
  previous: number | undefined;
  next: number | undefined;
}

export interface ThreadsPart extends Part {
  threads: readonly Thread[];
}

export interface RepliesPart extends Part {
  replies: readonly Comment[];
}

const PART_SIZE = 50;
// Further replies to a comment are on the page of its thread.
const REPLIES_SHOWN = 20;

/** The comments on a post with ids from `from`, each with its first replies. */
export async function threadsOf({ reads }: Community, postId: number, from: number): Promise<ThreadsPart> {
  const [comments, before] = await Promise.all([
    reads.topComments(postId, from, PART_SIZE + 1),
    from === 0 ? [] : reads.topCommentsBefore(postId, from, PART_SIZE),
  ]);
  const tops = comments.slice(0, PART_SIZE);
  const [first, last] = [tops[0], tops.at(-1)];
  const replies =
    first === undefined || last === undefined
      ? []
      : await reads.firstReplies(postId, first.id, last.id, REPLIES_SHOWN + 1);
  const repliesByTop = Map.groupBy(replies, ({ parentId }) => parentId);
  const threads = tops.map((top) => {
    const all = repliesByTop.get(top.id) ?? [];
    return { top, replies: all.slice(0, REPLIES_SHOWN), hasMore: all.length > REPLIES_SHOWN };
  });
  return { threads, previous: startBefore(before), next: comments[PART_SIZE]?.id };
}

/** The replies to a comment with ids from `from`. */
export async function repliesTo({ reads }: Community, topId: number, from: number): Promise<RepliesPart> {
  const [replies, before] = await Promise.all([
    reads.repliesTo(topId, from, PART_SIZE + 1),
    from === 0 ? [] : reads.repliesBefore(topId, from, PART_SIZE),
  ]);
  return {
    replies: replies.slice(0, PART_SIZE),
    previous: startBefore(before),
    next: replies[PART_SIZE]?.id,
  };
}

/** Whether a comment is shown below its post. Other replies are only on the page of their thread. */
export async function isShownWithPost({ reads }: Community, { id, parentId }: Comment): Promise<boolean> {
  if (parentId === undefined) return true;
  return (await reads.repliesBefore(parentId, id, REPLIES_SHOWN)).length < REPLIES_SHOWN;
}

// If less than a full part comes before, the previous part is the first one.
function startBefore(before: readonly number[]): number | undefined {
  if (before.length === 0) return undefined;
  return before.length < PART_SIZE ? 0 : before.at(-1);
}
