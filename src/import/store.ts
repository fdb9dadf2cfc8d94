// The port of the import. The atomic, durable step that adds a record also remembers the record's id at its
// source, so a record is imported once, however often its file is.

import type { Doer } from '../audit/doer.ts';
import type { NewComment } from '../community/comment-store.ts';
import type { LikeRecord } from '../community/like-store.ts';
import type { NewPicture, PictureKey } from '../community/picture-store.ts';
import type { NewPost, PostStatus } from '../community/post-store.ts';
import type { Category, CategoryReads } from '../community/store.ts';
import type { NewUser } from '../identity/store.ts';
import type { User } from '../identity/user.ts';
import type { Timestamp } from '../lib/clock.ts';

export type ImportedKind = 'member' | 'post' | 'comment' | 'like';

/**
 * `already_there`: the record was imported before, or the member likes the post already. `target_missing`:
 * its post or author doesn't exist here (any more).
 */
export type ImportOutcome = 'added' | 'already_there' | 'target_missing' | 'username_taken' | 'email_taken';

/** A record with its id at its source. */
interface Imported {
  externalId: string;
}

export interface ImportedMember extends Imported {
  user: NewUser;
  /** The username at the source, if the member gets another one here. */
  foreignName?: string | undefined;
}

export interface ImportedPost extends Imported, NewPost {
  views: number;
  at: Timestamp;
}

export interface ImportedComment extends Imported, Omit<NewComment, 'replyTo' | 'isWaiting' | 'mentioned'> {
  userId: number;
  /** The comment that this one replies to; undefined for a comment on the post itself. */
  answeredId: number | undefined;
  at: Timestamp;
}

export interface ImportedLike extends Imported, LikeRecord {
  userId: number;
  at: Timestamp;
}

/** A run of the command. */
export interface NewImport {
  /** The name of the community that the records come from. */
  source: string;
  format: string;
}

/** What decides whether a member can comment on a post, or like it. Statuses are undefined for unknown ids. */
export interface Standing {
  memberStatus: User['status'] | undefined;
  postStatus: PostStatus | undefined;
  authorId: number | undefined;
  isLiked: boolean;
}

/** The text of an imported post or comment that can show pictures. */
export interface TextWithPictures extends Imported {
  kind: 'post' | 'comment';
  id: number;
  /** The post, or the post that the comment is on. */
  postId: number;
  userId: number;
  body: string;
}

export interface ImportReads extends Pick<CategoryReads, 'categories'> {
  /** The ids here of these records, for those that were imported before. */
  importedRecords(
    source: string,
    kind: ImportedKind,
    externalIds: readonly string[],
  ): Promise<Map<string, number>>;
  /** Whether this member was imported from this source. */
  isImportedMember(source: string, userId: number): Promise<boolean>;
  /** How a member and a post stand to each other. */
  standing(userId: number, postId: number): Promise<Standing>;
  findUserByName(usernameKey: string): Promise<User | undefined>;
  findUserByEmail(emailKey: string): Promise<User | undefined>;
  /** The texts from this source that can show pictures, by their ids there. Without those that were removed. */
  textsWithPictures(
    source: string,
    kind: TextWithPictures['kind'],
    after: string,
    limit: number,
  ): Promise<TextWithPictures[]>;
}

/**
 * The audit log has one entry for a whole import, which `beginImport` writes. Methods that add take records
 * in the order of their creation, and return an outcome for each in the same order.
 */
export interface ImportWrites {
  beginImport(by: Doer, run: NewImport): Promise<void>;
  /** As `ensureCategory` of `CategoryWrites`. */
  ensureImportedCategory(slug: string, name: string, most: number): Promise<Category | undefined>;
  /** Remembers that a member of the source has this account here. */
  rememberImportedMember(source: string, externalId: string, userId: number): Promise<void>;
  addImportedMembers(source: string, members: readonly ImportedMember[]): Promise<ImportOutcome[]>;
  addImportedPosts(source: string, posts: readonly ImportedPost[]): Promise<ImportOutcome[]>;
  /** Also counts them at their posts. Sends no notifications. */
  addImportedComments(source: string, comments: readonly ImportedComment[]): Promise<ImportOutcome[]>;
  /** Also counts them at their posts. Sends no notifications. */
  addImportedLikes(source: string, likes: readonly ImportedLike[]): Promise<ImportOutcome[]>;
  /** Remembers the addresses of records of this kind, of those that were imported. */
  addOldAddresses(
    source: string,
    kind: ImportedKind,
    addresses: readonly { externalId: string; address: string }[],
  ): Promise<void>;
  /**
   * Stores a picture, or uses one that is stored, and puts the new body in place of the text. Returns false if the
   * text was changed or removed since it was read.
   */
  addPicture(
    text: TextWithPictures,
    revised: { body: string; excerpt: string },
    picture: NewPicture | PictureKey,
    at: Timestamp,
  ): Promise<boolean>;
  addOldAddressesOfCategories(addresses: readonly { categoryId: number; address: string }[]): Promise<void>;
}

export interface ImportStore extends ImportReads, ImportWrites {}
