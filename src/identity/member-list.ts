// Lists of members, which operators read.

import { inPieces } from '../lib/pieces.ts';
import type { Identity } from './identity.ts';
import type { MemberQuery } from './member-list-store.ts';
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

// Members are read in batches that fit into memory.
const BATCH = 500;

/** All members that match, oldest first. `search` is a part of the username or of the email address. */
export function matchingMembers(
  { reads, clock }: Identity,
  { search, ...filters }: MemberQuery,
): AsyncGenerator<User> {
  const query = { ...filters, search: search === undefined ? undefined : usernameKey(search) };
  return inPieces(BATCH, (last: User | undefined) =>
    reads.membersMatching(query, last?.id ?? 0, BATCH, clock()),
  );
}
