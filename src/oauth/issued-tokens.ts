// The tokens that a grant issues, and their lifetimes (spec §3, §8; contract §4).

import { DAY, HOUR, MINUTE, SECOND, type Timestamp } from '../lib/clock.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { Client } from './client-store.ts';
import { type IdTokenSubject, signIdToken } from './id-token.ts';
import type { ScopeSet } from './scope.ts';
import type { NewAccessToken, TokenFamily } from './store.ts';
import { mintToken } from './token.ts';

/** Spec §3.1. */
export const CODE_LIFETIME = 5 * MINUTE;
/** 3600 seconds (spec §5.3). An access token also expires with its sign-in. */
export const ACCESS_TOKEN_LIFETIME = 1 * HOUR;
/** Counted from when the token is issued. A refresh token also expires with its sign-in. */
export const REFRESH_TOKEN_LIFETIME = 30 * DAY;
/** The lifetime of a sign-in, however often the application refreshes it. */
export const FAMILY_LIFETIME = 365 * DAY;

/** The tokens in clear, for the application. */
export interface IssuedTokens {
  accessToken: string;
  /** Seconds. */
  expiresIn: number;
  /** Undefined if the member allowed one sign-in only. */
  refreshToken: string | undefined;
  scopes: ScopeSet;
  /** Present when `openid` was granted. */
  idToken: string | undefined;
}

/** An access token in clear, and its record for storage. */
export interface MintedAccessToken {
  text: string;
  expiresIn: number;
  record: NewAccessToken;
}

/** Make an access token of a family. */
export function mintAccessToken(
  server: AuthorizationServer,
  family: Pick<TokenFamily, 'key' | 'userId' | 'expiresAt'>,
  scopes: ScopeSet,
  now: Timestamp,
): MintedAccessToken {
  const { text, key, digest } = mintToken('access', server.brand, now);
  const lifetime = server.accessTokenLifetime?.(family.userId) ?? ACCESS_TOKEN_LIFETIME;
  const expiresAt = Math.min(now + lifetime, family.expiresAt);
  const expiresIn = Math.floor((expiresAt - now) / SECOND);
  return { text, expiresIn, record: { key, digest, familyKey: family.key, scopes, expiresAt } };
}

/** Sign the id_token that comes with an access token if the scope openid is granted (spec §2.1). */
export async function idTokenFor(
  server: AuthorizationServer,
  client: Client,
  subject: IdTokenSubject,
  { text, record }: MintedAccessToken,
): Promise<string | undefined> {
  return record.scopes.includes('openid') ? signIdToken(server, client, subject, text) : undefined;
}
