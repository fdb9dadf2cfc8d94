// Looking for secrets where they must not be.

import { CHECKSUM_LENGTH, checksumOf } from '../../src/lib/secrets.ts';

/** What looks like a credential of ours, whatever the brand: a kind's letter, a key, a secret and a checksum. */
const CREDENTIAL = /[a-z][a-z0-9]{1,11}[orpcs]_[A-Za-z0-9]{60}(?![A-Za-z0-9])/g;

/** The secrets that occur in a text, by their own form or by being one of the given ones. */
export function secretsIn(text: string, known: readonly string[]): string[] {
  const alike = [...text.matchAll(CREDENTIAL)].map(([found]) => found);
  return alike.filter(isCredential).concat(known.filter((secret) => text.includes(secret)));
}

// Other random text, such as a key's, can look the same; only a credential has the right checksum. Where its brand
// begins is not known, since letters may stand before it.
function isCredential(text: string): boolean {
  for (let start = 0; text[start] !== '_'; start += 1) {
    const unchecked = text.slice(start, -CHECKSUM_LENGTH);
    if (checksumOf(unchecked) === text.slice(-CHECKSUM_LENGTH)) return true;
  }
  return false;
}
