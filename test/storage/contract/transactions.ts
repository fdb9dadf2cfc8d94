// Transactions: each happens completely or not at all, and none harms another.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE } from '../../../src/lib/clock.ts';
import { StorageUnavailable } from '../../../src/storage/engine/database.ts';
import { asMember, SERVER } from '../doers.ts';
import { approve, type Open, openFixture, signIn } from '../fixture.ts';
import { asStored, NOON, newAccessToken, newCode, newFamily, newUser } from '../records.ts';

const LATER = NOON + MINUTE;

export const transactions = {
  title: 'transactions',
  registerTests(open: Open): void {
    test('an effect that fails undoes its guard', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice } = fixture;
      const { accessToken } = await signIn(fixture, alice, 'notebook');
      const code = await approve(fixture, alice, 'notebook');
      const family = newFamily(alice, 'notebook');

      const withTakenKey = newAccessToken(family.key, { key: accessToken.key });
      await assert.rejects(oauth.redeem(asStored(code), family, withTakenKey, LATER), notUnavailable);

      assert.equal((await oauth.findAuthorizationCode(code.key))?.redeemedAt, undefined);
      assert.equal(await oauth.findTokenFamily(family.key), undefined);
      assert.equal(await oauth.redeem(asStored(code), family, newAccessToken(family.key), LATER), 'redeemed');
    });

    test('a transaction that fails does not harm others that run at the same time', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, identity, alice } = fixture;
      const { accessToken } = await signIn(fixture, alice, 'notebook');
      const [bad, good] = [
        await approve(fixture, alice, 'notebook'),
        await approve(fixture, alice, 'notebook'),
      ];
      const [badFamily, goodFamily] = [newFamily(alice, 'notebook'), newFamily(alice, 'notebook')];

      const answers = await Promise.allSettled([
        identity.addUser(SERVER, newUser('eve')),
        oauth.redeem(
          asStored(bad),
          badFamily,
          newAccessToken(badFamily.key, { key: accessToken.key }),
          LATER,
        ),
        oauth.redeem(asStored(good), goodFamily, newAccessToken(goodFamily.key), LATER),
        identity.setBio(asMember(alice), 'Still here.'),
      ]);

      assert.deepEqual(
        answers.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
      );
      assert.notEqual(await identity.findUserByName('eve'), undefined);
      assert.equal(await oauth.findTokenFamily(badFamily.key), undefined);
      assert.notEqual(await oauth.findTokenFamily(goodFamily.key), undefined);
      assert.equal((await identity.findUser(alice))?.bio, 'Still here.');
    });

    test('a reference to a missing row is refused', async (t) => {
      const { oauth, alice } = await openFixture(open, t);

      await assert.rejects(
        oauth.approve(asMember(alice), undefined, ['posts:read'], newCode(alice, 'nothing')),
        notUnavailable,
      );
      await assert.rejects(
        oauth.approve(asMember(999), undefined, ['posts:read'], newCode(999, 'notebook')),
        notUnavailable,
      );
    });

    test('migrating again changes nothing', async (t) => {
      const { database } = await openFixture(open, t);

      assert.deepEqual(await database.migrate(), []);
    });

    test('a closed database reports that it is not available', async (t) => {
      const { database, identity } = await openFixture(open, t);

      await database.close();

      await assert.rejects(identity.addUser(SERVER, newUser('eve')), StorageUnavailable);
      await assert.rejects(identity.findUser(1), StorageUnavailable);
    });

    test('transactions that were accepted before the database is closed are finished', async (t) => {
      const { database, identity } = await openFixture(open, t);

      const accepted = identity.addUser(SERVER, newUser('eve'));
      await database.close();

      assert.equal(typeof (await accepted), 'number');
    });
  },
};

// The request itself is wrong, so a retry would not help.
function notUnavailable(error: unknown): boolean {
  return !(error instanceof StorageUnavailable);
}
