// A member who comes from another community: the rules of joining hold, but for the password, which they may not bring.

import type { Timestamp } from '../lib/clock.ts';
import { cutOff, oneLine } from '../lib/one-line.ts';
import { emailKeyOf, looksLikeEmail } from './email-address.ts';
import { hashPassword, isUsableHash, nobodysHash, problemWithPassword } from './password.ts';
import type { NewUser } from './store.ts';
import { problemWithBio } from './user.ts';
import { normalizeUsername, problemWithUsername, usernameKey } from './username.ts';

export interface MemberToImport {
  username: string;
  email?: string | undefined;
  bio?: string | undefined;
  createdAt: Timestamp;
  /** As it is typed. */
  password?: string | undefined;
  /** As it is kept: argon2id in the PHC string format. Without any of the two the account waits for a new password. */
  passwordHash?: string | undefined;
}

/** What is wrong, field by field, in the words of the rules. */
export type ImportProblems = Record<string, string>;

/** The account as it is kept, or everything that is wrong with it at once. */
export async function importedMember(
  member: MemberToImport,
): Promise<{ user: NewUser } | { problems: ImportProblems }> {
  const username = normalizeUsername(member.username);
  const email = member.email?.trim() || undefined;
  const bio = member.bio?.trim() ?? '';
  const { password, passwordHash } = member;
  const problems = Object.entries({
    username: problemWithUsername(username),
    password: password === undefined ? undefined : problemWithPassword(password, username),
    passwordHash: passwordHash === undefined || isUsableHash(passwordHash) ? undefined : 'not_argon2id',
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
      passwordHash: password === undefined ? (passwordHash ?? nobodysHash()) : await hashPassword(password),
      bio,
      isOperator: false,
      createdAt: member.createdAt,
    },
  };
}

const LONGEST = 30;

/**
 * The names that a member of another program is given here, the best first: their own, if it can be had; else what is
 * left of it without what no name may hold, and a number; else `member` and their number there.
 */
export function* namesFor(foreign: string, id: string): Generator<string> {
  const own = normalizeUsername(foreign);
  const letters = own.replaceAll(/[^\p{L}\p{M}\p{N}._-]+|\p{Default_Ignorable_Code_Point}+/gu, '_');
  const bare = cut(letters.replaceAll(/^[^\p{L}\p{N}]+|[._-]+$/gu, ''), LONGEST);
  const wanted = [own, bare];
  for (let number = 1; number <= 99; number += 1) {
    const ending = `_${number}`;
    wanted.push(cut(bare, LONGEST - ending.length) + ending);
  }
  const digits = id.replaceAll(/[^0-9A-Za-z]+/g, '').slice(0, 20);
  wanted.push(`member_${digits}`, `member_${digits}_1`);
  for (const name of new Set(wanted)) if (problemWithUsername(name) === undefined) yield name;
}

function cut(name: string, most: number): string {
  return [...name]
    .slice(0, most)
    .join('')
    .replace(/[._-]+$/, '');
}

/** A bio that fits: line breaks are spaces, and what is too long is cut off. */
export function fittingBio(text: string, most: number): string {
  return cutOff(oneLine(text), most);
}
