// A fresh database with its stores, two members and two applications, for each test of storage.

import type { AuditReads } from '../../src/audit/audit-log.ts';
import type { CommunityStore } from '../../src/community/store.ts';
import type { IdentityStore } from '../../src/identity/store.ts';
import type { ImportStore } from '../../src/import/store.ts';
import type {
  NewAccessToken,
  NewAuthorizationCode,
  NewTokenFamily,
  OAuthStore,
} from '../../src/oauth/store.ts';
import { auditStore } from '../../src/storage/audit/audit-log.ts';
import { communityStore } from '../../src/storage/community/community-store.ts';
import type { Database } from '../../src/storage/engine/database.ts';
import { identityStore } from '../../src/storage/identity/identity-store.ts';
import { importStore } from '../../src/storage/import/import-store.ts';
import { oauthStore } from '../../src/storage/oauth/oauth-store.ts';
import type { Scope } from '../support/databases.ts';
import { asMember, SERVER } from './doers.ts';
import { asRead, NOON, newAccessToken, newClient, newCode, newFamily, newUser } from './records.ts';

/** A migrated database, and what the rooms ask of it. */
export interface Stores {
  database: Database;
  identity: IdentityStore;
  community: CommunityStore;
  audit: AuditReads;
  imports: ImportStore;
  oauth: OAuthStore;
}

export interface Fixture extends Stores {
  /** Members' numbers. */
  alice: number;
  bob: number;
}

/** Opens a migrated database for one test. */
export type Open = (scope: Scope) => Promise<Stores>;

/** Opens the stores straight over a database: every read is one of the database. */
export function uncached(openDatabase: (scope: Scope) => Promise<Database>): Open {
  return async (scope) => storesOf(await openDatabase(scope));
}

export function storesOf(database: Database): Stores {
  return {
    database,
    identity: identityStore(database),
    community: communityStore(database),
    audit: auditStore(database),
    imports: importStore(database),
    oauth: oauthStore(database),
  };
}

/** Opens a database in which alice and bob have accounts, and `notebook` and `pocket` are registered. */
export async function openFixture(open: Open, scope: Scope): Promise<Fixture> {
  const stores = await open(scope);
  const { identity, oauth } = stores;
  const alice = await identity.addUser(SERVER, newUser('alice'));
  const bob = await identity.addUser(SERVER, newUser('bob'));
  if (typeof alice !== 'number' || typeof bob !== 'number') throw new Error('The database was not fresh.');
  await oauth.addClient(SERVER, newClient('notebook', { ownerId: bob }));
  await oauth.addClient(SERVER, newClient('pocket'));
  return { ...stores, alice, bob };
}

/** Lets a member allow an application everything. Returns the code. */
export async function approved(
  { oauth }: Fixture,
  userId: number,
  clientId: string,
): Promise<NewAuthorizationCode> {
  const code = newCode(userId, clientId);
  for (let done = false; !done; ) {
    const grant = await oauth.findGrant(code.userId, code.clientId);
    const inForce = grant === undefined || grant.withdrawnAt !== undefined ? [] : grant.scopes;
    done = await oauth.approve(asMember(userId), inForce, code.scopes, code);
  }
  return code;
}

/** Signs a member in to an application. Returns what came of it. */
export async function signedIn(
  fixture: Fixture,
  userId: number,
  clientId: string,
): Promise<{ code: NewAuthorizationCode; family: NewTokenFamily; accessToken: NewAccessToken }> {
  const code = await approved(fixture, userId, clientId);
  const family = newFamily(userId, clientId);
  const accessToken = newAccessToken(family.key);
  await fixture.oauth.redeem(asRead(code), family, accessToken, NOON);
  return { code, family, accessToken };
}

/** The answers of as many calls at once. */
export async function atOnce<T>(times: number, call: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: times }, (_, index) => call(index)));
}
