// Random text, time-ordered keys, digests and checksums: the parts of every credential.

import { hash, randomFillSync, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { DAY, type Timestamp } from './clock.ts';

// In ASCII order, so that texts of equal length sort like the numbers that they spell.
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Draw letters and digits evenly from the system's random generator: 5.95 bits each. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    const value = nextRandomByte() & 63;
    // Another byte replaces 62 and 63: mapping them to characters would favour two of them.
    if (value < 62) text += BASE62[value];
  }
  return text;
}

/**
 * Make a row's key: 8 characters of milliseconds and 14 random ones (83 bits). Keys grow with time, so that
 * new rows share the last pages of an index. A key tells when it was created, but not how many there are.
 */
export function timeOrderedKey(now: Timestamp): string {
  return base62(now, 8) + randomBase62(14);
}

/** The bound between the keys that were created before a moment and those created later. */
export function smallestKey(from: Timestamp): string {
  return base62(from, 8);
}

export const KEY_LENGTH = 22;

/** Report whether a text has the form of a key. */
export function isTimeOrderedKey(text: string): boolean {
  return text.length === KEY_LENGTH && /^[0-9A-Za-z]+$/.test(text);
}

/** Report whether a text can be a key that was made in the last day. */
export function isRecentKey(text: string, now: Timestamp): boolean {
  return isTimeOrderedKey(text) && text >= smallestKey(now - DAY) && text < smallestKey(now + 1);
}

/**
 * Hash a secret with SHA-256 (base64url). For secrets of at least 160 random bits; passwords need a slow
 * hash.
 */
export function digestOf(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

const SECRET_LENGTH = 32;

/**
 * Create the credential of a session, an email or an invitation. Only the bearer keeps `text`; we keep its
 * digest.
 */
export function mintSecret(now: Timestamp): { key: string; text: string; digest: string } {
  const key = timeOrderedKey(now);
  const text = key + randomBase62(SECRET_LENGTH);
  return { key, text, digest: digestOf(text) };
}

/**
 * Read a credential: the key finds its row, the digest proves it. Undefined if the text doesn't have the form
 * of one.
 */
export function readSecret(text: string): { key: string; digest: string } | undefined {
  const key = text.slice(0, KEY_LENGTH);
  if (text.length !== KEY_LENGTH + SECRET_LENGTH || !isTimeOrderedKey(key)) return undefined;
  return { key, digest: digestOf(text) };
}

/** Compare two digests in constant time. False for a text that doesn't have the length of a digest. */
export function sameDigest(a: string, b: string): boolean {
  if (a.length !== DIGEST_LENGTH || b.length !== DIGEST_LENGTH) return false;
  left.write(a, 'latin1');
  right.write(b, 'latin1');
  return timingSafeEqual(left, right);
}

// 32 bytes in base64url.
const DIGEST_LENGTH = 43;
const left = Buffer.alloc(DIGEST_LENGTH);
const right = Buffer.alloc(DIGEST_LENGTH);

/** Compute six letters and digits that catch typing errors. They prove nothing. */
export function checksumOf(text: string): string {
  return base62(crc32(text), CHECKSUM_LENGTH);
}

export const CHECKSUM_LENGTH = 6;

/** Report whether a text ends in the checksum of the characters before. */
export function endsInChecksum(text: string): boolean {
  let rest = crc32(text.slice(0, -CHECKSUM_LENGTH));
  for (let at = text.length - 1; at >= text.length - CHECKSUM_LENGTH; at -= 1) {
    if (text.charCodeAt(at) !== BASE62.charCodeAt(rest % 62)) return false;
    rest = Math.floor(rest / 62);
  }
  return true;
}

function base62(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = BASE62[rest % 62] + text;
  return text;
}

// Random bytes come in blocks: a call of the generator takes longer than the hash of a credential.
const pool = new Uint8Array(4096);
let next = pool.length;

function nextRandomByte(): number {
  if (next === pool.length) {
    randomFillSync(pool);
    next = 0;
  }
  const byte = pool[next] as number;
  // Erased, so that the pool keeps no byte of a secret.
  pool[next] = 0;
  next += 1;
  return byte;
}
