// The format of every credential that the server issues (contract §8): brand, kind, key, secret, checksum.

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

// 190 random bits. The specification requires 160.
const SECRET_LENGTH = 32;

const LETTERS = {
  access: 'o',
  refresh: 'r',
  personal: 'p',
  code: 'c',
  clientSecret: 's',
} as const;

export type TokenKind = keyof typeof LETTERS;

/** A new credential. The server stores its key and digest; its owner sees the text once. */
export interface MintedToken {
  text: string;
  key: string;
  digest: string;
}

/** A well-formed credential that a caller presents. It may still be unknown, spent or forged. */
export interface PresentedToken {
  kind: TokenKind;
  key: string;
  digest: string;
}

/**
 * Make a credential, with a new key if the caller names none. All refresh tokens of one sign-in share the key
 * of its record and differ in their secrets.
 */
export function mintToken(
  kind: TokenKind,
  brand: string,
  now: Timestamp,
  key = timeOrderedKey(now),
): MintedToken {
  const beginning = `${prefixOf(kind, brand)}${key}${randomBase62(SECRET_LENGTH)}`;
  const text = beginning + checksumOf(beginning);
  return { text, key, digest: digestOf(text) };
}

/**
 * Read a credential without the database. Undefined if prefix, length or checksum are wrong. The alphabet
 * is not checked: no record has a key with characters outside of it.
 */
export function readToken(text: string, brand: string): PresentedToken | undefined {
  const kind = kindOf(text, brand);
  const prefixLength = brand.length + PREFIX_LENGTH;
  if (kind === undefined || text.length !== prefixLength + BODY_LENGTH || !endsInChecksum(text))
    return undefined;
  return { kind, key: text.slice(prefixLength, prefixLength + KEY_LENGTH), digest: digestOf(text) };
}

/** As `readToken`, for one kind only: no endpoint accepts a code as a token, or a token as a code. */
export function readTokenOf(kind: TokenKind, text: string, brand: string): PresentedToken | undefined {
  const token = readToken(text, brand);
  return token?.kind === kind ? token : undefined;
}

/** Return what every credential of a kind begins with, and its length. */
export function formOfToken(kind: TokenKind, brand: string): { prefix: string; length: number } {
  const prefix = prefixOf(kind, brand);
  return { prefix, length: prefix.length + BODY_LENGTH };
}

/** Tell the kind of a credential by its prefix alone. Undefined for a text with another prefix. */
export function prefixedKind(text: string, brand: string): TokenKind | undefined {
  return kindOf(text, brand);
}

/** Report whether the credential has the stored digest, in constant time. */
export function isGenuine(token: PresentedToken, digest: string): boolean {
  return sameDigest(token.digest, digest);
}

function prefixOf(kind: TokenKind, brand: string): string {
  return `${brand}${LETTERS[kind]}_`;
}

// The letter of its kind and an underscore follow the brand.
const PREFIX_LENGTH = 2;

const BODY_LENGTH = KEY_LENGTH + SECRET_LENGTH + CHECKSUM_LENGTH;

const KINDS = new Map<string, TokenKind>(
  Object.entries(LETTERS).map(([kind, letter]) => [letter, kind as TokenKind]),
);

function kindOf(text: string, brand: string): TokenKind | undefined {
  if (!text.startsWith(brand) || text[brand.length + 1] !== '_') return undefined;
  return KINDS.get(text.charAt(brand.length));
}
