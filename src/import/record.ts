// What the readers of the import's formats make of a file: records in one form, whatever program wrote it.

/** Where in the file something stands, for whoever has to look at it. */
export interface Place {
  line?: number;
  /** Where lines say nothing: such as `topic 12, post 3`. */
  record?: string;
}

/** A member, by the name that they have here or by the id that they have in the file. */
export type Person = { name: string } | { id: string };

interface Placed {
  place: Place;
  /** Tells the record from all others of its kind in this source. */
  id: string;
}

export interface MemberRecord extends Placed {
  kind: 'member';
  username: string;
  email?: string | undefined;
  bio?: string | undefined;
  createdAt?: number | undefined;
  password?: string | undefined;
  passwordHash?: string | undefined;
}

export interface CategoryRecord extends Placed {
  kind: 'category';
  name: string;
}

export interface PostRecord extends Placed {
  kind: 'post';
  author: Person;
  title: string;
  /** Markdown; made when it is needed, since what is there already is only passed over. */
  body: () => string;
  category?: string | undefined;
  status: 'draft' | 'published';
  createdAt?: number | undefined;
  views?: number | undefined;
}

export interface CommentRecord extends Placed {
  kind: 'comment';
  author: Person;
  /** The id of the post in the file. */
  post: string;
  body: () => string;
  createdAt?: number | undefined;
  /** The id of a comment in the file. */
  replyTo?: string | undefined;
}

export interface LikeRecord extends Placed {
  kind: 'like';
  by: Person;
  post: string;
  createdAt?: number | undefined;
}

export type ImportRecord = MemberRecord | CategoryRecord | PostRecord | CommentRecord | LikeRecord;
export type RecordKind = ImportRecord['kind'];

/** What can't be taken, and why. */
export interface RefusedRecord {
  kind: 'refused';
  place: Place;
  /** What it was to be, where that can be told. */
  of?: RecordKind | undefined;
  id?: string | undefined;
  reason: string;
}

/** What is no part of a community here, such as an attachment. */
export interface SkippedRecord {
  kind: 'skipped';
  place: Place;
  /** In the plural: it is counted. */
  what: string;
}

export type Found = ImportRecord | RefusedRecord | SkippedRecord;

/** A file that is being read. */
export interface Reading {
  /** Names where the records come from; under this name they are remembered. */
  source: string;
  /** Whether the records were another program's: then what Portico can't have as it is, is made to fit. */
  isForeign: boolean;
  found: AsyncIterable<Found>;
  /** How much of the file has been read, from 0 to 1. */
  share(): number;
}

/** The file can't be read to its end. What came before is in. */
export class DamagedFile extends Error {}

/** What a record's text holds can't be made into a text of here. The message begins with the field. */
export class RefusedText extends Error {}
