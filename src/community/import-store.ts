// The port of the import. Each record is added in one atomic, durable step, which also remembers the record's id at its
// source. So a record is imported once, however often the file is imported.

import type { NewUser } from '../identity/store.ts';
import type { Timestamp } from '../lib/clock.ts';
import type { NewPost } from './store.ts';

export type ImportedKind = 'member' | 'post' | 'comment' | 'like';

/** `already_there`: imported before. `target_missing`: its post, author or parent does not exist here (any more). */
export type ImportOutcome = 'added' | 'already_there' | 'target_missing' | 'username_taken' | 'email_taken';

/** A record with its id at its source. */
interface Imported {
  externalId: string;
}

export interface ImportedMember extends Imported {
  user: NewUser;
}

export interface ImportedPost extends Imported, NewPost {
  views: number;
}

/** The effect of a comment or a like, applied in the same step. */
export interface Worth {
  /** Points: of a comment for its author, of a like for the author of the post. */
  xp: number;
  /** As in `popularity.ts`. */
  weight: number;
}

export interface ImportedComment extends Imported, Worth {
  postId: number;
  userId: number;
  /** The parent comment; undefined for a comment on the post itself. */
  answeredId: number | undefined;
  body: string;
  at: Timestamp;
}

export interface ImportedLike extends Imported, Worth {
  postId: number;
  userId: number;
  at: Timestamp;
}

export interface ImportReads {
  /** The ids here of these records, for those that were imported before. */
  importedRecords(
    source: string,
    kind: ImportedKind,
    externalIds: readonly string[],
  ): Promise<Map<string, number>>;
  /** Whether this member was imported from this source. */
  isImportedMember(source: string, userId: number): Promise<boolean>;
}

/** Methods that add take records in the order of their creation, and return an outcome for each in the same order. */
export interface ImportWrites {
  /** Remembers that a member of the source has this account here. */
  rememberImportedMember(source: string, externalId: string, userId: number): Promise<void>;
  addImportedMembers(source: string, members: readonly ImportedMember[]): Promise<ImportOutcome[]>;
  addImportedPosts(source: string, posts: readonly ImportedPost[]): Promise<ImportOutcome[]>;
  /** Also counts them at their posts. Sends no notifications. */
  addImportedComments(source: string, comments: readonly ImportedComment[]): Promise<ImportOutcome[]>;
  /** Also counts them at their posts. Sends no notifications. */
  addImportedLikes(source: string, likes: readonly ImportedLike[]): Promise<ImportOutcome[]>;
}

export interface ImportStore extends ImportReads, ImportWrites {}
