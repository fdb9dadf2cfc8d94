// The id_token: the member who signed in, the time and the application (OpenID Connect Core §2, contract §6).

import { createHash } from 'node:crypto';
import { HOUR, type Timestamp } from '../lib/clock.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { Client } from './client-store.ts';
import { secondsOf, signJwt } from './jwt.ts';
import { SIGNING_ALGORITHMS } from './signing-algorithm.ts';

/** Counted from when the token is issued. */
export const ID_TOKEN_LIFETIME = 1 * HOUR;

export interface IdTokenSubject {
  userId: number;
  /** `auth_time`: when the member last proved their identity. */
  authenticatedAt: Timestamp;
  /** Undefined after a refresh: a nonce belongs to one authorization request (Core §12.2). */
  nonce: string | undefined;
}

/** Sign the id_token that comes with an access token. */
export async function signIdToken(
  server: AuthorizationServer,
  client: Client,
  subject: IdTokenSubject,
  accessToken: string,
): Promise<string> {
  const now = server.clock();
  return signJwt(server, client.idTokenAlg, 'JWT', {
    auth_time: authTimeOf(subject.authenticatedAt),
    at_hash: tokenHash(accessToken),
    ...(subject.nonce === undefined ? {} : { nonce: subject.nonce }),
    iss: server.issuer,
    sub: subjectOf(subject.userId),
    aud: client.id,
    iat: secondsOf(now),
    exp: secondsOf(now + ID_TOKEN_LIFETIME),
  });
}

/** The claim `auth_time`, which tells the sign-ins of a member apart. */
export function authTimeOf(authenticatedAt: Timestamp): number {
  return secondsOf(authenticatedAt);
}

/** The claim `sub`: the member's id. No other member ever gets the same id. */
export function subjectOf(userId: number): string {
  return String(userId);
}

export interface IdTokenHint {
  userId: number;
  clientId: string;
  /** When the member signed in, in seconds. */
  authTime: number;
}

/**
 * Read an id_token that an application sends back as a hint. It may have expired (Core §3.1.2.1). Undefined
 * if the server didn't issue it: only its own keys count, not keys in the header (RFC 8725 §3.1, §3.10).
 */
export async function readIdTokenHint(
  server: AuthorizationServer,
  hint: string,
): Promise<IdTokenHint | undefined> {
  // Imported for the first hint: few applications send hints, and signing doesn't need jose.
  const { decodeProtectedHeader, errors, importJWK, jwtVerify } = await import('jose');
  try {
    const { kid, alg } = decodeProtectedHeader(hint);
    const key = (await server.reads.signingKeys()).find((one) => one.kid === kid && one.alg === alg);
    if (key === undefined) return undefined;
    const { payload } = await jwtVerify(hint, await importJWK(key.publicJwk, key.alg), {
      algorithms: [...SIGNING_ALGORITHMS],
      issuer: server.issuer,
      requiredClaims: ['sub', 'aud', 'auth_time', 'at_hash'],
      // An expired id_token still identifies the member.
      currentDate: new Date(0),
    });
    const { sub = '', aud, auth_time: authTime } = payload;
    if (typeof aud !== 'string' || typeof authTime !== 'number' || !/^\d{1,15}$/.test(sub)) return undefined;
    return { userId: Number(sub), clientId: aud, authTime };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/**
 * Hash a token for the claim `at_hash` (Core §3.1.3.6): the left half of the hash that the signature algorithm uses.
 * RS256 and ES256 both use SHA-256.
 */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url');
}
