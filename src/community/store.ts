// The port of src/community: its reads and writes in storage. Each method is one atomic, durable step.

import type { Doer } from '../audit/doer.ts';
import type { AttemptReads, AttemptWrites } from '../lib/attempt.ts';
import type { CommentReads, CommentWrites } from './comment-store.ts';
import type { FeedReads } from './feed-store.ts';
import type { LikeReads, LikeWrites } from './like-store.ts';
import type { NotificationReads, NotificationWrites } from './notification-store.ts';
import type { OwnDataReads } from './own-data-store.ts';
import type { PostListReads } from './post-list-store.ts';
import type { PostReads, PostWrites } from './post-store.ts';
import type { ReportReads, ReportWrites } from './report-store.ts';
import type { SearchReads } from './search-store.ts';
import type { TextReads, TextWrites } from './text-store.ts';
import type { ViewWrites } from './view-store.ts';

export interface Category {
  id: number;
  slug: string;
  name: string;
}

export interface CategoryReads {
  categories(): Promise<Category[]>;
}

export interface CategoryWrites {
  /** Adds a category unless the slug exists. Returns the category with the slug in both cases. */
  ensureCategory(by: Doer, slug: string, name: string): Promise<Category>;
  /** Renames a category, whose slug stays. Returns false if there is no such category. */
  renameCategory(by: Doer, slug: string, name: string): Promise<boolean>;
}

export interface CategoryStore extends CategoryReads, CategoryWrites {}

export interface CommunityReads
  extends AttemptReads,
    CategoryReads,
    CommentReads,
    FeedReads,
    LikeReads,
    NotificationReads,
    OwnDataReads,
    PostListReads,
    PostReads,
    ReportReads,
    SearchReads,
    TextReads {}

export interface CommunityWrites
  extends AttemptWrites,
    CategoryWrites,
    CommentWrites,
    LikeWrites,
    NotificationWrites,
    PostWrites,
    ReportWrites,
    TextWrites,
    ViewWrites {}

export interface CommunityStore extends CommunityReads, CommunityWrites {}
