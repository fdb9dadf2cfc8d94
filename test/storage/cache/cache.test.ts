// The cache never returns an outdated record: the next read sees every change, by any process and any statement.

import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { NO_ENTRY } from '../../../src/storage/audit/audit-trail.ts';
import { sql } from '../../../src/storage/engine/sql.ts';
import { openSqlite } from '../../../src/storage/engine/sqlite.ts';
import { insertAccessToken } from '../../../src/storage/oauth/access-tokens.ts';
import { asMember, SERVER } from '../doers.ts';
import { signIn } from '../fixture.ts';
import { NOON, newAccessToken, newPersonalToken } from '../records.ts';
import {
  type CachedFixture,
  cachedStoresOf,
  openCachedFixture,
  readAll,
  readFresh,
} from './cached-fixture.ts';
import {
  assertSeen,
  type Change,
  COLUMNS,
  MEMBER_CHANGES,
  STATEMENT_CHANGES,
  STORE_CHANGES,
} from './changes.ts';

const selectChanges = sql<void, { kind: string }>`SELECT kind FROM changes`;

const CHANGES: readonly Change[] = [...STORE_CHANGES, ...STATEMENT_CHANGES, ...MEMBER_CHANGES];

/** Open the same database through another connection of this process, with a cache of its own. */
async function otherConnection(fixture: CachedFixture, t: TestContext): Promise<CachedFixture> {
  const database = openSqlite(fixture.path);
  t.after(() => database.close());
  await database.migrate();
  return { ...fixture, ...cachedStoresOf(database) };
}

describe('while nothing changes', () => {
  test('each read returns the same object', async (t) => {
    const fixture = await openCachedFixture(t);
    const first = await readAll(fixture);

    await new Promise(setImmediate);
    const again = await readAll(fixture);

    for (const [name, record] of Object.entries(first)) {
      assert.notEqual(record, undefined, name);
      assert.equal(again[name as keyof typeof again], record, name);
    }
  });

  test('ending a sign-in outdates all its access tokens, however many, with one line in the log', async (t) => {
    const fixture = await openCachedFixture(t);
    const { oauth, alice, database } = fixture;
    const { family, accessToken } = await signIn(fixture, alice, 'pocket');
    const more = [newAccessToken(family.key), newAccessToken(family.key)];
    const [first, second] = more;
    assert.ok(first && second);
    const guard = insertAccessToken(first);
    await database.atomically({ audit: NO_ENTRY, guard, effects: [insertAccessToken(second)] });
    const keys = [accessToken, ...more].map(({ key }) => key);
    const read = () => Promise.all(keys.map((key) => oauth.findAccessToken(key)));
    await read();
    const before = await database.rows(selectChanges());

    await oauth.revokeFamily(family.key, NOON + 1);

    assert.equal((await database.rows(selectChanges())).length, before.length + 1);
    assert.deepEqual(
      (await read()).map((token) => token?.familyRevokedAt),
      keys.map(() => NOON + 1),
    );
  });

  test('all tokens of a member have the same object for the member', async (t) => {
    const fixture = await openCachedFixture(t);
    const { oauth, alice } = fixture;
    const { accessToken } = await signIn(fixture, alice, 'pocket');

    const members = [
      (await oauth.findAccessToken(fixture.accessKey))?.user,
      (await oauth.findAccessToken(accessToken.key))?.user,
      (await oauth.findPersonalToken(fixture.personalKey))?.user,
    ];

    assert.equal(members[0]?.id, alice);
    assert.equal(members[1], members[0]);
    assert.equal(members[2], members[0]);
  });

  test('records stay in the cache after writes that do not concern them', async (t) => {
    const fixture = await openCachedFixture(t);
    const { oauth, identity, alice, bob } = fixture;
    const first = await readAll(fixture);

    await identity.setBio(asMember(bob), 'Bakes bread');
    await signIn(fixture, bob, 'pocket');
    // Locks alice's row by an update that changes nothing.
    await oauth.addPersonalToken(asMember(alice), newPersonalToken(alice), 50);
    const again = await readAll(fixture);

    for (const [name, record] of Object.entries(first)) {
      assert.equal(again[name as keyof typeof again], record, name);
    }
  });
});

