// The comments of a post as threads, in parts. A part is bounded by the number of its comments and by their size.

import type { Comment, CommentSize } from './comment-store.ts';
import type { Community } from './community.ts';
import { htmlOf } from './rendering.ts';
import type { CommunityReads } from './store.ts';

/** A comment with its HTML. */
export interface ShownComment extends Comment {
  html: string;
}

/** A comment on the post itself, with the first replies to it. */
export interface Thread {
  top: ShownComment;
  replies: readonly ShownComment[];
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
  top: ShownComment;
  replies: readonly ShownComment[];
}

/** The most that a part shows. */
const MOST_THREADS = 50;
const MOST_COMMENTS = 100;
const MOST_BYTES = 100_000;
// Further replies to a comment are on the page of its thread.
const MOST_REPLIES = 20;
const MOST_BYTES_OF_THREAD = 50_000;

/** The comments on a post with ids from `from`, each with its first replies. */
export async function threadsOf(community: Community, postId: number, from: number): Promise<ThreadsPart> {
  const { reads } = community;
  const [following, earlier] = await Promise.all([
    reads.topComments(postId, from, MOST_THREADS + 1),
    from === 0 ? [] : reads.topCommentsBefore(postId, from, MOST_THREADS),
  ]);
  const outlines = await outlinesOf(reads, following);
  const shown = partOf(outlines.slice(0, MOST_THREADS));
  const comments = await commentsWith(
    community,
    shown.flatMap(({ ids }) => ids),
  );
  return {
    threads: shown.flatMap(({ ids, hasMore }) => {
      const [top, ...replies] = ids.flatMap((id) => comments.get(id) ?? []);
      return top === undefined ? [] : { top, replies, hasMore };
    }),
    previous: startOf(await outlinesOf(reads, earlier), MOST_THREADS),
    next: outlines[shown.length]?.ids[0],
  };
}

/** A top comment, and the replies to it with ids from `from`. Undefined if the comment is gone. */
export async function repliesTo(
  community: Community,
  topId: number,
  from: number,
): Promise<RepliesPart | undefined> {
  const { reads } = community;
  const [following, earlier] = await Promise.all([
    reads.repliesTo(topId, from, MOST_THREADS + 1),
    from === 0 ? [] : reads.repliesBefore(topId, from, MOST_THREADS),
  ]);
  const outlines = following.map(outlineOf);
  const shown = partOf(outlines.slice(0, MOST_THREADS));
  const comments = await commentsWith(community, [topId, ...shown.flatMap(({ ids }) => ids)]);
  const top = comments.get(topId);
  if (top === undefined) return undefined;
  return {
    top,
    replies: shown.flatMap(({ ids }) => ids).flatMap((id) => comments.get(id) ?? []),
    previous: startOf(earlier.map(outlineOf), MOST_THREADS),
    next: outlines[shown.length]?.ids[0],
  };
}

/**
 * Whether the page of a post shows this comment when its list begins with the comment's thread. Replies that it
 * doesn't show are only on the page of their thread.
 */
export async function isShownWithPost(
  { reads }: Community,
  { id, parentId, postId }: Comment,
): Promise<boolean> {
  if (parentId === undefined) return true;
  const [thread] = await outlinesOf(reads, await reads.topComments(postId, parentId, 1));
  return thread?.ids.includes(id) ?? false;
}

/** What is shown of a thread, or a single reply. */
interface Outline {
  /** The comments in their order, beginning with the top comment. */
  ids: readonly number[];
  bytes: number;
  hasMore: boolean;
}

function outlineOf({ id, bytes }: CommentSize): Outline {
  return { ids: [id], bytes, hasMore: false };
}

/** The outlines of the threads of these top comments, in the same order. */
async function outlinesOf(reads: CommunityReads, tops: readonly CommentSize[]): Promise<Outline[]> {
  if (tops.length === 0) return [];
  const ids = tops.map(({ id }) => id);
  const replies = await reads.firstReplies(ids, MOST_REPLIES + 1);
  const repliesByTop = Map.groupBy(replies, ({ parentId }) => parentId);
  return tops.map((top) => threadOutline(top, repliesByTop.get(top.id) ?? []));
}

function threadOutline(top: CommentSize, replies: readonly CommentSize[]): Outline {
  const ids = [top.id];
  let { bytes } = top;
  for (const reply of replies.slice(0, MOST_REPLIES)) {
    if (bytes + reply.bytes > MOST_BYTES_OF_THREAD) break;
    ids.push(reply.id);
    bytes += reply.bytes;
  }
  return { ids, bytes, hasMore: ids.length <= replies.length };
}

/** The first outlines, as many as fit into a part. At least one, because every comment must be shown somewhere. */
function partOf(outlines: readonly Outline[]): Outline[] {
  const part: Outline[] = [];
  let comments = 0;
  let bytes = 0;
  for (const outline of outlines) {
    comments += outline.ids.length;
    bytes += outline.bytes;
    if (part.length > 0 && (comments > MOST_COMMENTS || bytes > MOST_BYTES)) break;
    part.push(outline);
  }
  return part;
}

/**
 * The first id of the previous part, for a list that was read backwards with this limit. If everything earlier
 * fits into one part, that is the first part of the list, so the id is 0.
 */
function startOf(earlier: readonly Outline[], limit: number): number | undefined {
  if (earlier.length === 0) return undefined;
  const part = partOf(earlier);
  return part.length === earlier.length && earlier.length < limit ? 0 : part.at(-1)?.ids[0];
}

async function commentsWith(
  community: Community,
  ids: readonly number[],
): Promise<Map<number, ShownComment>> {
  const comments = new Map<number, ShownComment>();
  if (ids.length === 0) return comments;
  // One after another: comments that were not rendered yet all wait for the same worker thread.
  for (const comment of await community.reads.comments(ids)) {
    const html = comment.status === 'removed' ? '' : await htmlOf(community, 'comment', comment);
    comments.set(comment.id, { ...comment, html });
  }
  return comments;
}
