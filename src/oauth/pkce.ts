// Proof Key for Code Exchange (RFC 7636), S256 only: with `plain` the challenge in the address bar is the
// secret.

import { createHash, timingSafeEqual } from 'node:crypto';
import type { BrokenRule } from './request-rules.ts';

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

/** Say for the developer why a verifier does not match: its length, or the beginnings of the two challenges. */
export function mismatchOf(verifier: string, challenge: string): BrokenRule {
  const rule = 'verifier_mismatch';
  if (!VERIFIER.test(verifier)) {
    const expected = ['43 <= length <= 128, A-Z a-z 0-9 - . _ ~'];
    return { rule, came: `length = ${verifier.length}`, expected };
  }
  const came = createHash('sha256').update(verifier).digest('base64url');
  return { rule, came: `S256 = ${beginning(came)}`, expected: [`code_challenge = ${beginning(challenge)}`] };
}

function beginning(challenge: string): string {
  return `${challenge.slice(0, 8)}...`;
}
