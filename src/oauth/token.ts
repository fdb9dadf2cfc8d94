// The form of every credential that Portico hands out (contract §8): brand, kind, key, secret, checksum.

import type { Timestamp } from '../lib/clock.ts';
import {
  CHECKSUM_LENGTH,
  checksumOf,
  digestOf,
  endsInChecksum,
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
  digest: string;
}

/** A presented credential whose form is right: it may still be unknown, spent or forged. */
export interface PresentedToken {
  kind: TokenKind;
  key: string;
  digest: string;
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

/**
 * Reads a credential without the database. Undefined if prefix, length or checksum are wrong. Characters that are not
 * ours don't pass the checksum but by intent, and then belong to a credential that nobody knows.
 */
export function readToken(text: string, brand: string): PresentedToken | undefined {
  const kind = kindOf(text, brand);
  const prefixLength = brand.length + PREFIX_LENGTH;
  if (kind === undefined || text.length !== prefixLength + BODY_LENGTH || !endsInChecksum(text))
    return undefined;
  return { kind, key: text.slice(prefixLength, prefixLength + KEY_LENGTH), digest: digestOf(text) };
}

/** As `readToken`, for a place that takes one kind only: a code is never accepted as a token, nor the reverse. */
export function readTokenOf(kind: TokenKind, text: string, brand: string): PresentedToken | undefined {
  const token = readToken(text, brand);
  return token?.kind === kind ? token : undefined;
}

/** Reports whether the credential is the one whose digest was kept, in constant time. */
export function isGenuine(token: PresentedToken, keptDigest: string): boolean {
  return sameDigest(token.digest, keptDigest);
}

function prefixOf(kind: TokenKind, brand: string): string {
  return `${brand}${LETTERS[kind]}_`;
}

// The letter of its kind and an underscore follow the brand.
const PREFIX_LENGTH = 2;

const BODY_LENGTH = KEY_LENGTH + SECRET_LENGTH + CHECKSUM_LENGTH;

/** The kinds by the codes of their letters. */
const KINDS: (TokenKind | undefined)[] = [];
for (const [kind, letter] of Object.entries(LETTERS)) KINDS[letter.charCodeAt(0)] = kind as TokenKind;

function kindOf(text: string, brand: string): TokenKind | undefined {
  if (!text.startsWith(brand) || text[brand.length + 1] !== '_') return undefined;
  return KINDS[text.charCodeAt(brand.length)];
}
