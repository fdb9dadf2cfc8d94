// The port for the pictures in posts and comments.

import type { PictureKey } from '../lib/picture-path.ts';

export type { PictureKey } from '../lib/picture-path.ts';

/** A redrawn picture. */
export interface NewPicture extends PictureKey {
  type: string;
  image: Uint8Array;
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
  postId: number;
  commentId: number | undefined;
}

export interface PictureReads {
  /** The picture, if a text that it was brought into still shows it, and the viewer can see the text. */
  findPicture(
    key: PictureKey,
    viewer: PictureViewer,
  ): Promise<{ type: string; image: Uint8Array } | undefined>;
  /** The pictures in a member's texts, with ids above `after`. */
  ownPictures(userId: number, after: number, limit: number): Promise<OwnPicture[]>;
}
