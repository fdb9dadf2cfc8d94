// The cards and icons that were drawn. They can be drawn again at any time.

import type { SystemDoer } from '../audit/doer.ts';

export interface DrawingKey {
  /** Of what it is, such as `post 7`. There is one drawing of each name. */
  name: string;
  /** A digest of everything that is on it. */
  version: string;
}

export interface NewDrawing extends DrawingKey {
  /** The member whose name is on it. */
  userId: number | undefined;
  /** PNG. */
  image: Uint8Array;
}

export interface DrawingReads {
  findDrawing(key: DrawingKey): Promise<Uint8Array | undefined>;
}

export interface DrawingWrites {
  /** Keeps a drawing in place of the one of this name. Does nothing if the member has closed the account. */
  keepDrawing(by: SystemDoer, drawing: NewDrawing): Promise<void>;
}
