// Proving who one is with a password, and the bound on guessing (contract §2).

import { attempted, type TooFast } from '../lib/attempt.ts';
import { MINUTE } from '../lib/clock.ts';
import { digestOf } from '../lib/secrets.ts';
import type { Identity } from './identity.ts';
import { verifyPassword } from './password.ts';
import { startSessionByPassword } from './session.ts';
import { usernameKey } from './username.ts';

const MOST_FAILURES = 10;
// Of one address, over all accounts: whoever tries one password on many names is slowed down as well.
const MOST_FAILURES_FROM_ADDRESS = 100;
const FAILURE_WINDOW = 15 * MINUTE;

export interface Credentials {
  username: string;
  password: string;
  /** Where the attempt comes from: guesses are bounded per account and address, so nobody can lock others out. */
  address: string;
}

export type SignIn =
  | { outcome: 'signed_in'; userId: number; cookie: string }
  | { outcome: 'wrong' }
  | { outcome: 'unusable'; status: 'suspended' | 'closed' }
  | ({ outcome: 'too_many' } & TooFast);

/**
 * Starts a session if name and password are right. An unknown name takes as long as a wrong password and gets the same
 * answer. Beyond the bound nothing is judged, also not a right password.
 */
export async function signIn(identity: Identity, credentials: Credentials): Promise<SignIn> {
  const now = identity.clock();
  const subject = subjectOf(credentials);
  // Counted before it is judged: otherwise many guesses at once would all be judged before the first is counted.
  const everywhere = digestOf(`sign-in from\n${credentials.address}`);
  const closesAt = now + FAILURE_WINDOW;
  const tooFast =
    (await attempted(identity, { subject, most: MOST_FAILURES, now, closesAt })) ??
    (await attempted(identity, { subject: everywhere, most: MOST_FAILURES_FROM_ADDRESS, now, closesAt }));
  if (tooFast !== undefined) return { outcome: 'too_many', ...tooFast };
  const user = await identity.reads.findUserByName(usernameKey(credentials.username));
  const hash = user && (await identity.reads.findPasswordHash(user.id));
  const isRight = await verifyPassword(credentials.password, hash);
  if (!isRight || user === undefined || hash === undefined) return { outcome: 'wrong' };
  await Promise.all([identity.writes.forgetAttempts(subject), identity.writes.takeAttemptBack(everywhere)]);
  // Told only to someone who knows the password.
  if (user.status !== 'active') return { outcome: 'unusable', status: user.status };
  const cookie = await startSessionByPassword(identity, user.id, hash);
  return cookie === undefined ? { outcome: 'wrong' } : { outcome: 'signed_in', userId: user.id, cookie };
}

// A digest, so that no address and no mistyped name is kept.
function subjectOf({ username, address }: Credentials): string {
  return digestOf(`sign-in\n${usernameKey(username)}\n${address}`);
}
