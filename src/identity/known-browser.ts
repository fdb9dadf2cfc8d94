// Browsers that signed a member in before (contract §2). Each has a cookie with a random name and a seal for each
// of its last members. The cookie is no credential: it only gives failed sign-ins a budget of their own, so that
// others who guess from the same network can't shut the member out. A new password makes the seals worthless, because
// whoever knew the old one may have collected some. So does the first second factor with the seals for the password
// alone.

import { createHmac } from 'node:crypto';
import type { StartedBrowser } from '../audit/security-event.ts';
import { randomBase62, sameDigest } from '../lib/secrets.ts';

export interface KnownBrowser {
  /** The cookie as it came. */
  cookie: string | undefined;
  /** The secret that seals are made with. */
  secret: string;
}

const NAME_LENGTH = 24;
const SEAL_LENGTH = 43;
const MOST_MEMBERS = 5;
const COOKIE = new RegExp(
  `^([0-9A-Za-z]{${NAME_LENGTH}})((?:\\.[\\w-]{${SEAL_LENGTH}}){1,${MOST_MEMBERS}})$`,
);

/** An account with its present password. */
export interface SealedAccount {
  userId: number;
  passwordHash: string;
}

/** The same, and whether it has a second factor. */
export interface KnownAccount extends SealedAccount {
  hasFactor: boolean;
}

/** Return the name of the browser if it signed the member in with all that a sign-in asks for at present. */
export function browserOf({ cookie, secret }: KnownBrowser, account: KnownAccount): string | undefined {
  const { name, seals } = readCookie(cookie);
  if (name === undefined) return undefined;
  // A sign-in with the factor counts after the factor was removed, too.
  const accepted = account.hasFactor ? [account] : [account, { ...account, hasFactor: true }];
  return accepted
    .map((one) => sealOf(secret, name, one))
    .some((seal) => seals.some((other) => sameDigest(other, seal)))
    ? name
    : undefined;
}

/** Make the cookie of a browser that has just signed a member in. It forgets all but the last few members. */
export function knowMember({ cookie, secret }: KnownBrowser, account: KnownAccount): string {
  const { name = randomBase62(NAME_LENGTH), seals } = readCookie(cookie);
  const seal = sealOf(secret, name, account);
  const others = seals.filter((other) => other !== seal);
  return [name, seal, ...others.slice(0, MOST_MEMBERS - 1)].join('.');
}

/** Describe the browser of a sign-in, and whether it is new to the account. Undefined for a sign-in without one. */
export function startedBrowser(
  { browser, program = '' }: { browser?: KnownBrowser; program?: string },
  account: KnownAccount,
): StartedBrowser | undefined {
  return browser && { program, isNew: browserOf(browser, account) === undefined };
}

function readCookie(cookie = ''): { name?: string; seals: string[] } {
  const [, name, seals = ''] = COOKIE.exec(cookie) ?? [];
  return name === undefined ? { seals: [] } : { name, seals: seals.slice(1).split('.') };
}

function sealOf(secret: string, name: string, { userId, passwordHash, hasFactor }: KnownAccount): string {
  const proven = hasFactor ? 'password and factor' : 'password';
  return createHmac('sha256', secret)
    .update(`${name} ${userId} ${passwordHash} ${proven}`)
    .digest('base64url');
}
