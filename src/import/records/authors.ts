// The accounts of the members that records name, by username or by their id in the file.

import { usernameKey } from '../../identity/username.ts';
import type { Destination } from '../destination.ts';
import type { Person } from '../record.ts';

export interface Authors {
  /** Read the accounts of these persons, for `idOf`. */
  load(persons: readonly Person[]): Promise<void>;
  /** The id of a loaded account. Undefined if there is none, or if the account is closed. */
  idOf(person: Person): number | undefined;
  /**
   * Treat this username as unknown: in the file it belongs to someone other than the member who has it here.
   */
  block(name: string): void;
}

// The map is cleared at this size. A cleared entry costs one more read.
const MOST_LOADED = 20_000;

export function authorsIn({ reads }: Destination, source: string): Authors {
  const ids = new Map<string, number>();
  const blockedKeys = new Set<string>();

  async function loadByName(name: string): Promise<void> {
    const user = await reads.findUserByName(usernameKey(name));
    if (user !== undefined && user.status !== 'closed') ids.set(keyOf({ name }), user.id);
  }

  return {
    async load(persons) {
      if (ids.size > MOST_LOADED) ids.clear();
      const missing = persons.filter((person) => !ids.has(keyOf(person)));
      const externalIds = new Set(missing.flatMap((person) => ('id' in person ? [person.id] : [])));
      const names = new Set(missing.flatMap((person) => ('name' in person ? [person.name] : [])));
      const userIds = await reads.importedRecords(source, 'member', [...externalIds]);
      for (const [id, userId] of userIds) ids.set(keyOf({ id }), userId);
      await Promise.all([...names].map(loadByName));
    },
    idOf: (person) => (blockedKeys.has(keyOf(person)) ? undefined : ids.get(keyOf(person))),
    block(name) {
      blockedKeys.add(keyOf({ name }));
    },
  };
}

function keyOf(person: Person): string {
  return 'id' in person ? `id ${person.id}` : `name ${usernameKey(person.name)}`;
}
