// The cache never answers with a record that has changed: whichever process changed it, by whatever
// statement, the next read tells the truth.

import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { NO_PERSON } from '../../../src/storage/audit/audit-trail.ts';
import { sql } from '../../../src/storage/engine/sql.ts';
import { openSqlite } from '../../../src/storage/engine/sqlite.ts';
import { asMember, SERVER } from '../doers.ts';
import { signedIn } from '../house.ts';
import { newPersonalToken } from '../records.ts';
import {
  assertSeen,
  type CachedHouse,
  type Change,
  COLUMNS,
  cachedStoresOf,
  MEMBER,
  openCachedHouse,
  readAll,
  readFresh,
  STATEMENTS,
  VERBS,
} from './cached-house.ts';

const CHANGES: readonly Change[] = [...VERBS, ...STATEMENTS, ...MEMBER];

/** The same house through another connection of this process, with a cache of its own. */
async function otherConnection(house: CachedHouse, t: TestContext): Promise<CachedHouse> {
  const database = openSqlite(house.path);
  t.after(() => database.close());
  await database.migrate();
  return { ...house, ...cachedStoresOf(database) };
}

describe('while nothing changes', () => {
  test('each record is the same object again', async (t) => {
    const house = await openCachedHouse(t);
    const first = await readAll(house);

    await new Promise(setImmediate);
    const again = await readAll(house);

    for (const [name, record] of Object.entries(first)) {
      assert.notEqual(record, undefined, name);
      assert.equal(again[name as keyof typeof again], record, name);
    }
  });

  test('all tokens of a member carry one and the same member', async (t) => {
    const house = await openCachedHouse(t);
    const { oauth, alice } = house;
    const { accessToken } = await signedIn(house, alice, 'pocket');

    const members = [
      (await oauth.findAccessToken(house.accessKey))?.user,
      (await oauth.findAccessToken(accessToken.key))?.user,
      (await oauth.findPersonalToken(house.personalKey))?.user,
    ];

    assert.equal(members[0]?.id, alice);
    assert.equal(members[1], members[0]);
    assert.equal(members[2], members[0]);
  });

  test('records are still in the cache after writes that do not concern them', async (t) => {
    const house = await openCachedHouse(t);
    const { oauth, identity, alice, bob } = house;
    const first = await readAll(house);

    await identity.setBio(asMember(bob), 'Bakes bread');
    await signedIn(house, bob, 'pocket');
    // Locks alice's row by an update that changes nothing.
    await oauth.addPersonalToken(asMember(alice), newPersonalToken(alice), 50);
    const again = await readAll(house);

    for (const [name, record] of Object.entries(first)) {
      assert.equal(again[name as keyof typeof again], record, name);
    }
  });
});

describe('the very next read sees what was changed by this connection:', () => {
  for (const change of CHANGES) {
    test(change.what, async (t) => {
      const house = await openCachedHouse(t);

      await assertSeen(house, change, () => change.make(house));
    });
  }

  test('each column of a member that a token carries is among these changes', async (t) => {
    const house = await openCachedHouse(t);
    const { user } = (await house.oauth.findAccessToken(house.accessKey)) ?? {};
    const fields = Object.keys(COLUMNS).map((column) =>
      column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    );

    assert.deepEqual(['id', ...fields].sort(), Object.keys(user ?? {}).sort());
  });

  test('a member with a second token, whose record was read before the change', async (t) => {
    const house = await openCachedHouse(t);
    const { oauth, identity, alice } = house;
    const { accessToken } = await signedIn(house, alice, 'pocket');
    const bioOf = async (key: string) => (await oauth.findAccessToken(key))?.user.bio;
    const before = [await bioOf(house.accessKey), await bioOf(accessToken.key)];

    await identity.setBio(asMember(alice), 'Reads a lot');
    // The first read puts the changed member into the cache; the second token must not be true because of it.
    const after = [await bioOf(house.accessKey), await bioOf(accessToken.key)];
    const byPersonal = (await oauth.findPersonalToken(house.personalKey))?.user.bio;

    assert.deepEqual(before, ['', '']);
    assert.deepEqual([...after, byPersonal], ['Reads a lot', 'Reads a lot', 'Reads a lot']);
  });

  test('two personal tokens of a member who changed, one after the other', async (t) => {
    const house = await openCachedHouse(t);
    const { oauth, identity, alice } = house;
    const second = newPersonalToken(alice);
    await oauth.addPersonalToken(asMember(alice), second, 50);
    for (const key of [house.personalKey, second.key]) await oauth.findPersonalToken(key);

    await identity.setStatus(SERVER, alice, 'suspended');
    const seen = [];
    for (const key of [house.personalKey, second.key]) {
      seen.push((await oauth.findPersonalToken(key))?.user.status);
    }

    assert.deepEqual(seen, ['suspended', 'suspended']);
  });
});

describe('the very next read sees what was changed by another connection of this process:', () => {
  for (const change of CHANGES) {
    test(change.what, async (t) => {
      const house = await openCachedHouse(t);
      const other = await otherConnection(house, t);

      await assertSeen(house, change, () => change.make(other));
    });
  }

  test('a change that is answered in the turn in which it was sent, right after a read', async (t) => {
    const house = await openCachedHouse(t);
    const other = await otherConnection(house, t);
    const statusRead = async () => (await house.oauth.findAccessToken(house.accessKey))?.user.status;
    await readAll(house);

    // Both happen at the end of this turn: first the read, then the commit, whose answer comes while the
    // snapshot lasts.
    const before = new Promise((resolve) => setImmediate(() => resolve(statusRead())));
    await other.identity.setStatus(SERVER, house.alice, 'suspended');
    const after = await statusRead();

    assert.deepEqual([await before, after], ['active', 'suspended']);
  });
});

test('A transaction that fails leaves everything true, and so does one that shares its commit', async (t) => {
  const house = await openCachedHouse(t);
  const { database, identity, alice } = house;
  const before = await readAll(house);
  const spoiled = {
    audit: NO_PERSON,
    guard: sql`UPDATE users SET bio = 'spoiled'`(),
    effects: [
      sql`UPDATE posts SET title = 'spoiled'`(),
      sql`UPDATE clients SET name = 'spoiled'`(),
      sql`INSERT INTO locks (name, taken) VALUES ('first-operator', 0)`(),
    ],
  };

  await assert.rejects(database.atomically(spoiled));
  const unchanged = await readAll(house);
  const [spoilt, bio] = await Promise.allSettled([
    database.atomically(spoiled),
    identity.setBio(asMember(alice), 'Reads a lot'),
  ]);
  const after = await readAll(house);

  assert.deepEqual(unchanged, before);
  assert.deepEqual([spoilt.status, bio.status], ['rejected', 'fulfilled']);
  assert.deepEqual(after, await readFresh(house));
  assert.equal((after.access as { user: { bio: string } }).user.bio, 'Reads a lot');
});
