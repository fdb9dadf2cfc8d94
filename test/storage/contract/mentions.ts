// Mentions: whom the step that publishes or changes a text tells, and finding members by several names.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asMember, SERVER } from '../doers.ts';
import { type Fixture, type Open, openFixture } from '../fixture.ts';
import { newPost, newUser } from '../records.ts';

const WORTH = { xp: 2, weight: 1000 };

async function told({ community }: Fixture, userId: number) {
  const notifications = await community.notificationsOf(userId, Number.MAX_SAFE_INTEGER, 10);
  return notifications.map(({ kind, postId, commentId }) => [kind, postId, commentId]).reverse();
}

export const mentions = {
  title: 'mentions',
  registerTests(open: Open): void {
    test('a new post tells those whom it mentions, except its author and unknown members', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob } = fixture;
      await community.addPost(asMember(bob), newPost(bob));

      const id = await community.addPost(
        asMember(bob),
        newPost(bob, { mentioned: [alice, bob, 999_999_999] }),
      );

      assert.deepEqual(await told(fixture, alice), [['mention', id, undefined]]);
      assert.deepEqual(await told(fixture, bob), []);
    });

    test('a draft tells no one, until it is published; an edit tells each member once', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob } = fixture;
      const draft = newPost(bob, { status: 'draft', mentioned: [alice] });
      const id = await community.addPost(asMember(bob), draft);
      const text = { title: 'One', body: 'Two', excerpt: '', categoryId: 1, words: '', mentioned: [alice] };
      const version = await community.editPost(asMember(bob), id, text);
      assert.deepEqual(await told(fixture, alice), []);

      const publication = { version: version ?? 0, words: '', xp: 0, mentioned: [alice] };
      await community.publishDraft(asMember(bob), id, publication);
      await community.editPost(asMember(bob), id, text);

      assert.deepEqual(await told(fixture, alice), [['mention', id, undefined]]);
    });

    test('a comment tells those whom it mentions, unless they hear of it as its reply', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob } = fixture;
      const carol = await fixture.identity.addUser(SERVER, newUser('carol'));
      assert.ok(typeof carol === 'number');
      const postId = await community.addPost(asMember(bob), newPost(bob));
      const add = (by: number, mentioned: number[], replyTo?: { id: number; userId: number }) =>
        community.addComment(asMember(by), { postId, replyTo, body: 'True.', ...WORTH, mentioned });

      const first = (await add(alice, [bob, carol])) ?? 0;
      const second = (await add(carol, [alice, bob], { id: first, userId: alice })) ?? 0;

      assert.deepEqual(await told(fixture, bob), [
        ['comment', postId, first],
        ['comment', postId, second],
      ]);
      assert.deepEqual(await told(fixture, carol), [['mention', postId, first]]);
      assert.deepEqual(await told(fixture, alice), [['reply', postId, second]]);

      await community.editComment(asMember(carol), second, { body: 'Hm.', mentioned: [alice, bob] });
      assert.equal((await told(fixture, alice)).length, 1);
    });

    test('a waiting comment and an author who is not active tell no one', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, identity, alice, bob } = fixture;
      const postId = await community.addPost(asMember(bob), newPost(bob));
      const comment = { postId, replyTo: undefined, body: 'Hm.', ...WORTH, mentioned: [bob] };
      const id = await community.addComment(asMember(alice), { ...comment, isWaiting: true });
      await community.editComment(asMember(alice), id ?? 0, { body: 'Hm!', mentioned: [bob] });
      await identity.setStatus(SERVER, alice, 'suspended');
      await community.addPost(asMember(bob), newPost(bob, { mentioned: [alice] }));

      assert.deepEqual(await told(fixture, bob), []);
      assert.deepEqual(await told(fixture, alice), []);
    });

    test('members are found by their keys, whatever else is asked for', async (t) => {
      const { identity, alice, bob } = await openFixture(open, t);

      const found = await identity.membersByName(['bob', 'nobody', '', "'", 'alice', '陈木川']);

      assert.deepEqual(
        found.toSorted((one, other) => one.id - other.id),
        [
          { id: alice, usernameKey: 'alice', status: 'active' },
          { id: bob, usernameKey: 'bob', status: 'active' },
        ],
      );
      assert.deepEqual(await identity.membersByName([]), []);
    });
  },
};
