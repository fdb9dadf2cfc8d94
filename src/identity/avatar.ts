// The picture of a member: whatever they send is drawn anew, small and without what else the file tells.

import { hash } from 'node:crypto';
import type { Timestamp } from '../lib/clock.ts';
import { type PictureProblem, squareOf } from '../lib/image.ts';
import type { Identity } from './identity.ts';

/** Larger files are not looked at. */
export const MOST_PICTURE_BYTES = 5 * 1024 * 1024;
// Twice the size of the largest place that it is shown at.
const SIDE = 256;
const VERSION_LENGTH = 12;

export interface AvatarStore {
  /** Keeps a picture in place of the one before. False if the account is closed. */
  setAvatar(userId: number, version: string, image: Uint8Array, at: Timestamp): Promise<boolean>;
  removeAvatar(userId: number): Promise<void>;
  /** The picture, if the member has it now in just this version. */
  findAvatar(userId: number, version: string): Promise<Uint8Array | undefined>;
}

/** Makes a file that a member sent their picture, or says why it can't be one. */
export async function takePicture(
  identity: Identity,
  userId: number,
  file: Uint8Array,
): Promise<PictureProblem | 'too_large' | undefined> {
  if (file.byteLength > MOST_PICTURE_BYTES) return 'too_large';
  const drawn = await squareOf(file, SIDE);
  if ('problem' in drawn) return drawn.problem;
  const version = hash('sha256', drawn.image, 'hex').slice(0, VERSION_LENGTH);
  await identity.writes.setAvatar(userId, version, drawn.image, identity.clock());
  return undefined;
}
