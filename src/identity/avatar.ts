// A member's picture. An uploaded file is redrawn as a small square, without its metadata.

import { hash } from 'node:crypto';
import type { MemberDoer } from '../audit/doer.ts';
import { attempted, hourlyLimit, type TooFast } from '../lib/attempt.ts';
import { type PictureProblem, squareOf } from '../lib/image.ts';
import type { Identity } from './identity.ts';

/** Larger files are refused unread. */
export const MOST_PICTURE_BYTES = 5 * 1024 * 1024;
// Twice the largest size at which a page shows a picture.
const SIDE = 256;
const VERSION_LENGTH = 12;
// Redrawing a picture can take the processor several seconds, so this limits what one member can use.
const MOST_PICTURES_AN_HOUR = 10;

/** Why a picture is refused. */
export type AvatarProblem = PictureProblem | ({ problem: 'too_often' } & TooFast);

/** Make an uploaded file the member's picture, or say why the file is refused. */
export async function setAvatar(
  by: MemberDoer,
  identity: Identity,
  file: Uint8Array,
  signal?: AbortSignal,
): Promise<AvatarProblem | undefined> {
  const square = await pacedPicture(by, identity, () => squareOf(file, SIDE, { userId: by.userId, signal }));
  if ('problem' in square) return square;
  const version = hash('sha256', square.image, 'hex').slice(0, VERSION_LENGTH);
  await identity.writes.setAvatar(by, version, square.image);
  return undefined;
}

/** Redraw a picture that a member uploads, within what one member may use. */
export async function pacedPicture<P extends object>(
  by: Pick<MemberDoer, 'userId' | 'at'>,
  identity: Identity,
  draw: () => Promise<P | PictureProblem>,
): Promise<P | AvatarProblem> {
  const limit = hourlyLimit(by.at, MOST_PICTURES_AN_HOUR, 'picture', by.userId);
  const tooFast = await attempted(identity, limit);
  if (tooFast !== undefined) return { problem: 'too_often', ...tooFast };
  const picture = await draw();
  if ('problem' in picture && picture.problem === 'busy') {
    await identity.writes.takeAttemptBack(limit.subject);
  }
  return picture;
}

/** Remove the member's picture. A picture drawn from the member's id takes its place. */
export function removeAvatar(by: MemberDoer, { writes }: Identity): Promise<void> {
  return writes.removeAvatar(by);
}
