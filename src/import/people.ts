// Who wrote a record: the account of somebody who is named, or known by a number elsewhere.

import type { Community } from '../community/community.ts';
import type { Identity } from '../identity/identity.ts';
import { usernameKey } from '../identity/username.ts';
import type { Person } from './record.ts';

export interface People {
  /** Looks for all of them at once; afterwards `numberOf` tells. */
  look(persons: readonly Person[]): Promise<void>;
  /** The number of the account; undefined if there is none that can write. */
  numberOf(person: Person): number | undefined;
  /** Whoever has this name here is not whom the file means. */
  deny(name: string): void;
}

// Those that were met last. Looking again costs a read.
const MOST_KEPT = 20_000;

export function peopleFor({ reads }: Identity, community: Community, source: string): People {
  const known = new Map<string, number>();
  const denied = new Set<string>();

  async function lookFor(name: string): Promise<void> {
    const user = await reads.findUserByName(usernameKey(name));
    if (user !== undefined && user.status !== 'closed') known.set(keyOf({ name }), user.id);
  }

  return {
    async look(persons) {
      if (known.size > MOST_KEPT) known.clear();
      const missing = persons.filter((person) => !known.has(keyOf(person)));
      const ids = new Set(missing.flatMap((person) => ('id' in person ? [person.id] : [])));
      const names = new Set(missing.flatMap((person) => ('name' in person ? [person.name] : [])));
      const brought = await community.reads.importedRecords(source, 'member', [...ids]);
      for (const [id, number] of brought) known.set(keyOf({ id }), number);
      await Promise.all([...names].map(lookFor));
    },
    numberOf: (person) => (denied.has(keyOf(person)) ? undefined : known.get(keyOf(person))),
    deny(name) {
      denied.add(keyOf({ name }));
    },
  };
}

function keyOf(person: Person): string {
  return 'id' in person ? `id ${person.id}` : `name ${usernameKey(person.name)}`;
}
