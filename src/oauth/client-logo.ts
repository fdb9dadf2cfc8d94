// The logo of an application. An uploaded file is redrawn, as members' pictures are.

import { hash } from 'node:crypto';
import type { Doer } from '../audit/doer.ts';
import { iconOf, type PictureProblem, type Sender } from '../lib/image.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { ClientLogo } from './client-review-store.ts';
import type { Client } from './client-store.ts';

// Pages show it at up to 64 pixels, on screens with up to three dots for each.
const SIDE = 192;
const DIGEST_LENGTH = 32;

/** Redraw a file as a logo: a square with the whole picture, and transparent margins. */
export async function drawnLogo(file: Uint8Array, sender: Sender): Promise<ClientLogo | PictureProblem> {
  const icon = await iconOf(file, SIDE, sender);
  if ('problem' in icon) return icon;
  return { digest: hash('sha256', icon.image, 'hex').slice(0, DIGEST_LENGTH), image: icon.image };
}

/**
 * Set the logo of an application. Members see it once an operator has approved it, or at once if an operator sets it.
 * False if there is no such application.
 */
export function setClientLogo(
  by: Doer,
  { writes }: AuthorizationServer,
  clientId: string,
  logo: ClientLogo,
  isByOperator: boolean,
): Promise<boolean> {
  return writes.setClientLogo(by, clientId, logo, isByOperator);
}

/** Remove the logo of an application. False if it has none. */
export function removeClientLogo(
  by: Doer,
  { writes }: AuthorizationServer,
  clientId: string,
): Promise<boolean> {
  return writes.removeClientLogo(by, clientId);
}

/** The digest of the logo that members see. Undefined if they see none. */
export function shownLogo({
  logo,
  isLogoApproved,
}: Pick<Client, 'logo' | 'isLogoApproved'>): string | undefined {
  return isLogoApproved ? logo : undefined;
}
