// Comments: their records, and their reads and writes in storage.

import type { MemberDoer } from '../audit/doer.ts';
import type { Timestamp } from '../lib/clock.ts';

export interface Comment {
  id: number;
  postId: number;
  /** The parent comment; undefined for a comment on the post itself. */
  parentId: number | undefined;
  userId: number;
  authorName: string;
  /** As in `User`. */
  authorAvatar: string | undefined;
  /** A removed comment shows above its replies, without its text. */
  status: 'published' | 'removed';
  /** Markdown. */
  body: string;
  createdAt: Timestamp;
  editedAt: Timestamp | undefined;
}

/** A comment with the title of its post. */
export interface CommentInPlace extends Comment {
  postTitle: string;
}

/** How a comment changes points and popularity, in the step that adds or removes it. */
export interface CommentWorth {
  /** Points of the author. */
  xp: number;
  /** As in `popularity.ts`. */
  weight: number;
}

export interface NewComment extends CommentWorth {
  postId: number;
  /** The comment that this one replies to, with its author; undefined for a comment on the post itself. */
  replyTo: { id: number; userId: number } | undefined;
  body: string;
}

export interface CommentRemoval extends CommentWorth {
  id: number;
  postId: number;
}

/** Top comments are those on the post itself. A removed comment counts as one only while it has replies. */
export interface CommentReads {
  /** A comment that is not removed, on a published post. */
  findComment(id: number): Promise<CommentInPlace | undefined>;
  /** A top comment on a published post. */
  findTopComment(id: number): Promise<CommentInPlace | undefined>;
  /** The top comments of a post with ids from `from`, oldest first. */
  topComments(postId: number, from: number, limit: number): Promise<Comment[]>;
  /** The ids of the top comments below `before`, highest first. */
  topCommentsBefore(postId: number, before: number, limit: number): Promise<number[]>;
  /** The oldest replies to each top comment with an id from `first` to `last`, at most `each` of them. */
  firstReplies(postId: number, first: number, last: number, each: number): Promise<Comment[]>;
  /** The replies to a top comment with ids from `from`, oldest first. */
  repliesTo(topId: number, from: number, limit: number): Promise<Comment[]>;
  /** The ids of the replies below `before`, highest first. */
  repliesBefore(topId: number, before: number, limit: number): Promise<number[]>;
}

export interface CommentWrites {
  /**
   * Adds the comment, counts it at its post, and notifies the authors of the post and of `replyTo`. Does
   * nothing and returns undefined if the post is not published or `replyTo` was removed.
   */
  addComment(by: MemberDoer, comment: NewComment): Promise<number | undefined>;
  /** Returns false unless the member has such a comment, not removed, on a published post. */
  editComment(by: MemberDoer, id: number, body: string): Promise<boolean>;
  /** Returns false if the member has no such comment. Of parallel calls exactly one returns true. */
  removeComment(by: MemberDoer, removal: CommentRemoval): Promise<boolean>;
}
