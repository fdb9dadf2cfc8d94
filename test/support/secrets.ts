// Looking for secrets where they must not be.

/** What looks like a credential of ours, whatever the brand: a kind's letter, a key, a secret and a checksum. */
const CREDENTIAL = /[a-z][a-z0-9]{1,11}[orpcs]_[A-Za-z0-9]{60}(?![A-Za-z0-9])/g;

/** The secrets that occur in a text, by their own form or by being one of the given ones. */
export function secretsIn(text: string, known: readonly string[]): string[] {
  return [...text.matchAll(CREDENTIAL)]
    .map(([found]) => found)
    .concat(known.filter((secret) => text.includes(secret)));
}
