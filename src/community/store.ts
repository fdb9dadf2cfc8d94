// The hatch of this room: what posts ask of storage. Each verb is one atomic, durable step.

import type { AuditReads } from '../audit/audit-log.ts';
import type { Act } from '../identity/act.ts';
import type { AttemptReads, AttemptWrites } from '../lib/attempt.ts';
import type { Awaitable } from '../lib/awaitable.ts';
import type { Timestamp } from '../lib/clock.ts';
import type { CommentReads, CommentWrites } from './comment-store.ts';
import type { DraftReads, DraftWrites } from './draft.ts';
import type { FeedReads } from './feed.ts';
import type { ImportReads, ImportWrites } from './import-store.ts';
import type { LikeReads, LikeWrites } from './like.ts';
import type { NotificationReads, NotificationWrites } from './notification.ts';
import type { OwnDataReads } from './own-data.ts';
import type { Post, PublishedPosts, RemovedPost } from './post.ts';
import type { ReportReads, ReportWrites } from './report.ts';
import type { SearchReads } from './search.ts';
import type { ViewWrites } from './view.ts';

export interface Category {
  id: number;
  slug: string;
  name: string;
}

export interface PreparedText {
  title: string;
  body: string;
  excerpt: string;
  /** What it is found by. */
  words: string;
  categoryId: number;
}

export interface NewPost extends PreparedText {
  userId: number;
  status: 'draft' | 'published';
  /** Points that the author gets in the same step. */
  xp: number;
  at: Timestamp;
}

export interface CommunityReads
  extends AttemptReads,
    DraftReads,
    FeedReads,
    SearchReads,
    CommentReads,
    ImportReads,
    LikeReads,
    NotificationReads,
    ReportReads,
    OwnDataReads,
    AuditReads {
  /** A member's posts that were removed after `since`, by whomever, last removed first. */
  removedPostsOf(userId: number, since: Timestamp): Promise<RemovedPost[]>;
  findPost(id: number): Promise<Post | undefined>;
  /** Some of a member's published posts, newest first, ties by number, and how many there are in all. */
  publishedPostsOf(userId: number, offset: number, limit: number): Awaitable<PublishedPosts>;
  categories(): Promise<Category[]>;
}

export interface CommunityWrites
  extends AttemptWrites,
    DraftWrites,
    CommentWrites,
    ImportWrites,
    LikeWrites,
    NotificationWrites,
    ViewWrites,
    ReportWrites {
  addPost(post: NewPost): Promise<number>;
  /**
   * False unless the post is a draft or published post of this author, and, with `version`, was last changed then.
   * Each change has a moment of its own.
   */
  editPost(
    id: number,
    userId: number,
    text: PreparedText,
    at: Timestamp,
    version?: Timestamp,
  ): Promise<boolean>;
  /** False unless the post is a whole draft of this author; of parallel calls exactly one is true. */
  publishDraft(id: number, userId: number, xp: number, at: Timestamp): Promise<boolean>;
  /** False unless the post is a draft or published post of this author. Takes `xp` back only from a published one. */
  removePost(id: number, userId: number, xp: number, at: Timestamp): Promise<boolean>;
  /** False unless this author removed the post after `since`. Gives `xp` again if it was published. */
  restorePost(id: number, userId: number, xp: number, since: Timestamp): Promise<boolean>;
  /** Adds a category unless one with this slug exists; the category of that slug in either case. */
  ensureCategory(slug: string, name: string, act?: Act): Promise<Category>;
  /** Gives a category another name; its address stays. False if there is no such category. */
  renameCategory(slug: string, name: string, act: Act): Promise<boolean>;
}

export interface CommunityStore extends CommunityReads, CommunityWrites {}
