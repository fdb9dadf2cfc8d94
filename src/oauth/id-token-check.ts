// Verifying an id_token step by step, as an application does (OpenID Connect Core §3.1.3.7), to show each check.

import type { JWK } from 'jose';
import type { Timestamp } from '../lib/clock.ts';
import { tokenHash } from './id-token.ts';
import { secondsOf } from './jwt.ts';
import type { SigningAlgorithm } from './signing-algorithm.ts';

export const ID_TOKEN_CHECKS = ['alg', 'signature', 'iss', 'aud', 'exp', 'nonce', 'at_hash'] as const;
export type IdTokenCheckName = (typeof ID_TOKEN_CHECKS)[number];

/** One check: what is in the id_token, and what the application expects. */
export interface IdTokenCheck {
  name: IdTokenCheckName;
  came: string;
  expected: string;
  isPassed: boolean;
}

export interface CheckedIdToken {
  header: object;
  claims: object;
  checks: IdTokenCheck[];
}

/** What the application knows without the id_token. */
export interface ExpectedIdToken {
  /** The published keys. */
  keys: readonly JWK[];
  alg: SigningAlgorithm;
  issuer: string;
  clientId: string;
  nonce: string;
  accessToken: string;
  now: Timestamp;
}

/** Check an id_token. Undefined if it is not a JSON Web Token. */
export async function checkIdToken(
  idToken: string,
  expected: ExpectedIdToken,
): Promise<CheckedIdToken | undefined> {
  // Imported when it is needed, because serving requests doesn't need jose.
  const { decodeJwt, decodeProtectedHeader, errors } = await import('jose');
  try {
    const header = decodeProtectedHeader(idToken);
    const claims = decodeJwt(idToken);
    const { exp = 0, nonce, at_hash: accessHash } = claims;
    const now = secondsOf(expected.now);
    const kid = header.kid ?? '';
    const key = expected.keys.find((one) => one.kid === kid);
    const same = (name: IdTokenCheckName, came: unknown, wanted: string): IdTokenCheck => {
      return { name, came: String(came ?? ''), expected: wanted, isPassed: came === wanted };
    };
    const checks: IdTokenCheck[] = [
      same('alg', header.alg, expected.alg),
      {
        name: 'signature',
        came: `kid = ${kid}`,
        expected: key === undefined ? kidsOf(expected.keys) : `kid = ${kid}`,
        isPassed: await hasSignatureOf(idToken, key),
      },
      same('iss', claims.iss, expected.issuer),
      same('aud', claims.aud, expected.clientId),
      {
        name: 'exp',
        came: String(exp),
        expected: `> ${now}`,
        isPassed: exp > now,
      },
      same('nonce', nonce, expected.nonce),
    ];
    // Optional in this flow (Core §3.1.3.6).
    if (accessHash !== undefined) {
      checks.push(same('at_hash', accessHash, tokenHash(expected.accessToken)));
    }
    return { header, claims, checks };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
    throw error;
  }
}

async function hasSignatureOf(idToken: string, key: JWK | undefined): Promise<boolean> {
  if (key?.alg === undefined) return false;
  const { compactVerify, errors, importJWK } = await import('jose');
  try {
    await compactVerify(idToken, await importJWK(key), { algorithms: [key.alg] });
    return true;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return false;
    throw error;
  }
}

function kidsOf(keys: readonly JWK[]): string {
  return keys.map(({ kid }) => `kid = ${kid ?? ''}`).join(', ');
}
