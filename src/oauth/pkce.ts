// Proof Key for Code Exchange (RFC 7636), S256 only: with `plain` the challenge in the address bar is the
// secret.

import { createHash, timingSafeEqual } from 'node:crypto';

/** The base64url form of a SHA-256 digest always has 43 characters (RFC 7636 §4.2). */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
/** RFC 7636 §4.1: 43 to 128 unreserved characters. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

export function isCodeChallenge(text: string): boolean {
  return CHALLENGE.test(text);
}

/** Report whether the verifier is well-formed and its S256 transform is the challenge (RFC 7636 §4.6). */
export function verifierMatches(verifier: string, challenge: string): boolean {
  if (!VERIFIER.test(verifier)) return false;
  const expectedChallenge = createHash('sha256').update(verifier).digest('base64url');
  return (
    challenge.length === expectedChallenge.length &&
    timingSafeEqual(Buffer.from(expectedChallenge), Buffer.from(challenge))
  );
}
