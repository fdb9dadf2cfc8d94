// Pictures in posts and comments. Each was redrawn, belongs to the texts that it was brought into, and is shown as long
// as one of them shows it.

import { hash, randomBytes } from 'node:crypto';
import type { MemberDoer } from '../audit/doer.ts';
import { attempted, dailyLimit } from '../lib/attempt.ts';
import { DAY } from '../lib/clock.ts';
import { isDiskFull } from '../lib/failure-reason.ts';
import type { FileStore } from '../lib/file-store.ts';
import { type PictureProblem, redrawn, type Sender } from '../lib/image.ts';
import { picturePath, SMALLER_WIDTHS, smallerWidths, versionIn } from '../lib/picture-path.ts';
import { StorageUnavailable } from '../lib/storage-unavailable.ts';
import type { Community } from './community.ts';
import type { TooFast } from './pace.ts';
import { readVersion, removeFiles, writeFiles } from './picture-files.ts';
import type { NewPicture, PictureKey, PictureViewer } from './picture-store.ts';

export { pictureIn, picturePath, smallPicturePath } from '../lib/picture-path.ts';

/** Larger files are refused unread. */
export const MOST_FILE_BYTES = 10 * 1024 * 1024;
/** How long an uploaded picture is kept that is in no text (any more). */
export const UNUSED_PICTURE_LIFETIME = 7 * DAY;
/** The format of pictures that are kept. */
export const PICTURE_TYPE = 'image/webp';
// Twice the width of a post on a page. A longer screenshot becomes narrower.
const MOST_SIDES = { width: 1600, height: 3200, smaller: SMALLER_WIDTHS };
const DIGEST_LENGTH = 32;
const SALT_LENGTH = 16;

/** Redraw a file, without its metadata, and small enough for a page. The same image has the same digest. */
export function newPicture(file: Uint8Array): Promise<NewPicture | PictureProblem> {
  return drawnPicture(file, new Uint8Array(), { userId: undefined });
}

async function drawnPicture(
  file: Uint8Array,
  salt: Uint8Array,
  sender: Sender,
): Promise<NewPicture | PictureProblem> {
  const drawing = await redrawn(file, MOST_SIDES, sender);
  if ('problem' in drawing) return drawing;
  const digest = hash('sha256', Buffer.concat([salt, drawing.image]), 'hex').slice(0, DIGEST_LENGTH);
  return { ...drawing, digest, type: PICTURE_TYPE };
}

/**
 * Why an uploaded picture is not added. `no_room`: the member has too many. `not_stored`: the database or the store of
 * files failed; `disk_full`: it has no more room. Nothing is left of the picture.
 */
export type UploadRefusal =
  | PictureProblem
  | ({ problem: 'too_often' } & TooFast)
  | { problem: 'no_room'; mostBytes: number }
  | { problem: 'not_stored' | 'disk_full' | 'not_active' };

/**
 * Add a picture that a member uploads, for a text of theirs. Returns after it is durable. While it waits to be redrawn,
 * the signal can give it up.
 */
export async function addPicture(
  by: MemberDoer,
  community: Community,
  file: Uint8Array,
  signal?: AbortSignal,
): Promise<PictureKey | UploadRefusal> {
  try {
    return await addedPicture(by, community, file, signal);
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error;
    return notStored(community, error);
  }
}

function notStored({ pictures }: Community, error: unknown) {
  pictures.onFailure(error);
  return { problem: isDiskFull(error) ? 'disk_full' : 'not_stored' } as const;
}

