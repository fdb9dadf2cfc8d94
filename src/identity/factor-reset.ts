// A lost second factor: an operator's act removes the factors of a member a day later. The member is told at once, and
// can cancel it; a sign-in with the factor cancels it too.

import { byServer, type Doer, type MemberDoer } from '../audit/doer.ts';
import { DAY } from '../lib/clock.ts';
import type { FactorReset } from './factor-store.ts';
import { type HelpProblem, helpProblem, mayHelpOperators } from './help.ts';
import type { Identity } from './identity.ts';
import { findMailedLink } from './mail.ts';
import type { User } from './user.ts';

/** How long the member can cancel it. */
export const FACTOR_RESET_WAIT = 1 * DAY;
// Someone who talks an operator into another address would get the mail about the factor.
const ADDRESS_UNCHANGED_FOR = 7 * DAY;

/** `address_changed`: an operator changed the address of the account less than seven days ago. */
export type FactorResetProblem = Exclude<HelpProblem, 'changed'> | 'no_factor' | 'address_changed';

/**
 * Ask for the removal of a member's factors. Returns when they go, the time of an earlier call if there was one. In the
 * week after operators changed the account's address only the command line can ask.
 */
export async function askFactorReset(
  by: Doer,
  identity: Identity,
  user: User,
): Promise<FactorReset | { problem: FactorResetProblem }> {
  const isCommandLine = mayHelpOperators(by);
  const options = {
    dueAt: by.at + FACTOR_RESET_WAIT,
    mayBeOperator: isCommandLine,
    addressUnchangedSince: isCommandLine ? by.at : by.at - ADDRESS_UNCHANGED_FOR,
  };
  if (await identity.writes.addFactorReset(by, user.id, options)) identity.onMail?.();
  const reset = await identity.reads.findFactorReset(user.id);
  if (reset !== undefined) return reset;
  const present = await identity.reads.findUser(user.id);
  if (present?.status !== 'closed' && present?.hasFactor === false) return { problem: 'no_factor' };
  const problem = await helpProblem(by, identity, user);
  return { problem: problem === 'changed' ? 'address_changed' : problem };
}

/** Keep the factors. False if no removal is waiting. */
export function cancelFactorReset(by: MemberDoer, { writes }: Identity): Promise<boolean> {
  return writes.cancelFactorReset(by);
}

/** Find the member whose factors a mailed link keeps. Undefined if the link is not valid. */
export async function openKeepLink(
  identity: Identity,
  token: string,
): Promise<{ userId: number; username: string } | undefined> {
  const link = await findMailedLink(identity, 'keep_factors', token);
  const user = link && (await identity.reads.findUser(link.userId));
  const reset = user && (await identity.reads.findFactorReset(user.id));
  return user && reset && { userId: user.id, username: user.username };
}

/** Keep the factors by a mailed link, whoever opens it. False if it is not valid. */
export async function keepFactorsByLink(
  identity: Identity,
  token: string,
  address: string,
): Promise<boolean> {
  const link = await openKeepLink(identity, token);
  if (link === undefined) return false;
  const { userId } = link;
  return identity.writes.cancelFactorReset({ kind: 'member', userId, at: identity.clock(), address });
}

/** Remove the factors of an account whose time has come. Returns whether they are gone now. */
export async function applyDueReset(identity: Identity, userId: number): Promise<boolean> {
  const by = byServer(identity.clock);
  const reset = await identity.reads.findFactorReset(userId);
  return reset !== undefined && reset.dueAt <= by.at && identity.writes.applyFactorReset(by, userId);
}
