// Closing one's own account, after the password has been asked for again.

import { MINUTE } from '../lib/clock.ts';
import type { Identity } from './identity.ts';
import { verifyPassword } from './password.ts';
import type { User } from './user.ts';

export type ClosingProblem = 'wrong_password' | 'too_many' | 'last_operator';

const MOST_GUESSES = 10;
const GUESS_WINDOW = 15 * MINUTE;

/** Closes the account for good. Says why it can't be done, undefined once it is. */
export async function closeOwnAccount(
  { store, clock }: Identity,
  user: User,
  password: string,
): Promise<ClosingProblem | undefined> {
  const now = clock();
  const subject = `closing\n${user.id}`;
  // A browser that somebody left open must not serve to find out the password.
  if (!(await store.countAttempt(subject, MOST_GUESSES, now, now + GUESS_WINDOW))) return 'too_many';
  if (!(await verifyPassword(password, await store.findPasswordHash(user.id)))) return 'wrong_password';
  await store.forgetAttempts(subject);
  const done = await store.closeAccount(user.id, now);
  // Closed in another window meanwhile: that is what was asked for.
  if (done || (await store.findUser(user.id))?.status === 'closed') return undefined;
  return 'last_operator';
}
