// The fixture of the tests about accounts: a database in memory and a test clock.

import assert from 'node:assert/strict';
import type { Identity } from '../../src/identity/identity.ts';
import type { User } from '../../src/identity/user.ts';
import type { Timestamp } from '../../src/lib/clock.ts';
import { identityStore } from '../../src/storage/identity/identity-store.ts';
import { openMemory, type TestScope } from '../support/databases.ts';
import { PASSWORD, PASSWORD_HASH } from '../support/people.ts';
import { portsOf } from '../support/ports.ts';
import { GUEST_RULES } from '../support/rules.ts';
import { addMember } from '../support/seeding.ts';

export const NEW_YEAR: Timestamp = Date.UTC(2027, 0, 1);
export const ALICES_PASSWORD = PASSWORD;

export interface Accounts {
  identity: Identity;
  /** Set the clock to this time after New Year. */
  setClock(sinceNewYear: number): void;
}

/** Open an empty database of accounts at New Year. */
export async function openAccounts(scope: TestScope): Promise<Accounts> {
  const store = identityStore(await openMemory(scope));
  let now = NEW_YEAR;
  return {
    identity: {
      ...portsOf(store),
      clock: () => now,
      passwordRules: { siteNames: () => ['Agora'] },
      guestRules: () => GUEST_RULES,
      maskCredentials: async (text) => text,
    },
    setClock(sinceNewYear) {
      now = NEW_YEAR + sinceNewYear;
    },
  };
}

/** Create alice's account, with a password that is quick to verify. Returns its id. */
export function addAlice(accounts: Accounts, email?: string): Promise<number> {
  return addMember(accounts, 'alice', { passwordHash: PASSWORD_HASH, email });
}

/** Create alice's account. */
export async function aliceIn(accounts: Accounts, email?: string): Promise<User> {
  const alice = await accounts.identity.reads.findUser(await addAlice(accounts, email));
  assert.ok(alice);
  return alice;
}
