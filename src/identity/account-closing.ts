// How members close their own account: with their password, and for good.

import type { MemberDoer } from '../audit/doer.ts';
import type { Identity } from './identity.ts';
import { type PasswordOrProof, type ReauthenticationProblem, reauthenticate } from './reauthentication.ts';

export type ClosingProblem = ReauthenticationProblem | { problem: 'last_operator' };

/** Close the member's account. Returns why that is refused, or undefined once it is closed. */
export async function closeOwnAccount(
  by: MemberDoer,
  identity: Identity,
  password: PasswordOrProof,
): Promise<ClosingProblem | undefined> {
  const { reads, writes } = identity;
  const problem = await reauthenticate(by, identity, password);
  if (problem === undefined && (await writes.closeAccount(by, by.userId))) return undefined;
  // An account that was closed in another window in the meantime is what the member wants.
  if ((await reads.findUser(by.userId))?.status === 'closed') return undefined;
  return problem ?? { problem: 'last_operator' };
}
