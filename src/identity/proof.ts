// Proving anew who one is, before something that a browser left open must not do.

import { attempted, type TooFast } from '../lib/attempt.ts';
import { MINUTE } from '../lib/clock.ts';
import type { Identity } from './identity.ts';
import { verifyPassword } from './password.ts';
import type { User } from './user.ts';

const MOST_FAILURES = 10;
const FAILURE_WINDOW = 15 * MINUTE;

export type ProofProblem = { problem: 'wrong_password' } | ({ problem: 'too_many_attempts' } & TooFast);

/** Judges a member's password; undefined if it is right. Beyond the bound nothing is judged. */
export async function proveOneself(
  identity: Identity,
  user: User,
  password: string,
): Promise<ProofProblem | undefined> {
  const { reads, writes } = identity;
  const now = identity.clock();
  const limit = { subject: `proof\n${user.id}`, most: MOST_FAILURES, now, closesAt: now + FAILURE_WINDOW };
  const tooFast = await attempted(identity, limit);
  if (tooFast !== undefined) return { problem: 'too_many_attempts', ...tooFast };
  if (!(await verifyPassword(password, await reads.findPasswordHash(user.id)))) {
    return { problem: 'wrong_password' };
  }
  await writes.forgetAttempts(limit.subject);
  return undefined;
}
