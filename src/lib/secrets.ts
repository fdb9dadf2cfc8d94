// Random text, time-ordered keys, digests and checksums: the bricks that credentials are made of.

import { hash, randomFillSync, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Timestamp } from './clock.ts';

// In ASCII order, so that text of equal length sorts as the number it spells.
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Letters and digits drawn evenly from the system's generator: 5.95 bits each. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    const value = nextRandomByte() & 63;
    // 62 and 63 are drawn again: folding them back would favour two characters.
    if (value < 62) text += BASE62[value];
  }
  return text;
}

/**
 * A key that finds a row and grows with time, so that new rows lie together on the last pages of an index:
 * 8 characters of milliseconds and 14 random ones (83 bits). It tells when it was made and nothing of volume.
 */
export function timeOrderedKey(now: Timestamp): string {
  return base62(now, 8) + randomBase62(14);
}

/** What every key made before this moment is smaller than, and every later one greater. */
export function smallestKey(from: Timestamp): string {
  return base62(from, 8);
}

export const KEY_LENGTH = 22;

/** Reports whether a text has the form of a key. */
export function isTimeOrderedKey(text: string): boolean {
  return text.length === KEY_LENGTH && /^[0-9A-Za-z]+$/.test(text);
}

/** SHA-256, in base64url. Enough for secrets of 160 random bits or more; passwords need a slow hash instead. */
export function digestOf(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

const SECRET_LENGTH = 32;

/** What a session, a mail or an invitation is proven by: a key, and a secret that nobody but the bearer keeps. */
export function mintSecret(now: Timestamp): { key: string; text: string; digest: string } {
  const key = timeOrderedKey(now);
  const text = key + randomBase62(SECRET_LENGTH);
  return { key, text, digest: digestOf(text) };
}

/** What a credential's row is found by, and compared with. Undefined if the text has not the form of one. */
export function readSecret(text: string): { key: string; digest: string } | undefined {
  const key = text.slice(0, KEY_LENGTH);
  if (text.length !== KEY_LENGTH + SECRET_LENGTH || !isTimeOrderedKey(key)) return undefined;
  return { key, digest: digestOf(text) };
}

/** Compares two digests in constant time. What is no digest equals none. */
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

/** Six letters and digits that change when a character of the text does: catches typing errors, proves nothing. */
export function checksumOf(text: string): string {
  return base62(crc32(text), CHECKSUM_LENGTH);
}

export const CHECKSUM_LENGTH = 6;

/** Reports whether the text's last characters are the checksum of those before. */
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

// Drawn in blocks: one call to the generator for each credential costs more than the credential's hash.
const pool = new Uint8Array(4096);
let used = pool.length;

function nextRandomByte(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const byte = pool[used] as number;
  // A byte is never left behind in memory after it became part of a secret.
  pool[used] = 0;
  used += 1;
  return byte;
}
