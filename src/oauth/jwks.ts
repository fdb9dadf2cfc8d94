// The published keys, with which applications verify id_tokens (RFC 7517, contract §6).

import type { JWK } from 'jose';
import { DAY, HOUR, MINUTE } from '../lib/clock.ts';
import type { AuthorizationServer } from './authorization-server.ts';

/** How long applications may cache the published keys. A key waits at least this long before it signs. */
export const JWKS_CACHE_TIME = 5 * MINUTE;

/**
 * How long a retired key stays published: the lifetime of an id_token, and a day for slow clocks and caches.
 */
export const RETIRED_KEY_LIFETIME = 1 * HOUR + 1 * DAY;

/** Read the public parts of all keys that have signed, sign now or will sign. */
export async function publishedKeys(server: AuthorizationServer): Promise<{ keys: JWK[] }> {
  const keys = await server.reads.signingKeys();
  return { keys: keys.map(({ publicJwk, alg, kid }) => ({ ...publicJwk, use: 'sig', alg, kid })) };
}
