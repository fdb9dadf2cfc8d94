// The cache is bounded. Records that it dropped are read from the database again.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PostSummary } from '../../../src/community/post.ts';
import type { User } from '../../../src/identity/user.ts';
import { openCache } from '../../../src/storage/cache/cache.ts';
import { openSqlite } from '../../../src/storage/engine/sqlite.ts';
import { identityStore } from '../../../src/storage/identity/identity-store.ts';
import { asMember, SERVER } from '../doers.ts';
import { signIn } from '../fixture.ts';
import { NOON, newPost, newUser } from '../records.ts';
import { cachedStoresOf, openCachedFixture, readAll } from './cached-fixture.ts';
import { assertSeen } from './changes.ts';

describe('a bounded cache', () => {
  test('of two tokens: a third one displaces the oldest, and all are read correctly', async (t) => {
    const fixture = await openCachedFixture(t, 2);
    const { oauth, alice } = fixture;
    const keys = [fixture.accessKey];
    for (const _ of ['second', 'third']) keys.push((await signIn(fixture, alice, 'pocket')).accessToken.key);
    const read = () => Promise.all(keys.map((key) => oauth.findAccessToken(key)));
    const [first, second, third] = await read();

    const newer = [await oauth.findAccessToken(keys[1] ?? ''), await oauth.findAccessToken(keys[2] ?? '')];
    const oldest = await oauth.findAccessToken(fixture.accessKey);

    assert.equal(newer[0], second);
    assert.equal(newer[1], third);
    assert.notEqual(oldest, first);
    assert.deepEqual(oldest, first);
    await oauth.revokeAccessToken(keys[1] ?? '', NOON + 1);
    const revoked = (await read()).map((token) => token?.revokedAt);
    assert.deepEqual(revoked, [undefined, NOON + 1, undefined]);
  });

  test('of two members: a third one displaces the oldest, whose tokens are read correctly', async (t) => {
    const fixture = await openCachedFixture(t, 2);
    const { oauth, identity, bob } = fixture;
    const carol = await identity.addUser(SERVER, newUser('carol'));
    assert.ok(typeof carol === 'number');
    const keys = [fixture.accessKey];
    for (const member of [bob, carol]) keys.push((await signIn(fixture, member, 'pocket')).accessToken.key);

    for (const bio of ['one', 'two']) {
      for (const member of [fixture.alice, bob, carol]) await identity.setBio(asMember(member), bio);
      const bios = [];
      for (const key of [...keys, ...keys]) bios.push((await oauth.findAccessToken(key))?.user.bio);

      assert.deepEqual(bios, Array(6).fill(bio));
    }
  });

  test('of no tokens: none is cached, and all are read correctly', async (t) => {
    const fixture = await openCachedFixture(t, 0);
    const { access, personal } = await readAll(fixture);

    const again = await readAll(fixture);

    assert.notEqual(again.access, access);
    assert.notEqual(again.personal, personal);
    assert.deepEqual([again.access, again.personal], [access, personal]);
    await assertSeen(fixture, { touches: ['access', 'personal'] }, () =>
      fixture.identity.setBio(asMember(fixture.alice), 'Reads a lot'),
    );
  });

  test('of pages and lists: any number of any length is read correctly', async (t) => {
    const fixture = await openCachedFixture(t);
    const { community, alice } = fixture;
    const titles = ['On arches'];
    for (let index = 1; index < 10; index += 1) {
      await community.addPost(asMember(alice, NOON + index), newPost(alice, { title: `On arch ${index}` }));
      titles.unshift(`On arch ${index}`);
    }
    const titlesOf = (posts: readonly PostSummary[]) => posts.map(({ title }) => title);

    for (const round of ['read', 'cached']) {
      for (let offset = 0; offset < 10; offset += 1) {
        for (const limit of [2, 3]) {
          const page = await community.publishedPostsOf(alice, offset, limit);
          assert.equal(page.total, 10, round);
          assert.deepEqual(titlesOf(page.items), titles.slice(offset, offset + limit), round);
        }
        assert.deepEqual(titlesOf(await community.newestPosts(offset)), titles.slice(0, offset), round);
      }
    }
  });

  test('of four pages of a member: the fifth displaces the oldest', async (t) => {
    const { community, alice } = await openCachedFixture(t);
    const pages = [];
    for (let offset = 0; offset < 4; offset += 1) {
      pages.push(await community.publishedPostsOf(alice, offset, 1));
    }
    for (const [offset, page] of pages.entries()) {
      assert.equal(await community.publishedPostsOf(alice, offset, 1), page);
    }

    await community.publishedPostsOf(alice, 4, 1);
    const first = await community.publishedPostsOf(alice, 0, 1);

    assert.notEqual(first, pages[0]);
    assert.deepEqual(first, pages[0]);
  });
});

test('A cache that is opened on a database with data sees every change since its first read', async (t) => {
  const fixture = await openCachedFixture(t);
  const database = openSqlite(fixture.path);
  t.after(() => database.close());
  const other = { ...fixture, ...cachedStoresOf(database) };

  await assertSeen(other, { touches: ['access', 'personal'] }, () =>
    fixture.identity.setBio(asMember(fixture.alice), 'Reads a lot'),
  );
});

test('A record that changes while it is being read is read again', async (t) => {
  const { path, alice, identity } = await openCachedFixture(t);
  const database = openSqlite(path);
  t.after(() => database.close());
  const cache = openCache(database, 10);
  const { users } = cache.records;
  const { findUser } = identityStore(database);
  const read = (meanwhile: () => Promise<unknown>) =>
    cache.readThrough<User | undefined>({
      find: () => users.get(alice),
      async read() {
        const user = await findUser(alice);
        await meanwhile();
        return user;
      },
      keep: (user) => users.set(alice, user),
    });
  const nothing = async () => {};

  const slow = await read(async () => {
    await identity.setBio(asMember(alice), 'Reads a lot');
    // This read notices the change.
    await read(nothing);
  });
  const next = await read(nothing);
  const last = await read(() => assert.fail('It is in the cache.'));

  assert.deepEqual([slow?.bio, next?.bio], ['', 'Reads a lot']);
  assert.equal(last, next);
});
