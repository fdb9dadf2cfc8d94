// The form of every credential that Portico hands out (contract §8): brand, kind, key, secret, checksum.

import type { Timestamp } from '../lib/clock.ts';
import {
  CHECKSUM_LENGTH,
  checksumOf,
  digestOf,
  KEY_LENGTH,
  randomBase62,
  sameDigest,
  timeOrderedKey,
} from '../lib/secrets.ts';

// 190 random bits; the least allowed is 160.
const SECRET_LENGTH = 32;

const LETTERS = {
  access: 'o',
  refresh: 'r',
  personal: 'p',
  code: 'c',
  clientSecret: 's',
} as const;

export type TokenKind = keyof typeof LETTERS;

/** A credential in clear, with what is kept of it. The text is given to its owner once and stored nowhere. */
export interface MintedToken {
  text: string;
  key: string;
  digest: Uint8Array;
}

/** A presented credential whose form is right: it may still be unknown, spent or forged. */
export interface PresentedToken {
  kind: TokenKind;
  key: string;
  digest: Uint8Array;
}

/**
 * Makes a credential. Its key is new unless one is given: all refresh tokens of one sign-in share the key that finds
 * its record, and differ in their secret.
 */
export function mintToken(
  kind: TokenKind,
  brand: string,
  now: Timestamp,
  key = timeOrderedKey(now),
): MintedToken {
  const unchecked = `${prefixOf(kind, brand)}${key}${randomBase62(SECRET_LENGTH)}`;
  const text = unchecked + checksumOf(unchecked);
  return { text, key, digest: digestOf(text) };
}

/** Reads a credential without the database. Undefined if prefix, length, characters or checksum are wrong. */
export function readToken(text: string, brand: string): PresentedToken | undefined {
  const kind = kindOf(text, brand);
  if (kind === undefined) return undefined;
  const prefixLength = brand.length + 2;
  if (text.length !== prefixLength + KEY_LENGTH + SECRET_LENGTH + CHECKSUM_LENGTH) return undefined;
  if (!/^[A-Za-z0-9]+$/.test(text.slice(prefixLength))) return undefined;
  if (checksumOf(text.slice(0, -CHECKSUM_LENGTH)) !== text.slice(-CHECKSUM_LENGTH)) return undefined;
  return { kind, key: text.slice(prefixLength, prefixLength + KEY_LENGTH), digest: digestOf(text) };
}

/** As `readToken`, for a place that takes one kind only: a code is never accepted as a token, nor the reverse. */
export function readTokenOf(kind: TokenKind, text: string, brand: string): PresentedToken | undefined {
  const token = readToken(text, brand);
  return token?.kind === kind ? token : undefined;
}

/** Reports whether the credential is the one whose digest was kept, in constant time. */
export function isGenuine(token: PresentedToken, keptDigest: Uint8Array): boolean {
  return sameDigest(token.digest, keptDigest);
}

function prefixOf(kind: TokenKind, brand: string): string {
  return `${brand}${LETTERS[kind]}_`;
}

function kindOf(text: string, brand: string): TokenKind | undefined {
  return (Object.keys(LETTERS) as TokenKind[]).find((kind) => text.startsWith(prefixOf(kind, brand)));
}
