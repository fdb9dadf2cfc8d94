// What an import asks of storage. Each record is one atomic, durable step of its own, and is remembered in it under the
// id that it has at its source: so it is brought once, however often it comes.

import type { NewUser } from '../identity/store.ts';
import type { Timestamp } from '../lib/clock.ts';
import type { NewPost } from './store.ts';

export type ImportedKind = 'member' | 'post' | 'comment' | 'like';

/** `there`: it was brought before, or has been there all along. `gone`: what it belongs to is not there (any more). */
export type Brought = 'added' | 'there' | 'gone' | 'username_taken' | 'email_taken';

/** A record with the id that it has at its source. */
interface Imported {
  externalId: string;
}

export interface ImportedMember extends Imported {
  user: NewUser;
}

export interface ImportedPost extends Imported, NewPost {
  views: number;
}

/** What a comment or a like brings with it, in the same step. */
export interface Worth {
  /** Points: for a comment to who wrote it, for a like to the author of the post. */
  xp: number;
  /** As in `popularity.ts`. */
  weight: number;
}

export interface ImportedComment extends Imported, Worth {
  postId: number;
  userId: number;
  /** The comment that is answered; undefined for one on the post itself. */
  answeredId: number | undefined;
  body: string;
  at: Timestamp;
}

export interface ImportedLike extends Imported, Worth {
  postId: number;
  userId: number;
  at: Timestamp;
}

/** Each verb that adds takes records in the order in which they were made, and answers for each in that order. */
export interface ImportReads {
  /** The numbers here of those of these records that were brought before. */
  importedRecords(
    source: string,
    kind: ImportedKind,
    externalIds: readonly string[],
  ): Promise<Map<string, number>>;
  /** Whether this member was brought by this source. */
  isImportedMember(source: string, userId: number): Promise<boolean>;
}

export interface ImportWrites {
  /** Says that a member of the source has been here all along. */
  rememberImportedMember(source: string, externalId: string, userId: number): Promise<void>;
  addImportedMembers(source: string, members: readonly ImportedMember[]): Promise<Brought[]>;
  addImportedPosts(source: string, posts: readonly ImportedPost[]): Promise<Brought[]>;
  /** Counts them at their posts. Nobody is told. */
  addImportedComments(source: string, comments: readonly ImportedComment[]): Promise<Brought[]>;
  /** Counts them at their posts. Nobody is told. */
  addImportedLikes(source: string, likes: readonly ImportedLike[]): Promise<Brought[]>;
}

export interface ImportStore extends ImportReads, ImportWrites {}
