// Replacing a password that the member knows.

import type { MemberDoer } from '../audit/doer.ts';
import { attempted, hourlyLimit, type TooFast } from '../lib/attempt.ts';
import type { Identity } from './identity.ts';
import { hashPassword } from './password.ts';
import { localRules, type PasswordProblem, problemWithPassword } from './password-rules.ts';
import { type PasswordOrProof, type ReauthenticationProblem, reauthenticate } from './reauthentication.ts';
import { startSessionByPassword } from './session.ts';
import type { User } from './user.ts';

// Within an hour. Each change mails a notice.
const MOST_CHANGES = 5;

export type PasswordChangeProblem =
  | { problem: PasswordProblem }
  | ({ problem: 'too_many_changes' } & TooFast)
  | ReauthenticationProblem;

/** What a member types, and where. */
export interface NextPassword {
  current: PasswordOrProof;
  next: string;
  language: string;
  /** The short name of the browser. */
  program?: string;
}

/**
 * Replace the member's password. Every session ends and every mailed link becomes invalid. Returns the cookie
 * of a new session for this browser.
 */
export async function changePassword(
  by: MemberDoer,
  identity: Identity,
  user: User,
  { current, next, language, program }: NextPassword,
): Promise<{ cookie: string } | PasswordChangeProblem> {
  const problem = await problemWithPassword(localRules(identity.passwordRules), next, user);
  if (problem !== undefined) return { problem };
  const oldHash = await identity.reads.findPasswordHash(by.userId);
  const refusal = await reauthenticate(by, identity, current);
  if (refusal !== undefined) return refusal;
  // The service is asked after the password was judged and counted, so nobody can make the server flood it.
  if (await identity.passwordRules.isBreached?.(next)) return { problem: 'breached' };
  const tooFast = await attempted(identity, hourlyLimit(by.at, MOST_CHANGES, 'password of', by.userId));
  if (tooFast !== undefined) return { problem: 'too_many_changes', ...tooFast };
  const newHash = await hashPassword(next);
  // If another request changed the password in the meantime, `current` is no longer right.
  const isChanged =
    oldHash !== undefined &&
    (await identity.writes.changePassword(by, { from: oldHash, to: newHash, language }));
  if (!isChanged) return { problem: 'wrong_password' };
  identity.onMail?.();
  // An undone change of address replaces the password too, and no session may outlive it.
  const browser = { program: program ?? '', isNew: false };
  const isWithoutFactor = !user.hasFactor;
  const start = { method: 'password_change', isWithoutFactor, address: by.address, browser } as const;
  const cookie = await startSessionByPassword(identity, by.userId, newHash, start);
  return cookie === undefined ? { problem: 'wrong_password' } : { cookie };
}
