// The stage of the tests about people: a database in memory and a clock that is set.

import assert from 'node:assert/strict';
import { byServer } from '../../src/audit/doer.ts';
import type { Identity } from '../../src/identity/identity.ts';
import { createUser } from '../../src/identity/user-creation.ts';
import type { Timestamp } from '../../src/lib/clock.ts';
import { identityStore } from '../../src/storage/identity/identity-store.ts';
import { openMemory, type Scope } from '../support/databases.ts';
import { portsOf } from '../support/ports.ts';

export const NEW_YEAR: Timestamp = Date.UTC(2027, 0, 1);
export const ALICES_PASSWORD = 'correct horse battery staple';

export interface Accounts {
  identity: Identity;
  /** Sets the clock to this time after New Year. */
  setClock(sinceNewYear: number): void;
}

/** Opens an empty database of accounts at New Year. */
export async function openAccounts(scope: Scope): Promise<Accounts> {
  const store = identityStore(await openMemory(scope));
  let now = NEW_YEAR;
  return {
    identity: { ...portsOf(store), clock: () => now },
    setClock(sinceNewYear) {
      now = NEW_YEAR + sinceNewYear;
    },
  };
}

/** Creates alice's account. Returns its id. */
export async function addAlice({ identity }: Accounts): Promise<number> {
  const account = await createUser(byServer(identity.clock), identity, {
    username: 'alice',
    password: ALICES_PASSWORD,
  });
  assert.ok('id' in account);
  return account.id;
}
