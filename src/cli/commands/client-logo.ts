// The option for the logo of an application.

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { SystemDoer } from '../../audit/doer.ts';
import { MOST_PICTURE_BYTES } from '../../identity/avatar.ts';
import { failureReason } from '../../lib/failure-reason.ts';
import { Refusal } from '../../lib/refusal.ts';
import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import { drawnLogo, removeClientLogo, setClientLogo } from '../../oauth/client-logo.ts';
import type { ClientLogo } from '../../oauth/client-review-store.ts';
import type { Options } from '../options.ts';

export const LOGO_OPTION = {
  logo: { kind: 'text', value: 'FILE', summary: 'a picture that members see beside the name, or none' },
} as const satisfies Options;

/** Read and redraw the picture that the option names. Undefined: there is to be no logo. */
export async function readLogo(file: string): Promise<ClientLogo | undefined> {
  if (file === 'none') return undefined;
  const bytes = await readFile(file).catch((error) => {
    const reason = `--logo: ${resolve(file)} can't be read: ${failureReason(error)}.`;
    throw new Refusal('file_unreadable', reason);
  });
  if (bytes.byteLength > MOST_PICTURE_BYTES) {
    throw new Refusal('picture_unusable', `--logo: ${resolve(file)} is larger than 5 MB.`);
  }
  const logo = await drawnLogo(bytes, { userId: undefined });
  if (!('problem' in logo)) return logo;
  const rest =
    logo.problem === 'not_a_picture'
      ? "can't be read as a picture. Pass a PNG, JPEG, WebP, GIF or AVIF file."
      : 'is too large to be converted. Make it smaller.';
  throw new Refusal('picture_unusable', `--logo: ${resolve(file)} ${rest}`);
}

/** Set the logo, or remove it. Members see it at once. */
export async function saveLogo(
  by: SystemDoer,
  oauth: AuthorizationServer,
  clientId: string,
  logo: ClientLogo | undefined,
): Promise<void> {
  if (logo === undefined) await removeClientLogo(by, oauth, clientId);
  else await setClientLogo(by, oauth, clientId, logo, true);
}
