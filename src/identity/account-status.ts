// Suspending, reactivating and closing accounts. The same transaction ends the member's sessions
// (`storage/identity/accounts.ts`); tokens are refused when they are used (`oauth/bearer-token.ts`).

import type { Doer, ModeratorDoer } from '../audit/doer.ts';
import { attempted, hourlyLimit } from '../lib/attempt.ts';
import { oneLine } from '../lib/one-line.ts';
import type { Identity } from './identity.ts';
import { type AccountStatus, canModerate, type User } from './user.ts';

/** `too_fast`: a moderator suspended this member, or members, very often this hour. */
export type AccountStatusProblem =
  | 'self'
  | 'closed'
  | 'last_operator'
  | 'not_allowed'
  | 'too_fast'
  | 'reason_too_long';

/** The longest reason for a suspension or a removal. */
export const MOST_REASON_CHARACTERS = 500;
// Each suspension is mailed to the member, with the moderator's words.
const MOST_SUSPENSIONS = 30;
const MOST_SUSPENSIONS_OF_MEMBER = 3;

/**
 * Set the status of another person's account. Moderators suspend and reactivate members without a role. The reason
 * for a suspension is for the member. Returns why the change is refused, or undefined once it is done.
 */
export async function setAccountStatus(
  by: Doer,
  identity: Identity,
  user: Pick<User, 'id'>,
  status: AccountStatus,
  reason = '',
): Promise<AccountStatusProblem | undefined> {
  const { reads, writes } = identity;
  // Operators close their own account in their settings, which ask for the password.
  const isModerator = by.kind === 'moderator';
  if ((by.kind === 'operator' || isModerator) && by.userId === user.id) return 'self';
  const text = oneLine(reason);
  if ([...text].length > MOST_REASON_CHARACTERS) return 'reason_too_long';
  if (isModerator && status === 'closed') return 'not_allowed';
  if (isModerator && status === 'suspended' && (await isTooFast(by, identity, user.id))) return 'too_fast';
  const isDone =
    status === 'closed'
      ? await writes.closeAccount(by, user.id)
      : await writes.setStatus(by, user.id, status, text === '' ? undefined : text);
  if (isDone) return undefined;
  const current = await reads.findUser(user.id);
  if (current?.status === 'closed') return 'closed';
  if (isModerator && current !== undefined && canModerate(current)) return 'not_allowed';
  return current?.status === status ? undefined : 'last_operator';
}

async function isTooFast(by: ModeratorDoer, identity: Identity, userId: number): Promise<boolean> {
  const limits = [
    hourlyLimit(by.at, MOST_SUSPENSIONS_OF_MEMBER, 'suspension of', userId),
    hourlyLimit(by.at, MOST_SUSPENSIONS, 'suspension by', by.userId),
  ];
  for (const limit of limits) if ((await attempted(identity, limit)) !== undefined) return true;
  return false;
}
