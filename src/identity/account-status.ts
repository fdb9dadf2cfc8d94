// Suspending, reactivating and closing accounts. The same transaction ends the member's sessions
// (`storage/identity/accounts.ts`); tokens are refused when they are used (`oauth/bearer-token.ts`).

import type { Doer } from '../audit/doer.ts';
import type { Identity } from './identity.ts';
import type { AccountStatus, User } from './user.ts';

export type AccountStatusProblem = 'self' | 'closed' | 'last_operator';

/** Set the status of another person's account. Returns why that is refused, or undefined once it is done. */
export async function setAccountStatus(
  by: Doer,
  { reads, writes }: Identity,
  user: Pick<User, 'id'>,
  status: AccountStatus,
): Promise<AccountStatusProblem | undefined> {
  // Operators close their own account in their settings, which ask for the password.
  if (by.kind === 'operator' && by.userId === user.id) return 'self';
  const isDone =
    status === 'closed'
      ? await writes.closeAccount(by, user.id)
      : await writes.setStatus(by, user.id, status);
  if (isDone) return undefined;
  const current = (await reads.findUser(user.id))?.status;
  if (current === 'closed') return 'closed';
  return current === status ? undefined : 'last_operator';
}
