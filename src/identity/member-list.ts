// Lists of members, which operators read.

import type { Identity } from './identity.ts';
import type { User } from './user.ts';
import { usernameKey } from './username.ts';

/** Members whose username begins with the prefix. */
export function membersBeginning(
  { reads }: Identity,
  prefix: string,
  after: string | undefined,
  limit: number,
): Promise<User[]> {
  return reads.membersNamed(usernameKey(prefix), after === undefined ? undefined : usernameKey(after), limit);
}
