// The search for secrets in logs and databases.

import { CHECKSUM_LENGTH, checksumOf } from '../../src/lib/secrets.ts';

/** Matches what looks like a credential of any brand: the letter of a kind, a key, a secret and a checksum. */
const CREDENTIAL = /[a-z][a-z0-9]{1,11}[orpcs]_[A-Za-z0-9]{60}(?![A-Za-z0-9])/g;

/** Return the credentials in a text, and those of the known secrets that it contains. */
export function secretsIn(text: string, knownSecrets: readonly string[]): string[] {
  const candidates = [...text.matchAll(CREDENTIAL)].map(([candidate]) => candidate);
  return candidates.filter(isCredential).concat(knownSecrets.filter((secret) => text.includes(secret)));
}

// Other random text, such as a key, can look the same, but only a credential has the right checksum. Letters before the
// credential can look like a part of its brand, so each possible beginning is tried.
function isCredential(text: string): boolean {
  for (let start = 0; text[start] !== '_'; start += 1) {
    const content = text.slice(start, -CHECKSUM_LENGTH);
    if (checksumOf(content) === text.slice(-CHECKSUM_LENGTH)) return true;
  }
  return false;
}
