// Replacing a password that the member knows.

import type { MemberDoer } from '../audit/doer.ts';
import type { Identity } from './identity.ts';
import { hashPassword } from './password.ts';
import { type PasswordProblem, problemWithPassword } from './password-rules.ts';
import { type ReauthenticationProblem, reauthenticate } from './reauthentication.ts';
import { startSession } from './session.ts';
import type { User } from './user.ts';

/**
 * Replace the member's password. Every session ends and every mailed link becomes invalid. Returns the cookie
 * of a new session for this browser.
 */
export async function changePassword(
  by: MemberDoer,
  identity: Identity,
  user: User,
  { current, next, language }: { current: string; next: string; language: string },
): Promise<{ cookie: string } | { problem: PasswordProblem } | ReauthenticationProblem> {
  const problem = await problemWithPassword(identity.passwordRules, next, user);
  if (problem !== undefined) return { problem };
  const oldHash = await identity.reads.findPasswordHash(by.userId);
  const refusal = await reauthenticate(by, identity, current);
  if (refusal !== undefined) return refusal;
  const newHash = await hashPassword(next);
  // If another request changed the password in the meantime, `current` is no longer right.
  const isChanged =
    oldHash !== undefined &&
    (await identity.writes.changePassword(by, { from: oldHash, to: newHash, language }));
  if (!isChanged) return { problem: 'wrong_password' };
  identity.onMail?.();
  const start = { method: 'password_change', address: by.address } as const;
  return { cookie: await startSession(identity, by.userId, start) };
}
