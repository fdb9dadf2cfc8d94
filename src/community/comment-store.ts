// Comments: their records, and their reads and writes in storage.

import type { MemberDoer } from '../audit/doer.ts';
import type { Timestamp } from '../lib/clock.ts';
import type { PicturesOfText } from './picture-store.ts';
import type { NewRendering, StoredRendering } from './text-store.ts';

export interface Comment extends StoredRendering {
  id: number;
  postId: number;
  /** The parent comment; undefined for a comment on the post itself. */
  parentId: number | undefined;
  userId: number;
  authorName: string;
  /** As in `User`. */
  authorAvatar: string | undefined;
  /** A waiting comment is in no list. A removed comment shows above its replies, without its text. */
  status: 'published' | 'waiting' | 'removed';
  /** Markdown. */
  body: string;
  createdAt: Timestamp;
  editedAt: Timestamp | undefined;
}

/** A comment with the title of its post, and the author of the post. */
export interface CommentInPlace extends Comment {
  postTitle: string;
  postUserId: number;
  /** As in `Post`. */
  postLockedAt: Timestamp | undefined;
}

/** How a comment changes points and popularity, in the step that adds or removes it. */
export interface CommentWorth {
  /** Points of the author. */
  xp: number;
  /** As in `popularity.ts`. */
  weight: number;
}

export interface NewComment extends CommentWorth, ChangedComment {
  postId: number;
  /** The comment that this one replies to, with its author; undefined for a comment on the post itself. */
  replyTo: { id: number; userId: number } | undefined;
  /** Whether it waits for approval. */
  isWaiting?: boolean;
}

/** A text as it is stored. */
export interface CommentText extends NewRendering, PicturesOfText {
  body: string;
}

export interface ChangedComment extends CommentText {
  /** Members to tell that the text mentions them, if the comment is published and they don't hear of it anyway. */
  mentioned?: readonly number[];
}

export interface CommentRemoval extends CommentWorth {
  id: number;
  postId: number;
  /** As in `Comment`. */
  parentId?: number | undefined;
}

/** A comment of a list, without its text. */
export interface CommentSize {
  id: number;
  /** The bytes of its HTML, or of its Markdown if it was not rendered yet. 0 for a removed comment. */
  bytes: number;
}

export interface ReplySize extends CommentSize {
  parentId: number;
}

/** A published comment of a feed, without its text. */
export interface CommentInFeed extends CommentSize {
  authorName: string;
  postTitle: string;
  createdAt: Timestamp;
  editedAt: Timestamp | undefined;
}

/**
 * Top comments are those on the post itself. A removed comment counts as a top comment only while it has
 * replies. Lists have only ids and sizes, from which the caller chooses the comments to read.
 */
export interface CommentReads {
  /** A published comment on a published post. */
  findComment(id: number): Promise<CommentInPlace | undefined>;
  /** The member's own comment on a published post: a published one, or one that waits for approval. */
  findOwnComment(id: number, userId: number): Promise<CommentInPlace | undefined>;
  /** A top comment on a published post. */
  findTopComment(id: number): Promise<CommentInPlace | undefined>;
  /** The top comments of a post with ids from `from`, oldest first. */
  topComments(postId: number, from: number, limit: number): Promise<CommentSize[]>;
  /** The top comments of a post with ids below `before`, newest first. */
  topCommentsBefore(postId: number, before: number, limit: number): Promise<CommentSize[]>;
  /** The oldest replies to the top comments with these ids: at most `each` per top comment. */
  firstReplies(topIds: readonly number[], each: number): Promise<ReplySize[]>;
  /** The replies to a top comment with ids from `from`, oldest first. */
  repliesTo(topId: number, from: number, limit: number): Promise<CommentSize[]>;
  /** The replies to a top comment with ids below `before`, newest first. */
  repliesBefore(topId: number, before: number, limit: number): Promise<CommentSize[]>;
  /** The newest published comments on published posts. */
  newestComments(limit: number): Promise<CommentInFeed[]>;
  /** The newest published comments on a published post. */
  newestCommentsOn(postId: number, limit: number): Promise<CommentInFeed[]>;
  /** The comments with these ids, oldest first. */
  comments(ids: readonly number[]): Promise<Comment[]>;
}

export interface CommentWrites {
  /**
   * Adds the comment, counts it at its post, and notifies the authors of the post and of `replyTo`. Does
   * nothing and returns undefined if the post is not published or is locked, `replyTo` was removed, or the
   * member's account is not active. A comment that waits for approval is neither counted nor announced.
   */
  addComment(by: MemberDoer, comment: NewComment): Promise<number | undefined>;
  /**
   * Returns false unless the member is active and has such a comment, not removed, on a published post. A waiting
   * comment gets a new version.
   */
  editComment(by: MemberDoer, id: number, text: ChangedComment): Promise<boolean>;
  /**
   * Returns false if the member has no such published comment. Of parallel calls exactly one returns true. The row
   * is deleted unless it has replies or reports, and so is a removed `parentId` without other replies.
   */
  removeComment(by: MemberDoer, removal: CommentRemoval): Promise<boolean>;
  /** Deletes a comment that waits for approval. Returns false if the member has no such comment. */
  withdrawComment(by: MemberDoer, id: number): Promise<boolean>;
}
