// Personal tokens: how many a member may hold, how they are found, and how they end.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE } from '../../../src/lib/clock.ts';
import { SERVER } from '../doers.ts';
import { atOnce, type Open, openHouse } from '../house.ts';
import { NOON, newPersonalToken } from '../records.ts';

const LATER = NOON + MINUTE;

export const personalTokens = {
  title: 'personal tokens',
  promises(open: Open): void {
    test('a personal token is found as it was made, with the state of the account', async (t) => {
      const { oauth, identity, alice } = await openHouse(open, t);
      const token = newPersonalToken(alice, { expiresAt: undefined });

      const id = await oauth.addPersonalToken(token, 50);
      await identity.setStatus(SERVER, alice, 'suspended');
      const found = await oauth.findPersonalToken(token.key);

      assert.equal(typeof id, 'number');
      assert.deepEqual(found, {
        ...token,
        id,
        lastUsedAt: undefined,
        revokedAt: undefined,
        user: await identity.findUser(alice),
      });
      assert.equal(found?.user.status, 'suspended');
      assert.equal(await oauth.findPersonalToken('no such key'), undefined);
    });

    test('revoked and expired tokens do not count towards the most a member may hold', async (t) => {
      const { oauth, alice, bob } = await openHouse(open, t);
      const first = await oauth.addPersonalToken(newPersonalToken(alice), 2);
      await oauth.addPersonalToken(newPersonalToken(alice, { expiresAt: LATER }), 2);
      const make = async (userId: number, createdAt: number) =>
        (await oauth.addPersonalToken(newPersonalToken(userId, { createdAt }), 2)) !== undefined;

      const answers = [await make(alice, LATER - 1), await make(alice, LATER), await make(alice, LATER)];
      await oauth.revokePersonalToken(first ?? 0, alice, LATER);
      answers.push(await make(alice, LATER), await make(alice, LATER), await make(bob, LATER));

      assert.deepEqual(answers, [false, true, false, true, false, true]);
    });

    test('of 60 tokens made at once exactly 50 are when 50 may be', async (t) => {
      const { oauth, alice } = await openHouse(open, t);

      const answers = await atOnce(60, () => oauth.addPersonalToken(newPersonalToken(alice), 50));

      assert.equal(answers.filter((id) => id !== undefined).length, 50);
      assert.equal((await oauth.personalTokensOf(alice)).length, 50);
    });

    test('a member’s tokens are listed newest first, without the revoked', async (t) => {
      const { oauth, alice, bob } = await openHouse(open, t);
      const ids = [];
      for (const name of ['first', 'second', 'third']) {
        ids.push(await oauth.addPersonalToken(newPersonalToken(alice, { name }), 50));
      }
      await oauth.addPersonalToken(newPersonalToken(bob, { name: 'bob’s' }), 50);
      await oauth.revokePersonalToken(ids[1] ?? 0, alice, LATER);

      const listed = await oauth.personalTokensOf(alice);

      assert.deepEqual(
        listed.map(({ name }) => name),
        ['third', 'first'],
      );
    });

    test('a token is revoked once, by its member or by an operator, and not by another member', async (t) => {
      const { oauth, alice, bob } = await openHouse(open, t);
      const [first, second] = [newPersonalToken(alice), newPersonalToken(alice)];
      const firstId = (await oauth.addPersonalToken(first, 50)) ?? 0;
      const secondId = (await oauth.addPersonalToken(second, 50)) ?? 0;

      const answers = [
        await oauth.revokePersonalToken(firstId, bob, LATER),
        await oauth.revokePersonalToken(firstId, alice, LATER),
        await oauth.revokePersonalToken(firstId, alice, LATER + 1),
        await oauth.revokePersonalToken(secondId, undefined, LATER),
        await oauth.revokePersonalToken(999, undefined, LATER),
      ];

      assert.deepEqual(answers, [false, true, false, true, false]);
      assert.equal((await oauth.findPersonalToken(first.key))?.revokedAt, LATER);
      assert.equal((await oauth.findPersonalToken(second.key))?.revokedAt, LATER);
    });

    test('it is remembered when a token was last used', async (t) => {
      const { oauth, alice } = await openHouse(open, t);
      const token = newPersonalToken(alice);
      const id = (await oauth.addPersonalToken(token, 50)) ?? 0;

      await oauth.touchPersonalToken(id, LATER);

      assert.equal((await oauth.findPersonalToken(token.key))?.lastUsedAt, LATER);
    });
  },
};
