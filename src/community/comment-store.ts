// What comments ask of storage. Each verb is one atomic, durable step.

import type { Timestamp } from '../lib/clock.ts';
import type { Comment, CommentInPlace } from './comment.ts';

export interface NewComment {
  postId: number;
  userId: number;
  /** The comment that is answered, with its author; undefined for one on the post itself. */
  answers: { id: number; userId: number } | undefined;
  body: string;
  /** Points that the author gets in the same step. */
  xp: number;
  /** As in `popularity.ts`. */
  weight: number;
  at: Timestamp;
}

/** An author's removal of their own comment. */
export interface CommentRemoval {
  id: number;
  postId: number;
  authorId: number;
  /** Points that are taken back from the author in the same step. */
  xp: number;
  weight: number;
  at: Timestamp;
}

export interface CommentReads {
  /** A comment that is not removed, on a published post. */
  findComment(id: number): Promise<CommentInPlace | undefined>;
  /** A comment on the post itself, also a removed one that has replies. */
  findTopComment(id: number): Promise<CommentInPlace | undefined>;
  /** Comments on the post itself from this number on, oldest first; removed ones only if they have replies. */
  topComments(postId: number, from: number, limit: number): Promise<Comment[]>;
  /** The numbers of those before, the nearest first. */
  topCommentsBefore(postId: number, before: number, limit: number): Promise<number[]>;
  /** Of the replies to each of the post's top comments from the first to the last number the oldest, `each` at most. */
  firstReplies(postId: number, first: number, last: number, each: number): Promise<Comment[]>;
  /** Replies to a top comment from this number on, oldest first. */
  repliesTo(topId: number, from: number, limit: number): Promise<Comment[]>;
  repliesBefore(topId: number, before: number, limit: number): Promise<number[]>;
}

export interface CommentWrites {
  /**
   * Adds the comment, counts it at its post and tells whom it concerns. Undefined, and nothing done, unless the post is
   * published and the comment that it answers is there.
   */
  addComment(comment: NewComment): Promise<number | undefined>;
  /** False unless it is a comment of this author, not removed, on a published post. */
  editComment(id: number, userId: number, body: string, at: Timestamp): Promise<boolean>;
  /** False if it is removed already. Of parallel calls exactly one is true. */
  removeComment(removal: CommentRemoval): Promise<boolean>;
}

export interface CommentStore extends CommentReads, CommentWrites {}
