// Bookmarks: their reads and writes in storage.

import type { MemberDoer } from '../audit/doer.ts';
import type { Timestamp } from '../lib/clock.ts';
import type { Cursor } from './feed.ts';
import type { PostSummary } from './post-store.ts';

export interface BookmarkedPost extends PostSummary {
  bookmarkedAt: Timestamp;
}

export interface BookmarkReads {
  hasBookmarked(postId: number, userId: number): Promise<boolean>;
  /** The published posts that a member bookmarked, after a cursor, last bookmarked first. */
  bookmarkedPosts(userId: number, after: Cursor, limit: number): Promise<BookmarkedPost[]>;
}

export interface BookmarkWrites {
  /**
   * Returns true once for each bookmark, and false if the post is not published or has the member's bookmark already,
   * or if the member is not active or has `most` bookmarks.
   */
  addBookmark(by: MemberDoer, postId: number, most: number): Promise<boolean>;
  /** Returns false if there is no bookmark. */
  removeBookmark(by: MemberDoer, postId: number): Promise<boolean>;
}

export interface BookmarkStore extends BookmarkReads, BookmarkWrites {}
