// Passwords: taken exactly as typed, kept as argon2id hashes in the PHC string format.

import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const argon2id = promisify(argon2.bind(null, 'argon2id'));

// OWASP's Password Storage Cheat Sheet: 19 MiB, two passes, one lane.
const MEMORY_KIB = 19 * 1024;
const PASSES = 2;
const PARALLELISM = 1;
const TAG_BYTES = 32;
const SALT_BYTES = 16;
// Of hashes that were made elsewhere: each sign-in costs what they say.
const MOST_MEMORY_KIB = 256 * 1024;
const MOST_PASSES = 10;
const MOST_LANES = 8;

const FEWEST_CHARACTERS = 8;
// Long enough for any passphrase; bounded so that a password can't be a load.
const MOST_BYTES = 1024;

export type PasswordProblem = 'too_short' | 'too_long' | 'is_username';

/** Says why a new password can't be taken, or undefined if it can. There are no rules of composition. */
export function problemWithPassword(password: string, username: string): PasswordProblem | undefined {
  if ([...password].length < FEWEST_CHARACTERS) return 'too_short';
  if (Buffer.byteLength(password) > MOST_BYTES) return 'too_long';
  return password.toLowerCase() === username.toLowerCase() ? 'is_username' : undefined;
}

/** About 20 ms on one core, off the main thread. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const tag = await derive(password, salt, MEMORY_KIB, PASSES, PARALLELISM);
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${PARALLELISM}$${base64(salt)}$${base64(tag)}`;
}

/** Compares in constant time. With no hash (no such account) it takes as long, and answers false. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  if (Buffer.byteLength(password) > MOST_BYTES) return false;
  const parts = PHC.exec(hash ?? NOBODYS_HASH)?.groups;
  if (parts === undefined) throw new Error('A kept password hash is not in the PHC string format.');
  const { m, t, p, salt, tag } = parts as Record<'m' | 't' | 'p' | 'salt' | 'tag', string>;
  const expected = Buffer.from(tag, 'base64');
  const derived = await derive(password, Buffer.from(salt, 'base64'), Number(m), Number(t), Number(p));
  return timingSafeEqual(derived, expected) && hash !== undefined;
}

const PHC = /^\$argon2id\$v=19\$m=(?<m>\d+),t=(?<t>\d+),p=(?<p>\d+)\$(?<salt>[^$]+)\$(?<tag>[^$]+)$/;
const NOBODYS_HASH = nobodysHash();

/** A hash that is no password's: of an account that has none yet. To verify one against it takes as long as ever. */
export function nobodysHash(): string {
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${PARALLELISM}$${base64(randomBytes(SALT_BYTES))}$${base64(randomBytes(TAG_BYTES))}`;
}

/** Whether a hash that was made elsewhere can be verified here, and with no more work than is reasonable. */
export function isUsableHash(hash: string): boolean {
  const { m, t, p, salt, tag } = (PHC.exec(hash)?.groups ?? {}) as Record<string, string | undefined>;
  const [memory, passes, lanes] = [Number(m), Number(t), Number(p)];
  const bytesIn = (text = '') => (/^[A-Za-z0-9+/]+$/.test(text) ? Buffer.from(text, 'base64').length : 0);
  const isBounded = memory <= MOST_MEMORY_KIB && passes <= MOST_PASSES && lanes <= MOST_LANES;
  const isWhole = bytesIn(salt) >= 8 && bytesIn(salt) <= 64 && bytesIn(tag) === TAG_BYTES;
  return isBounded && isWhole && lanes >= 1 && passes >= 1 && memory >= 8 * lanes;
}

async function derive(password: string, salt: Buffer, memory: number, passes: number, parallelism: number) {
  const tag = await argon2id({
    message: password,
    nonce: salt,
    memory,
    passes,
    parallelism,
    tagLength: TAG_BYTES,
  });
  return tag as Buffer;
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
