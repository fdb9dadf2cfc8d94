// Signing in with a password, and the limit on guesses (contract §2).

import { attempted, type TooFast } from '../lib/attempt.ts';
import { MINUTE } from '../lib/clock.ts';
import { digestOf } from '../lib/secrets.ts';
import type { Identity } from './identity.ts';
import { hashPassword, isOutdatedHash, verifyPassword } from './password.ts';
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
  const now = identity.clock();
  const subject = subjectOf(credentials);
  const addressSubject = digestOf(`sign-in from\n${credentials.address}`);
  // An attempt counts before the password is checked. Otherwise parallel guesses would all pass the limit.
  const closesAt = now + FAILURE_WINDOW;
  const tooFast =
    (await attempted(identity, { subject, most: MOST_FAILURES, now, closesAt })) ??
    (await attempted(identity, { subject: addressSubject, most: MOST_FAILURES_FROM_ADDRESS, now, closesAt }));
  if (tooFast !== undefined) return { outcome: 'too_many', ...tooFast };
  const user = await identity.reads.findUserByName(usernameKey(credentials.username));
  const hash = user && (await identity.reads.findPasswordHash(user.id));
  const isRight = await verifyPassword(credentials.password, hash);
  if (!isRight || user === undefined || hash === undefined) return { outcome: 'wrong' };
  const { forgetAttempts, takeAttemptBack } = identity.writes;
  await Promise.all([forgetAttempts(subject), takeAttemptBack(addressSubject)]);
  // Only a person who knows the password learns the status.
  if (user.status !== 'active') return { outcome: 'unusable', status: user.status };
  const currentHash = await renewedHash(identity, user.id, credentials.password, hash);
  const cookie = await startSessionByPassword(identity, user.id, currentHash);
  return cookie === undefined ? { outcome: 'wrong' } : { outcome: 'signed_in', userId: user.id, cookie };
}

// An imported hash may take far more work than ours, whose time would tell that the account exists.
async function renewedHash(
  { writes }: Identity,
  userId: number,
  password: string,
  hash: string,
): Promise<string> {
  if (!isOutdatedHash(hash)) return hash;
  const renewed = await hashPassword(password);
  return (await writes.renewPasswordHash(userId, hash, renewed)) ? renewed : hash;
}

// A digest, so that the database has no network address and no mistyped username.
function subjectOf({ username, address }: Credentials): string {
  return digestOf(`sign-in\n${usernameKey(username)}\n${address}`);
}
