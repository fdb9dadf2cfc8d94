// A member from another community. The rules for sign-ups apply, except that the member may have no password.

import type { Timestamp } from '../lib/clock.ts';
import { cutOff, oneLine } from '../lib/one-line.ts';
import { problemWithBio } from './bio.ts';
import { emailKeyOf, looksLikeEmail } from './email-address.ts';
import { hashOfNoPassword, hashPassword, problemWithHash } from './password.ts';
import { problemWithImportedPassword } from './password-rules.ts';
import { isReservedName } from './reserved-names.ts';
import type { NewUser } from './store.ts';
import { normalizeUsername, problemWithUsername, usernameKey } from './username.ts';

export interface MemberToImport {
  username: string;
  email?: string | undefined;
  bio?: string | undefined;
  createdAt: Timestamp;
  /** In plain text. */
  password?: string | undefined;
  /** An argon2id hash in the PHC string format. Without password and hash, the member resets the password. */
  passwordHash?: string | undefined;
}

/** For each invalid field, the problem code of the rule that it breaks. */
export type ImportProblems = Record<string, string>;

/**
 * Make the record of the account, or list everything that is wrong with it. `reservedNames` as in `GuestRules`.
 */
export async function importedMember(
  member: MemberToImport,
  reservedNames: readonly string[] = [],
): Promise<{ user: NewUser } | { problems: ImportProblems }> {
  const username = normalizeUsername(member.username);
  const email = member.email?.trim() || undefined;
  const bio = member.bio?.trim() ?? '';
  const { password, passwordHash } = member;
  const problems = Object.entries({
    username:
      problemWithUsername(username) ?? (isReservedName(username, reservedNames) ? 'reserved' : undefined),
    password: password === undefined ? undefined : problemWithImportedPassword(password, username),
    passwordHash: passwordHash === undefined ? undefined : problemWithHash(passwordHash),
    email: email === undefined || looksLikeEmail(email) ? undefined : 'invalid',
    bio: problemWithBio(bio),
  }).filter((entry): entry is [string, NonNullable<(typeof entry)[1]>] => entry[1] !== undefined);
  if (problems.length > 0) return { problems: Object.fromEntries(problems) };
  return {
    user: {
      username,
      usernameKey: usernameKey(username),
      email,
      emailKey: email === undefined ? undefined : emailKeyOf(email),
      passwordHash:
        password === undefined ? (passwordHash ?? hashOfNoPassword()) : await hashPassword(password),
      bio,
      isOperator: false,
      createdAt: member.createdAt,
    },
  };
}

/** The username elsewhere, if the member gets another one here. It is told to the member at the first sign-in. */
export function foreignNameOf(username: string, user: NewUser): string | undefined {
  const name = cutOff(oneLine(username.slice(0, 200)), 60);
  return name === '' || usernameKey(username) === user.usernameKey ? undefined : name;
}

const LONGEST = 30;

/**
 * List valid usernames for a member of another site, best first: the username there, the same without the
 * characters that are not valid here, the same with a number, and last `member_` with the member's id there.
 */
export function* namesFor(foreignName: string, id: string): Generator<string> {
  // Longer names are no usernames anywhere, and the searches below take the square of the length.
  const username = normalizeUsername(foreignName.slice(0, 200));
  const letters = username.replaceAll(/[^\p{L}\p{M}\p{N}._-]+|\p{Default_Ignorable_Code_Point}+/gu, '_');
  const bare = cut(letters.replaceAll(/^[^\p{L}\p{N}]+|[._-]+$/gu, ''), LONGEST);
  const candidates = [username, bare];
  for (let number = 1; number <= 99; number += 1) {
    const ending = `_${number}`;
    candidates.push(cut(bare, LONGEST - ending.length) + ending);
  }
  const digits = id.replaceAll(/[^0-9A-Za-z]+/g, '').slice(0, 20);
  candidates.push(`member_${digits}`, `member_${digits}_1`);
  for (const name of new Set(candidates)) if (problemWithUsername(name) === undefined) yield name;
}

function cut(name: string, most: number): string {
  return [...name]
    .slice(0, most)
    .join('')
    .replace(/[._-]+$/, '');
}

/** Make a text a valid bio: line breaks become spaces, and the end of a long text is cut off. */
export function fittingBio(text: string, most: number): string {
  return cutOff(oneLine(text), most);
}
