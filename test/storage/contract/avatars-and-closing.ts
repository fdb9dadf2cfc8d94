// Profile pictures, and what closing an account deletes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE } from '../../../src/lib/clock.ts';
import { asMember, SERVER } from '../doers.ts';
import { addComment, type Open, openFixture, signIn } from '../fixture.ts';
import { NOON, newPersonalToken, newPost, newUser } from '../records.ts';

const LATER = NOON + MINUTE;

export const avatarsAndClosing = {
  title: 'profile pictures and closed accounts',
  registerTests(open: Open): void {
    test('a picture is stored with its version, replaced by the next, and deleted when it is removed', async (t) => {
      const { identity, alice, bob } = await openFixture(open, t);

      const isStored = await identity.setAvatar(asMember(alice), 'aaaaaaaaaaaa', Buffer.from([0, 255, 7]));
      const first = await identity.findAvatar(alice, 'aaaaaaaaaaaa');
      const user = await identity.findUser(alice);
      await identity.setAvatar(asMember(alice, LATER), 'bbbbbbbbbbbb', Buffer.from('second'));
      const [old, second] = [
        await identity.findAvatar(alice, 'aaaaaaaaaaaa'),
        await identity.findAvatar(alice, 'bbbbbbbbbbbb'),
      ];
      const foreign = await identity.findAvatar(bob, 'bbbbbbbbbbbb');
      await identity.removeAvatar(asMember(alice));

      assert.equal(isStored, true);
      assert.deepEqual([...(first ?? [])], [0, 255, 7]);
      assert.equal(user?.avatar, 'aaaaaaaaaaaa');
      assert.equal(old, undefined);
      assert.equal(Buffer.from(second ?? []).toString(), 'second');
      assert.equal(foreign, undefined);
      assert.equal((await identity.findUser(alice))?.avatar, undefined);
      assert.equal(await identity.findAvatar(alice, 'bbbbbbbbbbbb'), undefined);
    });

    test('closing an account hides its texts and deletes its personal data, and nothing of other members', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, community, oauth, bob } = fixture;
      const carol = await identity.addUser(
        SERVER,
        newUser('carol', { email: 'carol@x.example', emailKey: 'carol@x.example', bio: 'Sings.' }),
      );
      assert.ok(typeof carol === 'number');
      await identity.setAvatar(asMember(carol), 'aaaaaaaaaaaa', Buffer.from('picture'));
      const own = await community.addPost(asMember(carol), newPost(carol, { xp: 10 }));
      const draft = await community.addPost(asMember(carol), newPost(carol, { status: 'draft', xp: 0 }));
      const bobs = await community.addPost(asMember(bob), newPost(bob));
      const [hers, other] = [
        await addComment(fixture, bobs, carol, 'Hers.'),
        await addComment(fixture, bobs, bob, 'His.'),
      ];
      await addComment(fixture, own, bob);
      const personal = newPersonalToken(carol);
      await oauth.addPersonalToken(asMember(carol), personal, 50);
      const { family } = await signIn(fixture, carol, 'notebook');
      const bobsXp = (await identity.findUser(bob))?.xp;

      const closed = await identity.closeAccount({ ...SERVER, at: LATER }, carol);

      const user = await identity.findUser(carol);
      assert.equal(closed, true);
      assert.deepEqual(
        [user?.status, user?.email, user?.bio, user?.avatar, user?.username],
        ['closed', undefined, '', undefined, 'carol'],
      );
      assert.equal(await identity.findAvatar(carol, 'aaaaaaaaaaaa'), undefined);
      assert.deepEqual(
        [(await community.findPost(own))?.status, (await community.findPost(draft))?.status],
        ['removed', 'removed'],
      );
      assert.equal((await community.publishedPostsOf(carol, 0, 20)).total, 0);
      assert.equal(await community.findComment(hers), undefined);
      assert.deepEqual(await community.ownComments(carol, 0, 10), []);
      assert.equal((await community.findComment(other))?.body, 'His.');
      assert.equal((await community.findPost(bobs))?.commentCount, 1);
      assert.equal((await identity.findUser(bob))?.xp, bobsXp);
      assert.equal(await oauth.countGrants('notebook', LATER), 0);
      assert.equal((await oauth.findPersonalToken(personal.key))?.revokedAt, LATER);
      assert.equal((await oauth.findTokenFamily(family.key))?.revokedAt, LATER);
      assert.match(
        (await identity.findPasswordHash(carol)) ?? '',
        /^\$argon2id\$v=19\$m=19456,t=2,p=1\$A{22}\$A{43}$/,
      );
      // The email address can be used again, the username can't.
      const again = await identity.addUser(
        SERVER,
        newUser('dave', { email: 'carol@x.example', emailKey: 'carol@x.example' }),
      );
      assert.ok(typeof again === 'number');
      assert.equal(await identity.addUser(SERVER, newUser('carol')), 'username_taken');
    });

    test('a closed account can’t get a picture', async (t) => {
      const { identity, alice } = await openFixture(open, t);
      await identity.closeAccount(SERVER, alice);

      const isStored = await identity.setAvatar(
        asMember(alice, LATER),
        'aaaaaaaaaaaa',
        Buffer.from('picture'),
      );

      assert.equal(isStored, false);
      assert.equal(await identity.findAvatar(alice, 'aaaaaaaaaaaa'), undefined);
    });
  },
};
