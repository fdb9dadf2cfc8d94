// The display name of a member (spec §2.2): what it may be, and when two are the same.

/** Contract §7. */
const FEWEST = 3;
const MOST = 30;

export type UsernameProblem = 'too_short' | 'too_long' | 'characters' | 'mixed_scripts';

/** Brings a name into the one form in which it is kept. */
export function normalizeUsername(text: string): string {
  return text.normalize('NFKC').trim();
}

/** Says why a normalized name can't be taken by anyone, or undefined if it can. */
export function problemWithUsername(username: string): UsernameProblem | undefined {
  const length = [...username].length;
  if (length < FEWEST) return 'too_short';
  if (length > MOST) return 'too_long';
  // Letters and digits of any script, with . _ - between them: nothing invisible, nothing that an address must encode
  // away, no way to end a name in something that looks like nothing.
  if (!/^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}._-]*[\p{L}\p{M}\p{N}])?$/u.test(username)) return 'characters';
  // Fillers count as letters and variation selectors as marks, and neither can be seen.
  if (/\p{Default_Ignorable_Code_Point}/u.test(username)) return 'characters';
  // "аlice" with a Cyrillic а would pass for alice.
  const scripts = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u].filter((s) =>
    s.test(username),
  );
  return scripts.length > 1 ? 'mixed_scripts' : undefined;
}

/** Two names with the same key are the same name: case and compatibility forms do not tell people apart. */
export function usernameKey(username: string): string {
  return normalizeUsername(username).toLowerCase().normalize('NFKC');
}
