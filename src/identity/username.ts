// The display name of a member (spec §2.2): which names are valid, and when two are the same.

import { normalForm } from '../lib/normal-form.ts';

/** Contract §7. */
const FEWEST = 3;
const MOST = 30;
// Spaces around the name included.
const LONGEST = 200;

export type UsernameProblem = 'too_short' | 'too_long' | 'characters' | 'mixed_scripts';

/** Bring a username into the form that is stored. */
export function normalizeUsername(text: string): string {
  // A longer one is not valid in any form, and normalizing a megabyte would block the process.
  return text.length > LONGEST ? text.slice(0, LONGEST) : normalForm(text, 'NFKC').trim();
}

/** Say why a normalized username is not valid. Undefined if it is valid. */
export function problemWithUsername(username: string): UsernameProblem | undefined {
  const length = [...username].length;
  if (length < FEWEST) return 'too_short';
  if (length > MOST) return 'too_long';
  // Letters and digits of any script, with . _ - between them: no invisible characters, and none that a URL
  // would have to encode as punctuation.
  if (!/^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}._-]*[\p{L}\p{M}\p{N}])?$/u.test(username)) return 'characters';
  // Unicode counts fillers as letters and variation selectors as marks, but both are invisible.
  if (/\p{Default_Ignorable_Code_Point}/u.test(username)) return 'characters';
  // "аlice" with a Cyrillic а looks like alice.
  return LOOK_ALIKES.filter((script) => script.test(username)).length > 1 ? 'mixed_scripts' : undefined;
}

// The scripts that have letters like those of Latin.
const LOOK_ALIKES = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
  /\p{Script=Lisu}/u,
];

/**
 * As `problemWithUsername`, for a new account: no dots, since mail programs make a link of a name that looks like
 * a host. Accounts from before, and imported ones, keep theirs.
 */
export function problemWithNewUsername(username: string): UsernameProblem | undefined {
  return problemWithUsername(username) ?? (username.includes('.') ? 'characters' : undefined);
}

/** Two usernames with the same key are the same: case and compatibility forms make no difference. */
export function usernameKey(username: string): string {
  return normalizeUsername(username).toLowerCase().normalize('NFKC');
}
