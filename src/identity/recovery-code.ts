// Recovery codes: each stands in for a lost second factor, once. They have 120 random bits, so that a plain digest is
// enough to store them (ASVS 6.5.2).

import { randomBytes } from 'node:crypto';
import { digestOf } from '../lib/secrets.ts';

const COUNT = 10;
const CHARACTERS = 24;
const GROUP = 6;
// Crockford's base32: no letter looks like a digit.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Make ten codes, as members write them down. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => grouped(randomText()));
}

/** Return the digest of a code as it was typed. Undefined for a text that can't be one. */
export function recoveryCodeDigest(typed: string): string | undefined {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  const isCode = code.length === CHARACTERS && [...code].every((character) => ALPHABET.includes(character));
  return isCode ? digestOf(`recovery code ${code}`) : undefined;
}

// 256 is a multiple of 32, so every letter is as likely.
function randomText(): string {
  return Array.from(randomBytes(CHARACTERS), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

function grouped(code: string): string {
  return (code.match(new RegExp(`.{${GROUP}}`, 'g')) ?? []).join('-');
}
