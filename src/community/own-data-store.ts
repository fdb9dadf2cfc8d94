// A member's own posts, comments, likes and reports for the download, as reads from storage.

import type { Timestamp } from '../lib/clock.ts';
import type { Cursor } from './feed.ts';
import type { PostStatus } from './post-store.ts';
import type { ReportReason, ReportSubject } from './report-store.ts';

export interface OwnPost {
  id: number;
  status: PostStatus;
  categoryName: string;
  title: string;
  body: string;
  /** As in `Post`. */
  tags: string;
  createdAt: Timestamp;
  updatedAt: Timestamp;
  publishedAt: Timestamp | undefined;
  removedAt: Timestamp | undefined;
  likeCount: number;
  commentCount: number;
  viewCount: number;
}

export interface OwnComment {
  id: number;
  postId: number;
  parentId: number | undefined;
  status: 'published' | 'waiting' | 'removed';
  body: string;
  createdAt: Timestamp;
  editedAt: Timestamp | undefined;
  removedAt: Timestamp | undefined;
}

export interface OwnLike {
  postId: number;
  postTitle: string;
  createdAt: Timestamp;
}

/** A report of a post or comment. */
export interface OwnReport extends ReportSubject {
  id: number;
  reason: ReportReason;
  note: string;
  createdAt: Timestamp;
  resolvedAt: Timestamp | undefined;
}

export interface OwnDataReads {
  /** A member's posts of one status after a cursor, newest first. */
  ownPosts(userId: number, status: PostStatus, after: Cursor, limit: number): Promise<OwnPost[]>;
  /** A member's comments with ids above `after`, oldest first. */
  ownComments(userId: number, after: number, limit: number): Promise<OwnComment[]>;
  /** A member's likes after a cursor, newest first. */
  ownLikes(userId: number, after: Cursor, limit: number): Promise<OwnLike[]>;
  /** The reports that a member sent, with ids above `after`, oldest first. */
  ownReports(userId: number, after: number, limit: number): Promise<OwnReport[]>;
}
