// Signing in with a password, and the limit on guesses (contract §2).

import { type AttemptLimit, attempted, exhausted, type TooFast } from '../lib/attempt.ts';
import { MINUTE, type Timestamp } from '../lib/clock.ts';
import { digestOf } from '../lib/secrets.ts';
import type { Identity } from './identity.ts';
import { browserOf, type KnownBrowser } from './known-browser.ts';
import { verifyPassword } from './password.ts';
import { startSessionByPassword } from './session.ts';
import { usernameKey } from './username.ts';

const MOST_FAILURES = 10;
// From one network address, for all accounts together. It slows down guessing with many usernames.
const MOST_FAILURES_FROM_ADDRESS = 100;
const FAILURE_WINDOW = 15 * MINUTE;

export interface Credentials {
  username: string;
  password: string;
  /** The network address. The limit is per account and address, so a stranger can't lock a member out. */
  address: string;
  /** The browser, which has a limit of its own if it signed this member in before. */
  browser?: KnownBrowser;
}

export type SignIn =
  | { outcome: 'signed_in'; userId: number; cookie: string }
  | { outcome: 'wrong' }
  | { outcome: 'unusable'; status: 'suspended' | 'closed' }
  | ({ outcome: 'too_many' } & TooFast);

/**
 * Start a session if username and password are right. An unknown username takes as long as a wrong password
 * and gets the same answer. Beyond the limit even the right password is refused.
 */
export async function signIn(identity: Identity, credentials: Credentials): Promise<SignIn> {
  const user = await identity.reads.findUserByName(usernameKey(credentials.username));
  const limits = limitsOf(credentials, user?.id, identity.clock());
  const tooFast = await countFailure(identity, limits);
  if (tooFast !== undefined) return { outcome: 'too_many', ...tooFast };
  const hash = user && (await identity.reads.findPasswordHash(user.id));
  const isRight = await verifyPassword(credentials.password, hash);
  if (!isRight || user === undefined || hash === undefined) return { outcome: 'wrong' };
  await forgetFailures(identity, limits);
  // Only a person who knows the password learns the status.
  if (user.status !== 'active') return { outcome: 'unusable', status: user.status };
  const cookie = await startSessionByPassword(identity, user.id, hash);
  return cookie === undefined ? { outcome: 'wrong' } : { outcome: 'signed_in', userId: user.id, cookie };
}

interface Limits {
  ofAccount: AttemptLimit;
  /** Undefined for a browser that signed the member in before: others' guesses must not shut it out. */
  ofAddress: AttemptLimit | undefined;
}

// Subjects are digests, so that the database has no network address and no mistyped username.
function limitsOf(
  { username, address, browser }: Credentials,
  userId: number | undefined,
  now: Timestamp,
): Limits {
  const window = { now, closesAt: now + FAILURE_WINDOW };
  const known = browser && userId !== undefined ? browserOf(browser, userId) : undefined;
  if (known !== undefined) {
    const subject = digestOf(`sign-in with\n${userId}\n${known}`);
    return { ofAccount: { subject, most: MOST_FAILURES, ...window }, ofAddress: undefined };
  }
  const subject = digestOf(`sign-in\n${usernameKey(username)}\n${address}`);
  const addressSubject = digestOf(`sign-in from\n${address}`);
  return {
    ofAccount: { subject, most: MOST_FAILURES, ...window },
    ofAddress: { subject: addressSubject, most: MOST_FAILURES_FROM_ADDRESS, ...window },
  };
}

// An attempt counts as failed until its password proves right. Otherwise parallel guesses would all pass the limit.
async function countFailure(
  identity: Identity,
  { ofAccount, ofAddress }: Limits,
): Promise<TooFast | undefined> {
  // Looked at first, so that an attempt beyond a limit writes nothing.
  return (
    (ofAddress && (await exhausted(identity, ofAddress))) ??
    (await exhausted(identity, ofAccount)) ??
    (await attempted(identity, ofAccount)) ??
    (ofAddress && (await attempted(identity, ofAddress)))
  );
}

async function forgetFailures({ writes }: Identity, { ofAccount, ofAddress }: Limits): Promise<void> {
  await Promise.all([
    writes.forgetAttempts(ofAccount.subject),
    ofAddress && writes.takeAttemptBack(ofAddress.subject),
  ]);
}
