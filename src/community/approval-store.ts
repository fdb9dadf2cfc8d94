// Posts and comments that wait for approval: their records, and their reads and writes in storage.

import type { MemberDoer, Moderating } from '../audit/doer.ts';
import type { Timestamp } from '../lib/clock.ts';
import type { CommentWorth } from './comment-store.ts';
import type { Publication } from './post-store.ts';

/** A post or a comment in the queue of operators and moderators. */
export interface WaitingText {
  postId: number;
  /** Undefined for a post. */
  commentId: number | undefined;
  postTitle: string;
  /** As in `Post`, and the category. Of a comment, nothing: its post is published already. */
  tags: string;
  categoryName: string | undefined;
  authorId: number;
  authorName: string;
  /** Markdown. */
  body: string;
  /** The version of the text, which the author can edit while it waits. */
  version: Timestamp;
  since: Timestamp;
}

/** A draft of a member that waits for approval, or that a moderator returned. */
export interface DraftReview {
  postId: number;
  isWaiting: boolean;
  /** Why a moderator returned it. */
  note: string | undefined;
}

/** A comment that only its author, operators and moderators see. */
export interface WaitingComment {
  id: number;
  body: string;
}

export interface ApprovedComment extends CommentWorth {
  id: number;
  postId: number;
  authorId: number;
  version: Timestamp;
  /** As in `ChangedComment`. */
  mentioned?: readonly number[];
}

export interface ApprovalReads {
  /** Whether the member has fewer than `most` published posts and comments, and is neither operator nor moderator. */
  isNewcomer(userId: number, most: number): Promise<boolean>;
  /** What waits, of active members, longest waiting first. */
  waitingTexts(most: number): Promise<WaitingText[]>;
  findWaitingText(of: { postId: number } | { commentId: number }): Promise<WaitingText | undefined>;
  /** The number of waiting texts, counted up to `most`. */
  countWaitingTexts(most: number): Promise<number>;
  /** A member's drafts that wait or were returned. */
  draftReviewsOf(userId: number): Promise<DraftReview[]>;
  /** A member's newest waiting comments on a post, newest first. */
  waitingCommentsOf(userId: number, postId: number, most: number): Promise<WaitingComment[]>;
  /** The number of a member's waiting comments on all posts, counted up to `most`. */
  countWaitingCommentsOf(userId: number, most: number): Promise<number>;
}

export interface ApprovalWrites {
  /** Lets a draft that has a title and a body and still is of this version wait. */
  submitPost(by: MemberDoer, id: number, version: Timestamp): Promise<boolean>;
  /** Publishes a waiting post of this version and notifies its author. Of parallel calls one returns true. */
  approvePost(by: Moderating, id: number, authorId: number, publication: Publication): Promise<boolean>;
  /** Makes a waiting post a plain draft again, and notifies its author. */
  returnPost(by: Moderating, id: number, note: string): Promise<boolean>;
  /**
   * Publishes a waiting comment of this version, and notifies its author and the authors of the post and the parent
   * comment.
   */
  approveComment(by: Moderating, comment: ApprovedComment): Promise<boolean>;
  /** Removes a waiting comment, and notifies its author. */
  refuseComment(
    by: Moderating,
    comment: { postId: number; commentId: number },
    note: string,
  ): Promise<boolean>;
}
