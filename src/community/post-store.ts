// Posts: their records, and their reads and writes in storage.

import type { Doer, MemberDoer } from '../audit/doer.ts';
import type { Awaitable } from '../lib/awaitable.ts';
import type { Timestamp } from '../lib/clock.ts';
import type { Cursor } from './feed.ts';
import type { PicturesOfText } from './picture-store.ts';
import type { PostLanguage } from './post-language.ts';
import type { TextFacts } from './text-facts.ts';
import type { NewRendering, StoredRendering } from './text-store.ts';

export type PostStatus = 'draft' | 'published' | 'removed';

export interface Post extends StoredRendering {
  id: number;
  userId: number;
  authorName: string;
  /** As in `User`. */
  authorAvatar: string | undefined;
  categoryName: string;
  categorySlug: string;
  status: PostStatus;
  title: string;
  /** Markdown. */
  body: string;
  /** Plain text. */
  excerpt: string;
  /** A JSON array of names, which `tagsIn` reads. */
  tags: string;
  /** Undefined until the server has read a text that an older program stored. */
  language: PostLanguage | undefined;
  /** As `language`. */
  readingMinutes: number | undefined;
  /**
   * The path of the first picture in the text, with its size; `pictureIn` and `smallPicturePath` read it. Undefined if
   * the text has none, or was not rendered yet.
   */
  picture: string | undefined;
  createdAt: Timestamp;
  updatedAt: Timestamp;
  publishedAt: Timestamp | undefined;
  /** When comments were closed. Undefined: members can comment. */
  lockedAt: Timestamp | undefined;
  /** When the post was pinned to the top of the lists. */
  pinnedAt: Timestamp | undefined;
  likeCount: number;
  commentCount: number;
  viewCount: number;
}

/** A post in a list, without its body. */
export type PostSummary = Omit<Post, 'body' | 'lockedAt' | 'pinnedAt' | keyof StoredRendering>;

/** A removed post, as its author sees it in the list of posts to restore. */
export interface RemovedPost extends PostSummary {
  removedAt: Timestamp;
  /** The author can't restore a post that an operator removed. */
  isByOperator: boolean;
  /** Whether it has open reports. The author can restore it after operators have decided to keep it. */
  isReported: boolean;
}

/** A page of a member's published posts, and the number of all of them. */
export interface PublishedPosts {
  items: readonly PostSummary[];
  total: number;
}

/** A text as it is stored, with the parts that are computed from it. */
export interface PreparedText extends NewRendering, PicturesOfText, Partial<TextFacts> {
  title: string;
  body: string;
  excerpt: string;
  /** As in `Post`. */
  picture?: string | undefined;
  categoryId: number;
  /** A JSON array of names. Left out, an edit keeps the tags that the post has. */
  tags?: string | undefined;
}

/** The text of a published post, with its words for the search index. */
export interface PublishedText extends PreparedText {
  words: string;
  /** Members to tell that the text mentions them, if the post is published. */
  mentioned?: readonly number[];
}

/** What a post gets when it is published, or restored as a published post. */
export interface Publication {
  /** The version of the text that has these words. */
  version: Timestamp;
  /** For the search index. */
  words: string;
  /** Points that the author earns in the same step. */
  xp: number;
  /** Members to tell that the text mentions them. */
  mentioned?: readonly number[];
}

export interface NewPost extends PreparedText {
  userId: number;
  status: 'draft' | 'published';
  /** For the search index, which has no drafts. */
  words: string;
  /** Points that the author earns in the same step. */
  xp: number;
  /** Members to tell that the text mentions them. */
  mentioned?: readonly number[];
}

export interface PostSize {
  id: number;
  /** The bytes of its HTML, or of its Markdown if it was not rendered yet. */
  bytes: number;
}

export interface PostReads {
  findPost(id: number): Promise<Post | undefined>;
  /** The sizes of published posts with these ids, without reading their texts. */
  postSizes(ids: readonly number[]): Promise<PostSize[]>;
  /** A page of a member's published posts, newest first, ties by id, and the number of all of them. */
  publishedPostsOf(userId: number, offset: number, limit: number): Awaitable<PublishedPosts>;
  /** A member's drafts after a cursor, last changed first. */
  draftsOf(userId: number, after: Cursor, limit: number): Promise<PostSummary[]>;
  /** How many drafts a member has, and how many removed ones that are not deleted yet. */
  countDrafts(userId: number): Promise<{ drafts: number; removed: number }>;
  /** A member's posts that the member or an operator removed after `since`, last removed first. */
  removedPostsOf(userId: number, since: Timestamp): Promise<RemovedPost[]>;
}

/**
 * Members change their own posts only: a method does nothing to the post of another member. For a member whose
 * account is not active they only remove.
 */
export interface PostWrites {
  /** Returns undefined if the author's account is not active. */
  addPost(by: Doer, post: NewPost): Promise<number | undefined>;
  /**
   * Changes a draft, if `version` is left out or is still its version. Returns the new version: the time of
   * the change, which is different for each change. Returns undefined if nothing was changed.
   */
  saveDraft(
    by: MemberDoer,
    id: number,
    text: PreparedText,
    version?: Timestamp,
  ): Promise<Timestamp | undefined>;
  /** As `saveDraft`, for a published post or a draft. */
  editPost(
    by: MemberDoer,
    id: number,
    text: PublishedText,
    version?: Timestamp,
  ): Promise<Timestamp | undefined>;
  /**
   * Publishes a draft that has a title and a body and still is of this version. Of parallel calls exactly one
   * returns true.
   */
  publishDraft(by: MemberDoer, id: number, publication: Publication): Promise<boolean>;
  /** Removes a draft or a published post. Takes back `xp` if the post was published. */
  removePost(by: MemberDoer, id: number, xp: number): Promise<boolean>;
  /**
   * Restores a post that the member removed after `since` and that has no open reports. If it was published,
   * the search finds it again, and the member gets the points back.
   */
  restorePost(by: MemberDoer, id: number, publication: Publication, since: Timestamp): Promise<boolean>;
}
