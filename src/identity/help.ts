// Operators help members. On the pages they can't give an operator's account to someone else: neither a link for a
// new password nor another email address. The command line can, since its user has the database anyway.

import type { Doer } from '../audit/doer.ts';
import type { Identity } from './identity.ts';
import type { User } from './user.ts';

/** Why an account can't be helped. `changed`: it has another address by now. */
export type HelpProblem = 'operator' | 'closed' | 'changed';

/** Report whether the doer may change who can sign in to an operator's account. */
export function mayHelpOperators(by: Doer): boolean {
  return by.kind === 'command-line';
}

/** Say why storage refused the help. */
export async function helpProblem(by: Doer, { reads }: Identity, { id }: User): Promise<HelpProblem> {
  const user = await reads.findUser(id);
  if (user === undefined || user.status === 'closed') return 'closed';
  return user.isOperator && !mayHelpOperators(by) ? 'operator' : 'changed';
}
