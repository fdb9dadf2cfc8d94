// The application with which `doctor` tries a sign-in. It exists for seconds and leaves nothing behind.

import { HOUR } from '../lib/clock.ts';
import { timeOrderedKey } from '../lib/secrets.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { firstSecret, NO_MANAGEMENT } from './client.ts';
import { NO_INTRODUCTION } from './introduction.ts';
import { mintToken } from './token.ts';

const NAME = 'Doctor (temporary)';
// A younger application belongs to a check that is still running.
const LEFT_OVER_AFTER = 1 * HOUR;

/** Register the application, which has no owner. Nothing is recorded about it, since it is deleted again. */
export async function createTemporaryClient(
  { writes, brand, clock }: AuthorizationServer,
  redirectUri: string,
): Promise<{ id: string; secret: string }> {
  const createdAt = clock();
  const secret = mintToken('clientSecret', brand, createdAt);
  const id = `app_${timeOrderedKey(createdAt)}`;
  await writes.addTemporaryClient({
    id,
    name: NAME,
    kind: 'confidential',
    ownerId: undefined,
    scopes: ['profile:read'],
    redirectUris: [redirectUri],
    postLogoutRedirectUris: [],
    acceptsMissingStateAndNonce: false,
    idTokenAlg: 'RS256',
    ...NO_INTRODUCTION,
    ...firstSecret(secret, createdAt),
    ...NO_MANAGEMENT,
    status: 'active',
    createdAt,
  });
  return { id, secret: secret.text };
}

/** Delete the application with all its rows. */
export async function deleteTemporaryClient({ writes }: AuthorizationServer, id: string): Promise<void> {
  await writes.deleteTemporaryClient(id);
}

/** Delete the applications that interrupted checks and those of older versions left. Returns how many. */
export async function deleteLeftOverClients(
  { reads, writes, clock }: AuthorizationServer,
  redirectUri: string,
): Promise<number> {
  const ids = await reads.temporaryClients({ name: NAME, redirectUri, before: clock() - LEFT_OVER_AFTER });
  for (const id of ids) await writes.deleteTemporaryClient(id);
  return ids.length;
}