describe('the next read sees a change by this connection:', () => {
  for (const change of CHANGES) {
    test(change.what, async (t) => {
      const fixture = await openCachedFixture(t);

      await assertSeen(fixture, change, () => change.make(fixture));
    });
  }

  test('each column of a member in a token’s record is among these changes', async (t) => {
    const fixture = await openCachedFixture(t);
    const { user } = (await fixture.oauth.findAccessToken(fixture.accessKey)) ?? {};
    const fields = Object.keys(COLUMNS).map((column) =>
      column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    );

    assert.deepEqual(['id', ...fields].sort(), Object.keys(user ?? {}).sort());
  });

  test('a member with a second token, whose record was read before the change', async (t) => {
    const fixture = await openCachedFixture(t);
    const { oauth, identity, alice } = fixture;
    const { accessToken } = await signIn(fixture, alice, 'pocket');
    const bioOf = async (key: string) => (await oauth.findAccessToken(key))?.user.bio;
    const before = [await bioOf(fixture.accessKey), await bioOf(accessToken.key)];

    await identity.setBio(asMember(alice), 'Reads a lot');
    // The first read caches the changed member, but must not make the second token's old record count as current.
    const after = [await bioOf(fixture.accessKey), await bioOf(accessToken.key)];
    const byPersonal = (await oauth.findPersonalToken(fixture.personalKey))?.user.bio;

    assert.deepEqual(before, ['', '']);
    assert.deepEqual([...after, byPersonal], ['Reads a lot', 'Reads a lot', 'Reads a lot']);
  });

  test('two personal tokens of a member who changed, one after the other', async (t) => {
    const fixture = await openCachedFixture(t);
    const { oauth, identity, alice } = fixture;
    const second = newPersonalToken(alice);
    await oauth.addPersonalToken(asMember(alice), second, 50);
    for (const key of [fixture.personalKey, second.key]) await oauth.findPersonalToken(key);

    await identity.setStatus(SERVER, alice, 'suspended');
    const seen = [];
    for (const key of [fixture.personalKey, second.key]) {
      seen.push((await oauth.findPersonalToken(key))?.user.status);
    }

    assert.deepEqual(seen, ['suspended', 'suspended']);
  });
});

describe('the next read sees a change by another connection of this process:', () => {
  for (const change of CHANGES) {
    test(change.what, async (t) => {
      const fixture = await openCachedFixture(t);
      const other = await otherConnection(fixture, t);

      await assertSeen(fixture, change, () => change.make(other));
    });
  }

  test('a change that is sent and committed in one turn of the event loop, right after a read', async (t) => {
    const fixture = await openCachedFixture(t);
    const other = await otherConnection(fixture, t);
    const statusRead = async () => (await fixture.oauth.findAccessToken(fixture.accessKey))?.user.status;
    await readAll(fixture);

    // Both happen at the end of this turn: the read, then the commit, while the read's snapshot is still open.
    const before = new Promise((resolve) => setImmediate(() => resolve(statusRead())));
    await other.identity.setStatus(SERVER, fixture.alice, 'suspended');
    const after = await statusRead();

    assert.deepEqual([await before, after], ['active', 'suspended']);
  });
});

test('After a failed transaction all reads are correct, also if another one shared its commit', async (t) => {
  const fixture = await openCachedFixture(t);
  const { database, identity, alice } = fixture;
  const before = await readAll(fixture);
  const spoiled = {
    audit: NO_ENTRY,
    guard: sql`UPDATE users SET bio = 'spoiled'`(),
    effects: [
      sql`UPDATE posts SET title = 'spoiled'`(),
      sql`UPDATE clients SET name = 'spoiled'`(),
      sql`INSERT INTO locks (name, taken) VALUES ('first-operator', 0)`(),
    ],
  };

  await assert.rejects(database.atomically(spoiled));
  const unchanged = await readAll(fixture);
  const [spoilt, bio] = await Promise.allSettled([
    database.atomically(spoiled),
    identity.setBio(asMember(alice), 'Reads a lot'),
  ]);
  const after = await readAll(fixture);

  assert.deepEqual(unchanged, before);
  assert.deepEqual([spoilt.status, bio.status], ['rejected', 'fulfilled']);
  assert.deepEqual(after, await readFresh(fixture));
  assert.equal((after.access as { user: { bio: string } }).user.bio, 'Reads a lot');
});
