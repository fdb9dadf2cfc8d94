// Passwords: used exactly as typed, stored as argon2id hashes in the PHC string format.

import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const argon2id = promisify(argon2.bind(null, 'argon2id'));

// OWASP's Password Storage Cheat Sheet: 19 MiB, two passes, one lane.
const MEMORY_KIB = 19 * 1024;
const PASSES = 2;
const PARALLELISM = 1;
const TAG_BYTES = 32;
const SALT_BYTES = 16;
// Limits for imported hashes, which decide how much work each sign-in takes.
const MOST_MEMORY_KIB = 64 * 1024;
const MOST_PASSES = 10;
const MOST_LANES = 8;

const FEWEST_CHARACTERS = 8;
// Long enough for any passphrase, and short enough to hash quickly.
const MOST_BYTES = 1024;

export type PasswordLengthProblem = 'too_short' | 'too_long';

/** Say why a password of this length is refused. `password-rules.ts` has the other rules. */
export function problemWithLength(password: string): PasswordLengthProblem | undefined {
  if ([...password].length < FEWEST_CHARACTERS) return 'too_short';
  return Buffer.byteLength(password) > MOST_BYTES ? 'too_long' : undefined;
}

/** Hash a password, in about 20 ms on one core, off the main thread. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const tag = await derive(password, salt, { memory: MEMORY_KIB, passes: PASSES, parallelism: PARALLELISM });
  return phcString(salt, tag);
}

/**
 * Compare a password with a hash in constant time. Without a hash (no such account) the call takes just as
 * long and returns false.
 */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  if (Buffer.byteLength(password) > MOST_BYTES) return false;
  const parts = PHC.exec(hash ?? HASH_OF_NO_PASSWORD)?.groups;
  if (parts === undefined) throw new Error('A stored password hash is not in the PHC string format.');
  const { m, t, p, salt, tag } = parts as Record<'m' | 't' | 'p' | 'salt' | 'tag', string>;
  const storedTag = Buffer.from(tag, 'base64');
  const work = { memory: Number(m), passes: Number(t), parallelism: Number(p) };
  const computedTag = await derive(password, Buffer.from(salt, 'base64'), work);
  return timingSafeEqual(computedTag, storedTag) && hash !== undefined;
}

const PHC = /^\$argon2id\$v=19\$m=(?<m>\d+),t=(?<t>\d+),p=(?<p>\d+)\$(?<salt>[^$]+)\$(?<tag>[^$]+)$/;
const HASH_OF_NO_PASSWORD = hashOfNoPassword();

/** Make a hash that no password matches, for an account without one. Verifying takes the usual time. */
export function hashOfNoPassword(): string {
  return phcString(randomBytes(SALT_BYTES), randomBytes(TAG_BYTES));
}

/** Report whether a hash was made with other parameters than ours, so that the next sign-in renews it. */
export function isOutdatedHash(hash: string): boolean {
  return !hash.startsWith(`$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${PARALLELISM}$`);
}

export type HashProblem = 'not_argon2id' | 'more_than_64_mib_10_passes_or_8_lanes';

/** Say why an imported hash can't be verified here with a reasonable amount of work. */
export function problemWithHash(hash: string): HashProblem | undefined {
  const { m, t, p, salt, tag } = (PHC.exec(hash)?.groups ?? {}) as Record<string, string | undefined>;
  const [memory, passes, lanes] = [Number(m), Number(t), Number(p)];
  const bytesIn = (text = '') => (/^[A-Za-z0-9+/]+$/.test(text) ? Buffer.from(text, 'base64').length : 0);
  const isBounded = memory <= MOST_MEMORY_KIB && passes <= MOST_PASSES && lanes <= MOST_LANES;
  const isWhole = bytesIn(salt) >= 8 && bytesIn(salt) <= 64 && bytesIn(tag) === TAG_BYTES;
  if (!isWhole || !(lanes >= 1 && passes >= 1 && memory >= 8 * lanes)) return 'not_argon2id';
  return isBounded ? undefined : 'more_than_64_mib_10_passes_or_8_lanes';
}

interface Work {
  memory: number;
  passes: number;
  parallelism: number;
}

async function derive(password: string, salt: Buffer, work: Work): Promise<Buffer> {
  return (await argon2id({ message: password, nonce: salt, ...work, tagLength: TAG_BYTES })) as Buffer;
}

function phcString(salt: Buffer, tag: Buffer): string {
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${PARALLELISM}$${base64(salt)}$${base64(tag)}`;
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
