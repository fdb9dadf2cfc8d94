// Lists that operators and members page through: members, applications, a member's own posts and comments.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE } from '../../../src/lib/clock.ts';
import { asMember, SERVER } from '../doers.ts';
import { addComment, addOperator, type Open, openFixture } from '../fixture.ts';
import { NOON, newPost, newUser } from '../records.ts';

const LATER = NOON + MINUTE;

export const listings = {
  title: 'lists',
  registerTests(open: Open): void {
    test('members are listed newest first, or by the beginning of their usernames, from any place on', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice, bob } = fixture;
      const olivia = await addOperator(fixture, 'olivia');
      for (const name of ['bo', 'bobby', 'Bob.2', '伯博', 'bpb']) {
        await identity.addUser(SERVER, newUser(name, { usernameKey: name.toLowerCase() }));
      }
      await identity.setStatus(SERVER, alice, 'suspended');
      const names = (users: { username: string }[]) => users.map(({ username }) => username);

      assert.deepEqual(names(await identity.newestMembers('all', undefined, 2, NOON)), ['bpb', '伯博']);
      assert.deepEqual(names(await identity.newestMembers('all', { at: NOON, id: olivia }, 10, NOON)), [
        'bob',
        'alice',
      ]);
      assert.deepEqual(names(await identity.newestMembers('suspended', undefined, 10, NOON)), ['alice']);
      assert.deepEqual(names(await identity.newestMembers('operators', undefined, 10, NOON)), ['olivia']);
      assert.deepEqual(names(await identity.membersNamed('bob', undefined, 10)), ['bob', 'Bob.2', 'bobby']);
      assert.deepEqual(names(await identity.membersNamed('bob', 'bob.2', 10)), ['bobby']);
      assert.deepEqual(names(await identity.membersNamed('伯', undefined, 10)), ['伯博']);
      assert.deepEqual(names(await identity.membersNamed('b%', undefined, 10)), []);
      assert.deepEqual(await identity.countMembers(10), { total: bob + 6, suspended: 1, closed: 0 });
    });

    test('imported members are listed by the moment when they joined their old community', async (t) => {
      const { identity } = await openFixture(open, t);
      const joined = (name: string, createdAt: number) =>
        identity.addUser(SERVER, newUser(name, { createdAt }));
      await joined('oldest', NOON - 2 * MINUTE);
      const old = await joined('old', NOON - MINUTE);
      await joined('as-old', NOON - MINUTE);
      const newest = async (before?: { at: number; id: number }) =>
        (await identity.newestMembers('all', before, 10, NOON)).map(({ username }) => username);

      assert.deepEqual(await newest(), ['bob', 'alice', 'as-old', 'old', 'oldest']);
      assert.ok(typeof old === 'number');
      assert.deepEqual(await newest({ at: NOON - MINUTE, id: old }), ['oldest']);
    });

    test('applications are listed newest first, with their owners', async (t) => {
      const { oauth } = await openFixture(open, t);

      const all = await oauth.clientsBefore(undefined, 10);
      const rest = await oauth.clientsBefore(all[0]?.client.id, 10);

      assert.deepEqual(
        all.map(({ client, ownerName }) => [client.id, ownerName]),
        [
          ['pocket', undefined],
          ['notebook', 'bob'],
        ],
      );
      assert.deepEqual(
        rest.map(({ client }) => client.id),
        ['notebook'],
      );
    });

    test('a member’s own posts and comments are read in parts, each once', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob } = fixture;
      // All have the same time, so their ids decide the order.
      const ids = [];
      for (let n = 0; n < 5; n += 1) ids.push(await community.addPost(asMember(alice), newPost(alice)));
      await community.addPost(asMember(bob), newPost(bob));
      const before = { at: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };

      const first = await community.ownPosts(alice, 'published', before, 3);
      const last = first.at(-1);
      const second = await community.ownPosts(alice, 'published', { at: NOON, id: last?.id ?? 0 }, 3);
      await community.removePost(asMember(alice, LATER), ids[0] ?? 0, 10);

      assert.deepEqual(
        [...first, ...second].map(({ id }) => id),
        [...ids].reverse(),
      );
      assert.equal(first[0]?.body, 'An arch *never* sleeps.');
      assert.deepEqual(
        (await community.ownPosts(alice, 'removed', before, 3)).map(({ id, removedAt }) => [id, removedAt]),
        [[ids[0], LATER]],
      );
      assert.deepEqual(await community.ownPosts(alice, 'draft', before, 3), []);
      await addComment(fixture, ids[1] ?? 0, alice, 'One.');
      await addComment(fixture, ids[1] ?? 0, alice, 'Two.');
      const [one] = await community.ownComments(alice, 0, 1);
      const [two] = await community.ownComments(alice, one?.id ?? 0, 1);
      assert.deepEqual([one?.body, two?.body], ['One.', 'Two.']);
    });
  },
};
