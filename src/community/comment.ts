// Comments on a post, and replies, which are one level deep: a reply to a reply is listed beside it.

import { MASK } from '../audit/credential-notice.ts';
import type { MemberDoer } from '../audit/doer.ts';
import type { RenderingProblem } from '../lib/text-renderer.ts';
import { MOST_WAITING_COMMENTS, mustWait } from './approval.ts';
import type { ChangedComment, CommentInPlace, NewComment } from './comment-store.ts';
import type { Community } from './community.ts';
import { XP_FOR_COMMENT } from './level.ts';
import { toNotify } from './mention.ts';
import { paced, type TooFast } from './pace.ts';
import { picturesIn } from './picture.ts';
import { POPULARITY_WEIGHT } from './popularity.ts';
import { lengthOf } from './post-text.ts';
import { render } from './rendering.ts';

export type { Comment, CommentInPlace } from './comment-store.ts';

/** `locked`: the post takes no new comments. `too_many_waiting`: approval of the earlier ones comes first. */
export type CommentProblem = 'missing' | 'too_long' | 'locked' | 'too_many_waiting' | RenderingProblem;

/**
 * `isWaiting`: only its author, moderators and operators see it, until a moderator approves it. `isMasked`: it has a
 * credential of this site, whose characters are masked.
 */
export type Commented =
  | { id: number; isWaiting?: boolean; isMasked?: boolean }
  | { problem: CommentProblem }
  | TooFast;

export const MOST_COMMENT_CHARACTERS = 5_000;
const WORTH = { xp: XP_FOR_COMMENT, weight: POPULARITY_WEIGHT };

/** Comment on a post. Returns undefined if the post is not published, or the member not active (any more). */
export async function comment(
  by: MemberDoer,
  community: Community,
  postId: number,
  body: string,
): Promise<Commented | undefined> {
  return add(by, community, { postId, replyTo: undefined, body });
}

/** Reply to a comment. Returns undefined if there is no such comment, or the member not active (any more). */
export async function reply(
  by: MemberDoer,
  community: Community,
  commentId: number,
  body: string,
): Promise<Commented | undefined> {
  const replyTo = await community.reads.findComment(commentId);
  if (replyTo === undefined) return undefined;
  return add(by, community, { postId: replyTo.postId, replyTo, body });
}

/** Edit the member's own comment. Returns undefined if the member has no such comment, or is not active. */
export async function editComment(
  by: MemberDoer,
  community: Community,
  id: number,
  body: string,
): Promise<Commented | undefined> {
  const problem = problemWithComment(body);
  if (problem !== undefined) return { problem };
  const tooFast = await paced(by, community, 'edit');
  if (tooFast !== undefined) return tooFast;
  const before = await community.reads.findOwnComment(id, by.userId);
  const text = await textOf(by, community, body, before);
  if ('problem' in text) return text;
  return (await community.writes.editComment(by, id, text)) ? { id, ...maskOf(text) } : undefined;
}

/**
 * Remove the member's own comment and take back its points, in one step. A comment that waits for approval has none.
 * Returns false if the member has no such comment.
 */
export async function removeComment(
  by: MemberDoer,
  { reads, writes }: Community,
  id: number,
): Promise<boolean> {
  const comment = await reads.findOwnComment(id, by.userId);
  if (comment === undefined) return false;
  if (comment.status === 'waiting' && (await writes.withdrawComment(by, id))) return true;
  // Also if a moderator has approved it meanwhile.
  const { postId, parentId } = comment;
  return writes.removeComment(by, { id, postId, parentId, ...WORTH });
}

export function problemWithComment(body: string): 'missing' | 'too_long' | undefined {
  const length = lengthOf(body.trim(), MOST_COMMENT_CHARACTERS);
  if (length === 0) return 'missing';
  return length > MOST_COMMENT_CHARACTERS ? 'too_long' : undefined;
}

async function add(
  by: MemberDoer,
  community: Community,
  { postId, replyTo, body }: Pick<NewComment, 'postId' | 'replyTo' | 'body'>,
): Promise<Commented | undefined> {
  const problem = problemWithComment(body);
  if (problem !== undefined) return { problem };
  const tooFast = await paced(by, community, 'comment');
  if (tooFast !== undefined) return tooFast;
  const isWaiting = await mustWait(by, community);
  if (isWaiting && (await hasTooManyWaiting(by, community))) return { problem: 'too_many_waiting' };
  const text = await textOf(by, community, body);
  if ('problem' in text) return text;
  const id = await community.writes.addComment(by, { ...text, postId, replyTo, ...WORTH, isWaiting });
  if (id !== undefined) return { id, isWaiting, ...maskOf(text) };
  const post = await community.reads.findPost(postId);
  return post?.status === 'published' && post.lockedAt !== undefined ? { problem: 'locked' } : undefined;
}

function maskOf({ body }: ChangedComment): { isMasked?: true } {
  return body.includes(MASK) ? { isMasked: true } : {};
}

async function hasTooManyWaiting({ userId }: MemberDoer, { reads }: Community): Promise<boolean> {
  const count = await reads.countWaitingCommentsOf(userId, MOST_WAITING_COMMENTS);
  return count >= MOST_WAITING_COMMENTS;
}

async function textOf(
  by: MemberDoer,
  community: Community,
  typed: string,
  before?: CommentInPlace,
): Promise<ChangedComment | { problem: RenderingProblem }> {
  const body = await community.maskCredentials(typed.trim(), 'comment');
  const rendered = await render(by, community, body);
  if ('problem' in rendered) return rendered;
  const { html, htmlVersion } = rendered;
  const mentioned = await toNotify(by, community, rendered.mentioned, before?.html);
  return { body, html, htmlVersion, mentioned, pictures: picturesIn(body) };
}
