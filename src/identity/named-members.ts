// The members with these names, for texts that mention them.

import type { Identity } from './identity.ts';
import type { NamedMember } from './store.ts';
import { usernameKey } from './username.ts';

/** Find the accounts with these usernames. The result has the names as they are written. */
export async function membersNamed(
  { reads }: Pick<Identity, 'reads'>,
  names: readonly string[],
): Promise<Map<string, NamedMember>> {
  const keys = new Map(names.map((name) => [name, usernameKey(name)]));
  const members = await reads.membersByName([...new Set(keys.values())]);
  const byKey = new Map(members.map((member) => [member.usernameKey, member]));
  return new Map(
    [...keys].flatMap(([name, key]) => {
      const member = byKey.get(key);
      return member === undefined ? [] : [[name, member] as const];
    }),
  );
}
