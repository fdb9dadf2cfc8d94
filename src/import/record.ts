// The entries of an import file in one form, whatever program wrote it.

/** The place of an entry in the file, for the report. */
export interface Place {
  line?: number;
  /** For formats without meaningful lines, such as `topic 12, post 3`. */
  record?: string;
}

/** A member, by their username here or by their id in the file. */
export type Person = { name: string } | { id: string };

interface RecordBase {
  place: Place;
  /** Identifies the record among all records of its kind from this source. */
  id: string;
  /** The paths that the record had there, in the form of `community/old-address.ts`. */
  addresses?: readonly string[] | undefined;
}

export interface MemberRecord extends RecordBase {
  kind: 'member';
  username: string;
  email?: string | undefined;
  bio?: string | undefined;
  createdAt?: number | undefined;
  password?: string | undefined;
  passwordHash?: string | undefined;
}

export interface CategoryRecord extends RecordBase {
  kind: 'category';
  name: string;
}

export interface PostRecord extends RecordBase {
  kind: 'post';
  author: Person;
  title: string;
  /**
   * Converts the text to Markdown. A function, since records that were imported before need no conversion.
   */
  body: () => string;
  category?: string | undefined;
  tags?: readonly string[] | undefined;
  status: 'draft' | 'published';
  createdAt?: number | undefined;
  views?: number | undefined;
}

export interface CommentRecord extends RecordBase {
  kind: 'comment';
  author: Person;
  /** The id of the post in the file. */
  post: string;
  body: () => string;
  createdAt?: number | undefined;
  /** The id of the parent comment in the file. */
  replyTo?: string | undefined;
}

export interface LikeRecord extends RecordBase {
  kind: 'like';
  by: Person;
  post: string;
  createdAt?: number | undefined;
}

export type ImportRecord = MemberRecord | CategoryRecord | PostRecord | CommentRecord | LikeRecord;
export type RecordKind = ImportRecord['kind'];

/** An entry that can't be imported, with the reason. */
export interface RefusedEntry {
  kind: 'refused';
  place: Place;
  /** The kind of record that the entry was meant to be, if known. */
  recordKind?: RecordKind | undefined;
  id?: string | undefined;
  reason: string;
}

/** An entry that has no counterpart here, such as an attachment. */
export interface SkippedEntry {
  kind: 'skipped';
  place: Place;
  /** The sort of entry, in the plural: the report counts by it. */
  sort: string;
}

export type FileEntry = ImportRecord | RefusedEntry | SkippedEntry;

/** An import file that is open for reading. */
export interface ImportFile {
  /**
   * The name of the community that the records come from. Imported records are remembered under this name.
   */
  source: string;
  /** Whether another program wrote the file. Values that break the rules here are then changed to fit. */
  isForeign: boolean;
  entries: AsyncIterable<FileEntry>;
  /** The share of the file that has been read, from 0 to 1. */
  progress(): number;
}

/** The file can't be read to its end. The entries before the damage were read. */
export class DamagedFile extends Error {}

/** The text of a record can't be converted to Markdown. The message begins with the field. */
export class RefusedText extends Error {}
