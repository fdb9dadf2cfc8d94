// Proving anew who one is, before something that a browser left open must not do.

import { MINUTE, SECOND, type Timestamp } from '../lib/clock.ts';
import type { Identity } from './identity.ts';
import { verifyPassword } from './password.ts';
import type { User } from './user.ts';

const MOST_FAILURES = 10;
const FAILURE_WINDOW = 15 * MINUTE;

export type ProofProblem =
  | { problem: 'wrong_password' }
  | { problem: 'too_many_attempts'; retryAfterSeconds: number };

/** Judges a member's password; undefined if it is right. Beyond the bound nothing is judged. */
export async function proveOneself(
  identity: Identity,
  user: User,
  password: string,
): Promise<ProofProblem | undefined> {
  const { store } = identity;
  const now = identity.clock();
  const subject = `proof\n${user.id}`;
  if (!(await store.countAttempt(subject, MOST_FAILURES, now, now + FAILURE_WINDOW))) {
    const retryAfterSeconds = await secondsUntilClosed(identity, subject, now);
    return { problem: 'too_many_attempts', retryAfterSeconds };
  }
  if (!(await verifyPassword(password, await store.findPasswordHash(user.id)))) {
    return { problem: 'wrong_password' };
  }
  await store.forgetAttempts(subject);
  return undefined;
}

/** How long until a subject whose attempts are used up gets new ones. */
export async function secondsUntilClosed(
  { store }: Identity,
  subject: string,
  now: Timestamp,
): Promise<number> {
  const closesAt = (await store.attemptsCloseAt(subject)) ?? now;
  return Math.max(1, Math.ceil((closesAt - now) / SECOND));
}
