// The paths of pictures in texts. A path has the size, so a page needs no look at the database to leave room for the
// picture and to name its smaller versions.

/** Names the picture. Its path contains all three. */
export interface PictureKey {
  /** In hexadecimal. */
  digest: string;
  width: number;
  height: number;
}

/** The widths of the smaller versions of a picture, in pixels. A picture that is no wider doesn't have them. */
export const SMALLER_WIDTHS = [320, 640, 1120] as const;

// The column of a post is as wide as the page up to this width.
const SIZES = '(max-width: 46rem) 100vw, 46rem';

/** Make the path of a picture, as texts refer to it. */
export function picturePath(key: PictureKey): string {
  return `${stemOf(key)}.webp`;
}

/** Read the path of a picture. */
export function pictureIn(path: string): PictureKey | undefined {
  const version = versionIn(path);
  if (version === undefined || version.smaller !== undefined) return undefined;
  const { digest, width, height } = version;
  return { digest, width, height };
}

/** Read the path of a picture or of a smaller version of it. */
export function versionIn(path: string): (PictureKey & { smaller: number | undefined }) | undefined {
  const [, digest, width, height, smaller] = VERSION.exec(path) ?? [];
  if (digest === undefined) return undefined;
  const key = { digest, width: Number(width), height: Number(height) };
  return { ...key, smaller: smaller === undefined ? undefined : Number(smaller) };
}

const VERSION = /^\/pictures\/([0-9a-f]{32})-([1-9]\d{0,3})x([1-9]\d{0,3})(?:-([1-9]\d{2,3}))?\.webp$/;

/** The smaller widths that a picture of this width has. */
export function smallerWidths(width: number): number[] {
  return SMALLER_WIDTHS.filter((smaller) => smaller < width);
}

/** Make the path of the narrowest version of a picture that has at least this width, for a list. */
export function smallPicturePath(key: PictureKey, least: number): string {
  const width = smallerWidths(key.width).find((smaller) => smaller >= least);
  return width === undefined ? picturePath(key) : smallerPath(key, width);
}

/** The attributes of an image from which a browser chooses a version. Empty for a picture that has only one. */
export function versionAttributes(key: PictureKey): { srcset?: string; sizes?: string } {
  const smaller = smallerWidths(key.width);
  if (smaller.length === 0) return {};
  const versions = smaller.map((width) => `${smallerPath(key, width)} ${width}w`);
  return { srcset: [...versions, `${picturePath(key)} ${key.width}w`].join(', '), sizes: SIZES };
}

function smallerPath(key: PictureKey, width: number): string {
  return `${stemOf(key)}-${width}.webp`;
}

function stemOf({ digest, width, height }: PictureKey): string {
  return `/pictures/${digest}-${width}x${height}`;
}
