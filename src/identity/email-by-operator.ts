// An email address that an operator sets or removes, for a member who can't. It needs no confirmation: the member may
// be unable to sign in, and the operator vouches for it, as when an operator creates an account.

import type { Doer } from '../audit/doer.ts';
import { emailKeyOf, looksLikeEmail } from './email-address.ts';
import { hasBlockedDomain } from './guest-rules.ts';
import { type HelpProblem, helpProblem, mayHelpOperators } from './help.ts';
import type { Identity } from './identity.ts';
import type { User } from './user.ts';

export type SetEmailProblem = HelpProblem | 'invalid' | 'blocked' | 'taken' | 'unchanged';

/**
 * Give the account this address, or none. Both addresses are told. Neither can undo the change: the earlier mailbox may
 * be what the member lost. Only the command line can set an address of a blocked mail domain. Returns why it is
 * refused, or undefined once it is done.
 */
export async function setEmail(
  by: Doer,
  identity: Identity,
  user: User,
  { email, language }: { email: string | undefined; language: string },
): Promise<SetEmailProblem | undefined> {
  const address = email?.trim();
  if (address !== undefined && !looksLikeEmail(address)) return 'invalid';
  if (address === user.email) return 'unchanged';
  if (
    address !== undefined &&
    by.kind !== 'command-line' &&
    hasBlockedDomain(await identity.guestRules(), address)
  ) {
    return 'blocked';
  }
  const next = address === undefined ? undefined : { email: address, emailKey: emailKeyOf(address) };
  const options = { mayBeOperator: mayHelpOperators(by), language };
  if (await identity.writes.setEmail(by, user, next, options)) {
    identity.onMail?.();
    return undefined;
  }
  const owner = next && (await identity.reads.findUserByEmail(next.emailKey));
  return owner !== undefined && owner.id !== user.id ? 'taken' : helpProblem(by, identity, user);
}
