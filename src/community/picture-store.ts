// The port for the pictures in posts and comments.

import type { MemberDoer } from '../audit/doer.ts';
import type { Timestamp } from '../lib/clock.ts';
import type { SmallerPicture } from '../lib/drawing-process.ts';
import type { PictureKey } from '../lib/picture-path.ts';

export type { PictureKey } from '../lib/picture-path.ts';

/** The bytes of a picture, with its smaller versions. */
export interface Images {
  image: Uint8Array;
  smaller: readonly SmallerPicture[];
}

/** A redrawn picture. */
export interface NewPicture extends PictureKey, Images {
  type: string;
}

/** A picture that may be moved to another place. */
export interface PlacedPicture {
  id: number;
  digest: string;
}

/** A stored picture, or a smaller version of it. */
export interface StoredPicture {
  type: string;
  /** Empty if the picture is in the store of files. */
  image: Uint8Array;
  isFile: boolean;
}

/** Who wants to see a picture. */
export interface PictureViewer {
  /** Undefined for a visitor. */
  userId: number | undefined;
  canModerate: boolean;
}

/** A picture in a text of a member, for the download of their data. */
export interface OwnPicture extends PictureKey {
  id: number;
  type: string;
  /** In bytes. */
  size: number;
  /** Undefined for a picture that was uploaded and is in no text yet. */
  postId: number | undefined;
  commentId: number | undefined;
}

/** The pictures of a text that is stored. */
export interface PicturesOfText {
  /** Of all paths of pictures in the text, also of other members' pictures. */
  pictures?: readonly string[];
}

export interface PictureReads {
  /**
   * The picture, if a text that it was brought into still shows it and the viewer can see the text, or if the viewer
   * uploaded it. `smaller` is the width of a smaller version; a picture without it is returned itself.
   */
  findPicture(
    key: PictureKey,
    viewer: PictureViewer,
    smaller?: number | undefined,
  ): Promise<StoredPicture | undefined>;
  /** The pictures that were brought into a post, without those of its comments. */
  picturesOfPost(postId: number): Promise<OwnPicture[]>;
  picturesOfComment(commentId: number): Promise<OwnPicture[]>;
  /** The pictures that a member uploaded and that are in no text, with ids above `after`. */
  ownUnusedPictures(userId: number, after: number, limit: number): Promise<OwnPicture[]>;
  /** The bytes of all pictures that a member uploaded, without their smaller versions. */
  uploadedBytes(userId: number): Promise<number>;
  /** The files that may be without a picture since `before`, oldest first. */
  leftoverFiles(before: Timestamp, limit: number): Promise<LeftoverFile[]>;
}

/** Files that are to be deleted unless there is a picture with this digest. */
export interface LeftoverFile {
  digest: string;
  since: Timestamp;
  hasPicture: boolean;
}

export interface PictureWrites {
  /**
   * Adds an uploaded picture, whose bytes are stored with it unless they are in the store of files already. Returns
   * false if the member's account is not active.
   */
  addUpload(by: MemberDoer, picture: NewPicture, isFile: boolean): Promise<boolean>;
  /** Notes, before files are written, that they are left over unless `addUpload` follows. */
  noteFiles(by: MemberDoer, digest: string): Promise<void>;
  /** Forgets files that have been deleted, or that belong to a picture. */
  forgetLeftoverFiles(digests: readonly string[]): Promise<void>;
}

export interface PicturePlaceReads {
  /** The pictures that are (not) in a store of files, with ids above `after`. */
  picturesIn(isFile: boolean, after: number, limit: number): Promise<PlacedPicture[]>;
  /** How many pictures are (not) in a store of files, counted up to `most`. */
  countPictures(isFile: boolean, most: number): Promise<number>;
  /** The bytes of a picture in the database. Undefined if it is not there (any more). */
  imagesOf(pictureId: number): Promise<Images | undefined>;
}

export interface PicturePlaceWrites {
  /** Changes the date of a note. Returns false if the note or its date is another one, or the files have a picture. */
  redateLeftoverFiles(digest: string, from: Timestamp, to: Timestamp): Promise<boolean>;
  /**
   * Notes, before files of a stored picture are written, that they may be left over. Returns false if a note has a
   * later date: the files are being deleted.
   */
  noteMove(digest: string, at: Timestamp): Promise<boolean>;
  /**
   * Says that a picture is in the store of files now, deletes its bytes, and forgets the note of this date. Without
   * that note it changes nothing and returns false: another run is moving the picture.
   */
  moveToFiles(picture: PlacedPicture, notedAt: Timestamp): Promise<boolean>;
  /** Stores the bytes of a picture, and notes that its files are left over. Returns false if it is not a file. */
  moveToDatabase(picture: PlacedPicture, images: Images): Promise<boolean>;
  /** Forgets the note about files. Returns false if they belong to no picture (any more): then the note stays. */
  keepFiles(digest: string): Promise<boolean>;
}
