// Signing in with a password, and the limit on guesses (contract §2).

import { attempted, type TooFast } from '../lib/attempt.ts';
import { MINUTE } from '../lib/clock.ts';
import { digestOf } from '../lib/secrets.ts';
import { recordFailure, recordLock } from './failed-sign-in.ts';
import type { Identity } from './identity.ts';
import { verifyPassword } from './password.ts';
import { startSessionByPassword } from './session.ts';
import type { User } from './user.ts';
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
  const { username, password, address } = credentials;
  const find = () => identity.reads.findUserByName(usernameKey(username));
  const tooFast = await attempted(identity, { subject, most: MOST_FAILURES, now, closesAt });
  if (tooFast !== undefined) {
    await recordLock(identity, subject, { ...aboutUser(await find()), address, detail: 'account' });
    return { outcome: 'too_many', ...tooFast };
  }
  const limit = { subject: addressSubject, most: MOST_FAILURES_FROM_ADDRESS, now, closesAt };
  const tooFastFromAddress = await attempted(identity, limit);
  if (tooFastFromAddress !== undefined) {
    await recordLock(identity, addressSubject, { address, detail: 'address' });
    return { outcome: 'too_many', ...tooFastFromAddress };
  }
  const user = await find();
  const hash = user && (await identity.reads.findPasswordHash(user.id));
  const isRight = await verifyPassword(password, hash);
  if (!isRight || user === undefined || hash === undefined) {
    const detail = user === undefined ? 'unknown_account' : 'wrong_password';
    await recordFailure(identity, user, address, detail);
    return { outcome: 'wrong' };
  }
  const { forgetAttempts, takeAttemptBack } = identity.writes;
  await Promise.all([forgetAttempts(subject), takeAttemptBack(addressSubject)]);
  // Only a person who knows the password learns the status.
  if (user.status !== 'active') {
    await recordFailure(identity, user, address, `account_${user.status}`);
    return { outcome: 'unusable', status: user.status };
  }
  const cookie = await startSessionByPassword(identity, user.id, hash, address);
  if (cookie !== undefined) return { outcome: 'signed_in', userId: user.id, cookie };
  await recordFailure(identity, user, address, 'wrong_password');
  return { outcome: 'wrong' };
}

function aboutUser(user: User | undefined): { userId?: number } {
  return user === undefined ? {} : { userId: user.id };
}

// A digest, so that the database has no network address and no mistyped username.
function subjectOf({ username, address }: Credentials): string {
  return digestOf(`sign-in\n${usernameKey(username)}\n${address}`);
}
