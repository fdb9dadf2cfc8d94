// What a grant issues, and how long it lives (spec §3, §8; contract §4).

import { DAY, HOUR, type Timestamp } from '../lib/clock.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { Client } from './client.ts';
import { type IdTokenSubject, signIdToken } from './id-token.ts';
import type { ScopeSet } from './scope.ts';
import type { NewAccessToken } from './store.ts';
import { mintToken } from './token.ts';

/** 3600 seconds (spec §5.3). */
export const ACCESS_TOKEN_LIFETIME = 1 * HOUR;
/** From its issue, and never beyond the end of the sign-in. */
export const REFRESH_TOKEN_LIFETIME = 30 * DAY;
/** A sign-in as a whole, however often it is refreshed. */
export const FAMILY_LIFETIME = 365 * DAY;

/** Tokens in clear, on their way to the application. */
export interface IssuedTokens {
  accessToken: string;
  refreshToken: string;
  scopes: ScopeSet;
  /** Present when `openid` was granted. */
  idToken: string | undefined;
}

/** Makes an access token of a family, and the record that is kept of it. */
export function mintAccessToken(
  server: AuthorizationServer,
  familyKey: string,
  scopes: ScopeSet,
  now: Timestamp,
): { text: string; record: NewAccessToken } {
  const { text, key, digest } = mintToken('access', server.brand, now);
  return { text, record: { key, digest, familyKey, scopes, expiresAt: now + ACCESS_TOKEN_LIFETIME } };
}

/** Signs the id_token that goes with an access token, if it is one that signs in (spec §2.1). */
export async function idTokenFor(
  server: AuthorizationServer,
  client: Client,
  scopes: ScopeSet,
  subject: IdTokenSubject,
  accessToken: string,
): Promise<string | undefined> {
  return scopes.includes('openid') ? signIdToken(server, client, subject, accessToken) : undefined;
}
