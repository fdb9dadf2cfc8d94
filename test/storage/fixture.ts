// A fresh database with its stores, two members and two applications, for each test of storage.

import type { AuditReads } from '../../src/audit/audit-log.ts';
import type { Doer, MemberDoer } from '../../src/audit/doer.ts';
import type { NewPost } from '../../src/community/post-store.ts';
import type { Category, CommunityStore } from '../../src/community/store.ts';
import type { IdentityStore } from '../../src/identity/store.ts';
import type { ImportStore } from '../../src/import/store.ts';
import { HOUR } from '../../src/lib/clock.ts';
import type {
  NewAccessToken,
  NewAuthorizationCode,
  NewTokenFamily,
  OAuthStore,
} from '../../src/oauth/store.ts';
import type { SiteStore } from '../../src/site/site.ts';
import { auditStore } from '../../src/storage/audit/audit-log.ts';
import { communityStore } from '../../src/storage/community/community-store.ts';
import type { Database } from '../../src/storage/engine/database.ts';
import { identityStore } from '../../src/storage/identity/identity-store.ts';
import { importStore } from '../../src/storage/import/import-store.ts';
import { oauthStore } from '../../src/storage/oauth/oauth-store.ts';
import { siteStore } from '../../src/storage/site/site-store.ts';
import type { TestScope } from '../support/databases.ts';
import { asMember, SERVER } from './doers.ts';
import {
  asStored,
  NOON,
  newAccessToken,
  newClient,
  newCode,
  newFamily,
  newSession,
  newUser,
  SESSION_START,
} from './records.ts';

/**
 * The authors of the tests are active, except for those of `inactive-members.ts`: a new post has an id. There are fewer
 * categories than there can be, except in `categories.ts`.
 */
export type TestCommunity = {
  addPost(by: Doer, post: NewPost): Promise<number>;
  ensureCategory(by: Doer, slug: string, name: string, most: number): Promise<Category>;
} & CommunityStore;

/** A migrated database and its stores. */
export interface Stores {
  database: Database;
  identity: IdentityStore;
  community: TestCommunity;
  audit: AuditReads;
  imports: ImportStore;
  site: SiteStore;
  oauth: OAuthStore;
}

export interface Fixture extends Stores {
  /** The members' ids. */
  alice: number;
  bob: number;
}

/** How a test opens a migrated database. */
export type Open = (scope: TestScope) => Promise<Stores>;

/** Open the stores without a cache: every read goes to the database. */
export function uncached(openDatabase: (scope: TestScope) => Promise<Database>): Open {
  return async (scope) => storesOf(await openDatabase(scope));
}

export function storesOf(database: Database): Stores {
  return {
    database,
    identity: identityStore(database),
    community: communityStore(database) as TestCommunity,
    audit: auditStore(database),
    imports: importStore(database),
    site: siteStore(database),
    oauth: oauthStore(database),
  };
}

/** Open a database in which alice and bob have accounts, and `notebook` and `pocket` are registered. */
export async function openFixture(open: Open, scope: TestScope): Promise<Fixture> {
  const stores = await open(scope);
  const { identity, oauth } = stores;
  const alice = await identity.addUser(SERVER, newUser('alice'));
  const bob = await identity.addUser(SERVER, newUser('bob'));
  if (typeof alice !== 'number' || typeof bob !== 'number') throw new Error('The database was not fresh.');
  await oauth.addClient(SERVER, newClient('notebook', { ownerId: bob }));
  await oauth.addClient(SERVER, newClient('pocket'));
  return { ...stores, alice, bob };
}

/** Add an operator. Returns the id. */
export async function addOperator({ identity }: Fixture, username: string): Promise<number> {
  const id = await identity.addUser(SERVER, newUser(username, { isOperator: true }));
  if (typeof id !== 'number') throw new Error(id);
  return id;
}

/** Sign a member in here. Returns the key of the session. */
export async function openSession({ identity }: Fixture, userId: number): Promise<string> {
  const session = newSession(userId);
  await identity.addSession(session, SESSION_START);
  return session.key;
}

/** Let a member comment on a post. Returns the comment's id. */
export async function addComment(
  { community }: Fixture,
  postId: number,
  userId: number,
  body = 'Well said.',
): Promise<number> {
  const comment = { postId, replyTo: undefined, body, xp: 2, weight: 1 };
  const id = await community.addComment(asMember(userId), comment);
  if (id === undefined) throw new Error(`There is no post ${postId}.`);
  return id;
}

/** Let a member allow an application everything. Returns the code. */
export async function approve(
  { oauth }: Fixture,
  userId: number,
  clientId: string,
): Promise<NewAuthorizationCode> {
  const code = newCode(userId, clientId);
  for (let done = false; !done; ) {
    const grant = await oauth.findGrant(code.userId, code.clientId, NOON);
    const inForce = grant?.withdrawnAt === undefined ? grant : undefined;
    done = await oauth.approve(asMember(userId), inForce, code.scopes, code);
  }
  return code;
}

/** Sign a member in to an application. Returns the records that this adds. */
export async function signIn(
  fixture: Fixture,
  userId: number,
  clientId: string,
): Promise<{ code: NewAuthorizationCode; family: NewTokenFamily; accessToken: NewAccessToken }> {
  const code = await approve(fixture, userId, clientId);
  const family = newFamily(userId, clientId);
  const accessToken = newAccessToken(family.key);
  await fixture.oauth.redeem(asStored(code), family, accessToken, NOON);
  return { code, family, accessToken };
}

/** Return who did what to what according to the audit log, newest first. */
export async function auditActs({ audit }: Fixture): Promise<string[]> {
  const events = await audit.auditEvents({ limit: 50 });
  return events.map(
    ({ action, subject, actorName }) => `${actorName} ${action} ${subject.kind}:${subject.id}`,
  );
}

/** Return the purpose and address of each mail that waits to be sent. */
export async function waitingMails({ identity }: Fixture): Promise<string[]> {
  return (await identity.mailsDue(NOON + HOUR, 100)).map(({ purpose, email }) => `${purpose} ${email}`);
}

/** Make several calls at once, and return their results in order. */
export async function atOnce<T>(times: number, call: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: times }, (_, index) => call(index)));
}

// So that on a slow machine none waits for a connection longer than it may.
const MOST_AT_ONCE = 50;

/** Make a thousand calls or more, some at once. */
export async function inGroups(times: number, call: (index: number) => Promise<unknown>): Promise<void> {
  for (let first = 0; first < times; first += MOST_AT_ONCE) {
    await atOnce(Math.min(MOST_AT_ONCE, times - first), (index) => call(first + index));
  }
}

/** Accept an application as it is now. */
export async function acceptSeen(
  oauth: OAuthStore,
  by: MemberDoer,
  id: string,
  most: number,
): Promise<boolean> {
  return oauth.acceptClient(by, (await oauth.findClient(id)) ?? newClient('notebook'), most);
}
