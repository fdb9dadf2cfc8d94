// Renaming members. The name until now stays reserved: it signs the member in, and nobody else can have it.

import type { Doer } from '../audit/doer.ts';
import type { Identity } from './identity.ts';
import { isReservedName } from './reserved-names.ts';
import type { User } from './user.ts';
import { normalizeUsername, problemWithNewUsername, type UsernameProblem, usernameKey } from './username.ts';

export type RenamingProblem = UsernameProblem | 'reserved' | 'taken' | 'unchanged' | 'closed';

/**
 * Rename a member, who is told by mail and at the next sign-in. Only operators get a reserved name, except at the
 * command line. Returns why that is refused, or undefined once it
 * is done.
 */
export async function renameUser(
  by: Doer,
  identity: Identity,
  user: User,
  { to, language }: { to: string; language: string },
): Promise<RenamingProblem | undefined> {
  const username = normalizeUsername(to);
  const problem = problemWithNewUsername(username);
  if (problem !== undefined) return problem;
  if (username === user.username) return 'unchanged';
  const mayHaveReservedName = user.isOperator || by.kind === 'command-line';
  const { reservedNames } = await identity.guestRules();
  if (!mayHaveReservedName && isReservedName(username, reservedNames)) return 'reserved';
  const renaming = {
    username,
    usernameKey: usernameKey(username),
    earlierKey: usernameKey(user.username),
    language,
  };
  if (await identity.writes.renameUser(by, user, renaming)) {
    identity.onMail?.();
    return undefined;
  }
  return (await identity.reads.findUser(user.id))?.status === 'closed' ? 'closed' : 'taken';
}

/**
 * Return the username that the member last knew, if the member was renamed and wasn't told since. Only the first call
 * returns it.
 */
export async function takeUntoldUsername(identity: Identity, userId: number): Promise<string | undefined> {
  const username = await identity.reads.untoldUsername(userId);
  if (username === undefined) return undefined;
  return (await identity.writes.markRenameTold(userId, identity.clock())) ? username : undefined;
}
