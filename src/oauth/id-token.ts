// The id_token: who signed in, when, for which application (OpenID Connect Core §2, contract §6).

import { createHash } from 'node:crypto';
import { HOUR, SECOND, type Timestamp } from '../lib/clock.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { Client } from './client.ts';
import { activeKey, SIGNING_ALGORITHMS, signature } from './signing-key.ts';

/** From its issue. */
export const ID_TOKEN_LIFETIME = 1 * HOUR;

export interface IdTokenSubject {
  userId: number;
  /** `auth_time`: when the member last proved who they are. */
  authenticatedAt: Timestamp;
  /** Undefined when refreshing: a nonce belongs to one authorization request (Core §12.2). */
  nonce: string | undefined;
}

/** Signs an id_token that goes with an access token. The signature is made off the main thread. */
export async function signIdToken(
  server: AuthorizationServer,
  client: Client,
  subject: IdTokenSubject,
  accessToken: string,
): Promise<string> {
  const key = await activeKey(server, client.idTokenAlg);
  const now = server.clock();
  const claims = {
    auth_time: seconds(subject.authenticatedAt),
    at_hash: tokenHash(accessToken),
    ...(subject.nonce === undefined ? {} : { nonce: subject.nonce }),
    iss: server.issuer,
    sub: subjectOf(subject.userId),
    aud: client.id,
    iat: seconds(now),
    exp: seconds(now + ID_TOKEN_LIFETIME),
  };
  // RFC 7515 §3.1, the compact serialization.
  const header = { alg: client.idTokenAlg, kid: key.kid, typ: 'JWT' };
  const signed = `${base64urlJson(header)}.${base64urlJson(claims)}`;
  return `${signed}.${await signature(key, signed)}`;
}

function base64urlJson(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** `sub`: the member's number, which is never given again. */
export function subjectOf(userId: number): string {
  return String(userId);
}

/**
 * Reads an id_token that comes back as a hint. It may have expired (Core §3.1.2.1). Undefined if it is not ours: its
 * key is looked up among our own by `kid`, whatever else its header says (RFC 8725 §3.1, §3.10).
 */
export async function readIdTokenHint(
  server: AuthorizationServer,
  hint: string,
): Promise<{ userId: number; clientId: string } | undefined> {
  // Loaded for the first hint: few applications send one, and signing needs nothing of it.
  const { decodeProtectedHeader, errors, importJWK, jwtVerify } = await import('jose');
  try {
    const { kid, alg } = decodeProtectedHeader(hint);
    const key = (await server.reads.signingKeys()).find((known) => known.kid === kid && known.alg === alg);
    if (key === undefined) return undefined;
    const { payload } = await jwtVerify(hint, await importJWK(key.publicJwk, key.alg), {
      algorithms: [...SIGNING_ALGORITHMS],
      issuer: server.issuer,
      requiredClaims: ['sub', 'aud', 'auth_time', 'at_hash'],
      // The end of its life is no reason to forget whom it speaks of.
      currentDate: new Date(0),
    });
    if (typeof payload.aud !== 'string' || !/^\d{1,15}$/.test(payload.sub ?? '')) return undefined;
    return { userId: Number(payload.sub), clientId: payload.aud };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
    throw error;
  }
}

// Core §3.1.3.6: the left half of the hash, by the hash of the signature's algorithm; SHA-256 for both of ours.
function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url');
}

function seconds(moment: Timestamp): number {
  return Math.floor(moment / SECOND);
}
