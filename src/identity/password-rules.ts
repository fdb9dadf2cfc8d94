// Which new passwords are refused beyond their length: common ones, ones made of words that everyone can guess
// here, and ones that a breach made public (docs/decisions/0017-passwords.md).

import type { Awaitable } from '../lib/awaitable.ts';
import { normalForm } from '../lib/normal-form.ts';
import { type PasswordLengthProblem, problemWithLength } from './password.ts';

export type PasswordProblem = PasswordLengthProblem | 'context' | 'common' | 'breached';

/** What the site adds to the rules. compose.ts fills it in from the settings. */
export interface PasswordRules {
  /** Returns the names of the site: its name, host and brand. */
  siteNames: () => Awaitable<readonly string[]>;
  /** Asks a service whether a breach made the password public. False if the service doesn't answer. */
  isBreached?: ((password: string) => Promise<boolean>) | undefined;
}

/** The rules that the server can judge alone. A limit comes before the question to the service. */
export function localRules({ siteNames }: PasswordRules): PasswordRules {
  return { siteNames };
}

/** The person that a password is for. Their names are no passwords. */
export interface PasswordOwner {
  username: string;
  email?: string | undefined;
}

/** Say why a new password is refused. Undefined if it is accepted. Digits or symbols aren't required. */
export async function problemWithPassword(
  { siteNames, isBreached }: PasswordRules,
  password: string,
  owner: PasswordOwner,
): Promise<PasswordProblem | undefined> {
  const problem = problemWithLength(password);
  if (problem !== undefined) return problem;
  if (isMadeOfNames(password, [...(await siteNames()), ...namesOf(owner)])) return 'context';
  if ((await commonPasswords()).has(password.toLowerCase())) return 'common';
  return (await isBreached?.(password)) ? 'breached' : undefined;
}

/** The rules for a password that a member of another site has already: their length, and not the username. */
export function problemWithImportedPassword(
  password: string,
  username: string,
): PasswordLengthProblem | 'context' | undefined {
  return problemWithLength(password) ?? (isMadeOfNames(password, [username]) ? 'context' : undefined);
}

/** The names in an account that a guesser tries first. */
export function namesOf({ username, email }: PasswordOwner): string[] {
  return email === undefined ? [username] : [username, email.slice(0, email.lastIndexOf('@'))];
}

/** The names in an address of the site: its labels, except `www` and the last one of several. */
export function namesInHost(host: string): string[] {
  const labels = host.split('.').filter((label) => label !== 'www');
  return labels.length > 1 ? labels.slice(0, -1) : labels;
}

// More than a username, an email address or the name of a site has.
const MOST_NAME_LENGTH = 300;

/**
 * Report whether a password has no letters but those of the names, whatever digits and symbols are around and
 * between them. A password in which other words stand beside a name is accepted.
 */
export function isMadeOfNames(password: string, allNames: readonly string[]): boolean {
  // A longer one is refused as a name, but its problem is reported together with the password's.
  const names = allNames.filter((name) => name.length <= MOST_NAME_LENGTH);
  if (names.some((name) => folded(name) === folded(password))) return true;
  const letters = folded(password).replaceAll(/[^\p{L}\p{M}]+/gu, '');
  const words = names.flatMap((name) => folded(name).split(/[^\p{L}\p{M}]+/u)).filter((word) => word !== '');
  // Longest first, since a short name may be a part of a long one.
  const rest = words
    .sort((a, b) => b.length - a.length)
    .reduce((text, word) => text.replaceAll(word, ''), letters);
  return letters !== '' && rest === '';
}

function folded(text: string): string {
  return normalForm(text, 'NFKC').toLowerCase();
}

let list: Promise<ReadonlySet<string>> | undefined;

/** The common passwords that are long enough to be chosen here. Loaded when the first password is set. */
export function commonPasswords(): Promise<ReadonlySet<string>> {
  list ??= readCommonPasswords();
  return list;
}

async function readCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const words = dictionary['passwords-common'] as readonly string[];
  return new Set(words.filter((word) => problemWithLength(word) === undefined));
}
