// Moderation: what operators and moderators do to posts and comments, as reads from storage and writes to it.

import type { Moderating, SystemDoer } from '../audit/doer.ts';
import type { Timestamp } from '../lib/clock.ts';
import type { Post, Publication } from './post-store.ts';
import type { Reportable } from './report-store.ts';

/** A post or comment that an operator or moderator removed. */
export interface RemovedContent extends Reportable {
  removedAt: Timestamp;
  /** Undefined: the notification with the reason was deleted, or there was no reason. */
  reason: string | undefined;
}

export interface Removal {
  subject: Reportable;
  /** For the author. */
  reason?: string | undefined;
  /** Points that the author loses. */
  xp: number;
  /** As in `popularity.ts`. */
  weight: number;
}

export interface CommentRestoration {
  subject: Reportable;
  id: number;
  /** Points that the author gets back. */
  xp: number;
  /** As in `popularity.ts`. */
  weight: number;
}

/** Content of closed accounts is left out: it can't be restored. */
export interface ModerationReads {
  /** The posts and comments that operators and moderators removed last, newest first. */
  removedContent(limit: number): Promise<RemovedContent[]>;
  /** A post that was published, and that an operator or moderator removed. */
  findRemovedPost(id: number): Promise<Post | undefined>;
}

export interface ModerationWrites {
  /**
   * Removes a post or comment, tells its author, and closes all its reports, but none about a moderator's own
   * comment. If its author removed it already, takes over the removal, so that the author can't restore it. False if
   * an operator or moderator removed it already.
   */
  removeContent(by: Moderating, removal: Removal): Promise<boolean>;
  /**
   * Undoes an operator's or moderator's removal, and tells the author. A post that its author had removed before
   * stays removed, and its author can restore it. False if there is no such removal, the post has another version,
   * or the author's account is closed.
   */
  undoRemovalOfPost(
    by: Moderating | SystemDoer,
    subject: Reportable,
    publication: Publication,
  ): Promise<boolean>;
  /** As `undoRemovalOfPost`. Also false if the author had removed the comment before, or its text was deleted. */
  undoRemovalOfComment(by: Moderating | SystemDoer, restoration: CommentRestoration): Promise<boolean>;
  /** Closes a published post to new comments, or opens it again. False if nothing changed. */
  setLocked(by: Moderating, postId: number, isLocked: boolean): Promise<boolean>;
  /** Pins a published post if fewer than `most` are pinned, or unpins it. False if nothing changed. */
  setPinned(by: Moderating, postId: number, isPinned: boolean, most: number): Promise<boolean>;
  /** Moves a published post to another category. False if nothing changed. */
  moveToCategory(by: Moderating, postId: number, categoryId: number): Promise<boolean>;
}

export interface ModerationStore extends ModerationReads, ModerationWrites {}
