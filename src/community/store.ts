// The port of src/community: its reads and writes in storage. Each method is one atomic, durable step.

import type { Doer } from '../audit/doer.ts';
import type { AttemptReads, AttemptWrites } from '../lib/attempt.ts';
import type { ApprovalReads, ApprovalWrites } from './approval-store.ts';
import type { BookmarkReads, BookmarkWrites } from './bookmark-store.ts';
import type { CommentReads, CommentWrites } from './comment-store.ts';
import type { FeedReads } from './feed-store.ts';
import type { FollowingReads, FollowingWrites } from './following-store.ts';
import type { LikeReads, LikeWrites } from './like-store.ts';
import type { ModerationReads, ModerationWrites } from './moderation-store.ts';
import type { NewsReads, NewsWrites } from './news-store.ts';
import type { NotificationReads, NotificationWrites } from './notification-store.ts';
import type { OldAddressReads } from './old-address.ts';
import type { OwnDataReads } from './own-data-store.ts';
import type { PicturePlaceReads, PicturePlaceWrites, PictureReads, PictureWrites } from './picture-store.ts';
import type { PostListReads } from './post-list-store.ts';
import type { PostReads, PostWrites } from './post-store.ts';
import type { RelatedReads } from './related-store.ts';
import type { ReportReads, ReportWrites } from './report-store.ts';
import type { SearchReads } from './search-store.ts';
import type { TagReads, TagWrites } from './tag-store.ts';
import type { TextReads, TextWrites } from './text-store.ts';
import type { ViewWrites } from './view-store.ts';

export interface Category {
  id: number;
  slug: string;
  name: string;
  /** One line about the category. Can be empty. */
  description: string;
}

export interface CategoryReads {
  /** In the order in which pages show them. */
  categories(): Promise<Category[]>;
  /** The category that a category with this slug was merged into. */
  findMergedCategory(slug: string): Promise<Category | undefined>;
}

export interface CategoryWrites {
  /**
   * Adds a category unless the slug exists. Returns the category with the slug in both cases. Undefined if it would be
   * one more than `most`.
   */
  ensureCategory(by: Doer, slug: string, name: string, most: number): Promise<Category | undefined>;
  /** Renames a category, whose slug stays. Returns false if there is no such category. */
  renameCategory(by: Doer, slug: string, name: string): Promise<boolean>;
  /** Returns false if there is no such category. */
  describeCategory(by: Doer, slug: string, description: string): Promise<boolean>;
  /** Puts the categories with these ids in this order. `moved` is the slug of the one that moved up. */
  orderCategories(by: Doer, moved: string, ids: readonly number[]): Promise<void>;
  /** Moves all posts to the other category and deletes this one. Returns false if one of them doesn't exist. */
  mergeCategory(by: Doer, from: Category, to: Category): Promise<boolean>;
  /** Returns false if the category has posts, in any state, or is the last one. */
  deleteCategory(by: Doer, slug: string): Promise<boolean>;
}

export interface CategoryStore extends CategoryReads, CategoryWrites {}

export interface CommunityReads
  extends ApprovalReads,
    AttemptReads,
    BookmarkReads,
    CategoryReads,
    CommentReads,
    FeedReads,
    FollowingReads,
    LikeReads,
    ModerationReads,
    NewsReads,
    NotificationReads,
    OldAddressReads,
    OwnDataReads,
    PictureReads,
    PicturePlaceReads,
    PostListReads,
    PostReads,
    RelatedReads,
    ReportReads,
    SearchReads,
    TagReads,
    TextReads {}

export interface CommunityWrites
  extends ApprovalWrites,
    AttemptWrites,
    BookmarkWrites,
    CategoryWrites,
    CommentWrites,
    FollowingWrites,
    LikeWrites,
    ModerationWrites,
    NewsWrites,
    NotificationWrites,
    PictureWrites,
    PicturePlaceWrites,
    PostWrites,
    ReportWrites,
    TagWrites,
    TextWrites,
    ViewWrites {}

export interface CommunityStore extends CommunityReads, CommunityWrites {}
