// The roles of members: operator, moderator, or none.

import type { Doer } from '../audit/doer.ts';
import type { Identity } from './identity.ts';
import { type Role, roleOf } from './user.ts';

export type RoleProblem = 'not_active' | 'last_operator';

/** Give a member a role in place of the current one. Returns why that is refused, or undefined once it is done. */
export async function setRole(
  by: Doer,
  { reads, writes }: Identity,
  userId: number,
  role: Role,
): Promise<RoleProblem | undefined> {
  const user = await reads.findUser(userId);
  // The member is mailed only of a change.
  if (user !== undefined && roleOf(user) === role) return undefined;
  if (await writes.setRole(by, userId, role)) return undefined;
  return user?.status === 'active' ? 'last_operator' : 'not_active';
}
