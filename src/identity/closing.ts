// Closing one's own account, after the password has been asked for again.

import type { Identity } from './identity.ts';
import { type ProofProblem, proveOneself } from './proof.ts';
import type { User } from './user.ts';

export type ClosingProblem = ProofProblem | { problem: 'last_operator' };

/** Closes the account for good. Says why it can't be done, undefined once it is. */
export async function closeOwnAccount(
  identity: Identity,
  user: User,
  password: string,
): Promise<ClosingProblem | undefined> {
  const refused = await proveOneself(identity, user, password);
  if (refused !== undefined) return refused;
  const { reads, writes, clock } = identity;
  const done = await writes.closeAccount(user.id, clock());
  // Closed in another window meanwhile: that is what was asked for.
  if (done || (await reads.findUser(user.id))?.status === 'closed') return undefined;
  return { problem: 'last_operator' };
}