async function addedPicture(
  by: MemberDoer,
  community: Community,
  file: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<PictureKey | UploadRefusal> {
  const { reads, writes, pictures } = community;
  const { mostBytes, mostPerDay } = pictures;
  if ((await reads.uploadedBytes(by.userId)) >= mostBytes) return { problem: 'no_room', mostBytes };
  const limit = dailyLimit(by.at, mostPerDay, 'text picture', by.userId);
  const tooFast = await attempted(community, limit);
  if (tooFast !== undefined) return { problem: 'too_often', ...tooFast };
  // With a salt each upload is a picture of its own: it goes with its member, whoever else has the same image, and
  // nobody can compute its path.
  const picture = await drawnPicture(file, randomBytes(SALT_LENGTH), { userId: by.userId, signal });
  if ('problem' in picture) {
    if (picture.problem === 'busy') await writes.takeAttemptBack(limit.subject);
    return picture;
  }
  const refusal = await storeUpload(by, community, picture);
  if (refusal === undefined) return { digest: picture.digest, width: picture.width, height: picture.height };
  if (refusal.problem !== 'not_active') await writes.takeAttemptBack(limit.subject);
  return refusal;
}

async function storeUpload(
  by: MemberDoer,
  community: Community,
  picture: NewPicture,
): Promise<{ problem: 'not_stored' | 'disk_full' | 'not_active' } | undefined> {
  const { writes, pictures } = community;
  const { files } = pictures;
  try {
    if (files !== undefined) await writeUpload(by, community, files, picture);
    const isAdded = await writes.addUpload(by, picture, files !== undefined);
    return isAdded ? undefined : { problem: 'not_active' };
  } catch (error) {
    return notStored(community, error);
  }
}

// The note comes first: whatever ends the upload, `removeLeftoverFiles` finds its files.
async function writeUpload(
  by: MemberDoer,
  { writes }: Community,
  files: FileStore,
  picture: NewPicture,
): Promise<void> {
  const { digest } = picture;
  await writes.noteFiles(by, digest);
  try {
    await writeFiles(files, digest, picture);
  } catch (error) {
    // At once, because others need the room.
    if (isDiskFull(error)) {
      await removeFiles(files, digest).then(
        () => writes.forgetLeftoverFiles([digest]),
        () => {},
      );
    }
    throw error;
  }
}

/**
 * Read a picture for those who can see a text that shows it, or a smaller version. Undefined if there is none for them.
 * `unavailable`: the store of files failed.
 */
export async function readPicture(
  { reads, pictures }: Community,
  { smaller, ...key }: PictureKey & { smaller: number | undefined },
  viewer: PictureViewer,
): Promise<{ type: string; image: Uint8Array } | 'unavailable' | undefined> {
  if (smaller !== undefined && !smallerWidths(key.width).includes(smaller)) return undefined;
  // Twice, because it can be moved between the two reads.
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    const picture = await reads.findPicture(key, viewer, smaller);
    if (!picture?.isFile) return picture;
    try {
      const image = await readVersion(pictures, key.digest, smaller);
      if (image !== undefined) return { type: picture.type, image };
    } catch (error) {
      pictures.onFailure(error);
      return 'unavailable';
    }
  }
  return undefined;
}

// A text is rendered with at most as many.
const MOST_IN_TEXT = 100;

/** The digests of the pictures that a text names, each once. */
export function picturesIn(text: string): string[] {
  const digests = new Set<string>();
  for (const [, digest = ''] of text.matchAll(/\/pictures\/([0-9a-f]{32})-/g)) {
    digests.add(digest);
    if (digests.size === MOST_IN_TEXT) break;
  }
  return [...digests];
}

/**
 * The pictures of the site that a text names, each once in each size, because only one of the sizes leads to a picture.
 * With the description where the text shows it as one.
 */
export function shownPicturesIn(text: string): { picture: PictureKey; description: string }[] {
  const pictures = new Map<string, { picture: PictureKey; description: string }>();
  for (const [, description = '', path = ''] of text.matchAll(NAMED_PICTURE)) {
    const version = versionIn(path);
    if (version === undefined) continue;
    const { digest, width, height } = version;
    const key = picturePath(version);
    if (pictures.get(key)?.description) continue;
    pictures.set(key, { picture: { digest, width, height }, description: unescaped(description) });
    if (pictures.size === MOST_IN_TEXT) break;
  }
  return [...pictures.values()];
}

// The description is bounded, so that no text takes long.
const NAMED_PICTURE =
  /(?:!\[((?:\\.|[^\\[\]]){0,600})\]\(\s{0,9}<?)?(\/pictures\/[0-9a-f]{32}-[\dx-]{3,15}\.webp)/g;

function unescaped(description: string): string {
  return description.replaceAll(/\\(\p{P}|\p{S})/gu, '$1').trim();
}

/** Report whether a text shows a picture of the site without a description. */
export function hasUndescribedPicture(text: string): boolean {
  return /!\[\s*\]\(\/pictures\/[0-9a-f]{32}-/.test(text);
}

/**
 * Put a picture into a text as Markdown, on lines of its own, behind what was written so far. The description is plain
 * text.
 */
export function withPicture(text: string, key: PictureKey, description: string): string {
  const before = text.trimEnd();
  return `${before === '' ? '' : `${before}\n\n`}${markdownOf(key, description)}\n`;
}

/** The Markdown that shows a picture. */
export function markdownOf(key: PictureKey, description: string): string {
  return `![${escapedDescription(description)}](${picturePath(key)})`;
}

export const MOST_DESCRIPTION_CHARACTERS = 250;

// The renderer takes 300 signs, without line breaks.
function escapedDescription(text: string): string {
  const line = [...text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()]
    .slice(0, MOST_DESCRIPTION_CHARACTERS)
    .join('');
  let escaped = '';
  for (const sign of line) {
    const next = /[[\]\\*_`<&]/.test(sign) ? `\\${sign}` : sign;
    if (escaped.length + next.length > 300) break;
    escaped += next;
  }
  return escaped;
}
