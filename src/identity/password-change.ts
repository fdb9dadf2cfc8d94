// A new password in the place of one that is known.

import type { Identity } from './identity.ts';
import { hashPassword, type PasswordProblem, problemWithPassword } from './password.ts';
import { type ProofProblem, proveOneself } from './proof.ts';
import { startSession } from './session.ts';
import type { User } from './user.ts';

/**
 * Replaces a member's password. Every session ends, and every link that was mailed; the cookie that comes back is a
 * new session for whoever did it.
 */
export async function changePassword(
  identity: Identity,
  user: User,
  { current, next, language }: { current: string; next: string; language: string },
): Promise<{ cookie: string } | { problem: PasswordProblem } | ProofProblem> {
  const problem = problemWithPassword(next, user.username);
  if (problem !== undefined) return { problem };
  const from = await identity.reads.findPasswordHash(user.id);
  const refused = await proveOneself(identity, user, current);
  if (refused !== undefined) return refused;
  const to = await hashPassword(next);
  const now = identity.clock();
  // Changed by someone else since it was read: then what was typed is no longer the password.
  const done = from !== undefined && (await identity.writes.changePassword(user.id, from, to, language, now));
  if (!done) return { problem: 'wrong_password' };
  identity.onMail?.();
  return { cookie: await startSession(identity, user.id) };
}
