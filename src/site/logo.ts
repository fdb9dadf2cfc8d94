// The community's logo: in the header of every page, and the icon of its tab.

import { hash } from 'node:crypto';
import type { Doer } from '../audit/doer.ts';
import { iconOf, type PictureProblem } from '../lib/image.ts';
import type { Site } from './site.ts';

// An iPhone's home screen shows 180 pixels, and the header three times 36.
const SIDE = 192;
const VERSION_LENGTH = 12;

/** Make an uploaded file the logo, or say why the file is refused. */
export async function setLogo(
  by: Doer,
  { writes }: Site,
  file: Uint8Array,
  signal?: AbortSignal,
): Promise<PictureProblem | undefined> {
  const icon = await iconOf(file, SIDE, { userId: 'userId' in by ? by.userId : undefined, signal });
  if ('problem' in icon) return icon;
  await writes.saveLogo(by, hash('sha256', icon.image, 'hex').slice(0, VERSION_LENGTH), icon.image);
  return undefined;
}

/** Remove the logo. The drawn arch takes its place. */
export function removeLogo(by: Doer, { writes }: Site): Promise<void> {
  return writes.removeLogo(by);
}
