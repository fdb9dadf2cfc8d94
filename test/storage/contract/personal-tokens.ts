// Personal tokens: how many a member can have, how they are found, and how they end.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byServer } from '../../../src/audit/doer.ts';
import { MINUTE } from '../../../src/lib/clock.ts';
import { digestOf, timeOrderedKey } from '../../../src/lib/secrets.ts';
import { asMember, SERVER } from '../doers.ts';
import { atOnce, type Open, openFixture } from '../fixture.ts';
import { NOON, newPersonalToken } from '../records.ts';

const LATER = NOON + MINUTE;

export const personalTokens = {
  title: 'personal tokens',
  registerTests(open: Open): void {
    test('a new token is told to the address of its member, once, in the language of the request', async (t) => {
      const { identity, oauth, alice, bob } = await openFixture(open, t);
      const token = { key: timeOrderedKey(NOON), digest: digestOf('x'), purpose: 'confirm' as const };
      const email = { email: 'alice@x.example', emailKey: 'alice@x.example' };
      await identity.addMailToken({ ...token, userId: alice, email: email.email, expiresAt: NOON + 1 });
      await identity.confirmEmail(asMember(alice), token.key, email, 'en');
      const [first, second] = [newPersonalToken(alice), newPersonalToken(alice)];

      await oauth.addPersonalToken(asMember(alice), first, 1, 'zh');
      const sameKey = await oauth.addPersonalToken(asMember(alice), { ...second, key: first.key }, 9, 'zh');
      const oneTooMany = await oauth.addPersonalToken(asMember(alice), second, 1, 'zh');
      await oauth.addPersonalToken(asMember(bob), newPersonalToken(bob), 9, 'zh');
      await oauth.addPersonalToken(asMember(alice), newPersonalToken(alice), 9);

      assert.deepEqual([sameKey, oneTooMany], [undefined, undefined]);
      const due = await identity.mailsDue(NOON, 10);
      assert.deepEqual(
        due.map(({ purpose, email, language }) => [purpose, email, language]),
        [['token_created', 'alice@x.example', 'zh']],
      );
    });

    test('a personal token is found with all its fields and the status of the account', async (t) => {
      const { oauth, identity, alice } = await openFixture(open, t);
      const token = newPersonalToken(alice, { expiresAt: undefined });

      const id = await oauth.addPersonalToken(asMember(alice), token, 50);
      await identity.setStatus(SERVER, alice, 'suspended');
      const stored = await oauth.findPersonalToken(token.key);

      assert.equal(typeof id, 'number');
      assert.deepEqual(stored, {
        ...token,
        id,
        createdAt: NOON,
        lastUsedAt: undefined,
        revokedAt: undefined,
        user: await identity.findUser(alice),
      });
      assert.equal(stored?.user.status, 'suspended');
      assert.equal(await oauth.findPersonalToken('no such key'), undefined);
    });

    test('revoked and expired tokens do not count towards the limit of a member', async (t) => {
      const { oauth, alice, bob } = await openFixture(open, t);
      const first = await oauth.addPersonalToken(asMember(alice), newPersonalToken(alice), 2);
      await oauth.addPersonalToken(asMember(alice), newPersonalToken(alice, { expiresAt: LATER }), 2);
      const make = async (userId: number, at: number) =>
        (await oauth.addPersonalToken(asMember(userId, at), newPersonalToken(userId), 2)) !== undefined;

      const answers = [await make(alice, LATER - 1), await make(alice, LATER), await make(alice, LATER)];
      await oauth.revokePersonalToken(asMember(alice, LATER), first ?? 0);
      answers.push(await make(alice, LATER), await make(alice, LATER), await make(bob, LATER));

      assert.deepEqual(answers, [false, true, false, true, false, true]);
    });

    test('with a limit of 50, exactly 50 of 60 tokens at once are created', async (t) => {
      const { oauth, alice } = await openFixture(open, t);

      const answers = await atOnce(60, () =>
        oauth.addPersonalToken(asMember(alice), newPersonalToken(alice), 50),
      );

      assert.equal(answers.filter((id) => id !== undefined).length, 50);
      assert.equal((await oauth.personalTokensOf(alice)).length, 50);
    });

    test('a member’s tokens are listed newest first, without revoked ones', async (t) => {
      const { oauth, alice, bob } = await openFixture(open, t);
      const ids = [];
      for (const name of ['first', 'second', 'third']) {
        ids.push(await oauth.addPersonalToken(asMember(alice), newPersonalToken(alice, { name }), 50));
      }
      await oauth.addPersonalToken(asMember(bob), newPersonalToken(bob, { name: 'bob’s' }), 50);
      await oauth.revokePersonalToken(asMember(alice, LATER), ids[1] ?? 0);

      const tokens = await oauth.personalTokensOf(alice);

      assert.deepEqual(
        tokens.map(({ name }) => name),
        ['third', 'first'],
      );
    });

    test('a token is revoked once, by its member or by an operator, and not by another member', async (t) => {
      const { oauth, alice, bob } = await openFixture(open, t);
      const [first, second] = [newPersonalToken(alice), newPersonalToken(alice)];
      const firstId = (await oauth.addPersonalToken(asMember(alice), first, 50)) ?? 0;
      const secondId = (await oauth.addPersonalToken(asMember(alice), second, 50)) ?? 0;

      const answers = [
        await oauth.revokePersonalToken(asMember(bob, LATER), firstId),
        await oauth.revokePersonalToken(asMember(alice, LATER), firstId),
        await oauth.revokePersonalToken(asMember(alice, LATER + 1), firstId),
        await oauth.revokePersonalToken(
          byServer(() => LATER),
          secondId,
        ),
        await oauth.revokePersonalToken(
          byServer(() => LATER),
          999,
        ),
      ];

      assert.deepEqual(answers, [false, true, false, true, false]);
      assert.equal((await oauth.findPersonalToken(first.key))?.revokedAt, LATER);
      assert.equal((await oauth.findPersonalToken(second.key))?.revokedAt, LATER);
    });

    test('the time of a token’s last use is stored', async (t) => {
      const { oauth, alice } = await openFixture(open, t);
      const token = newPersonalToken(alice);
      const id = (await oauth.addPersonalToken(asMember(alice), token, 50)) ?? 0;

      await oauth.touchPersonalToken(id, LATER);

      assert.equal((await oauth.findPersonalToken(token.key))?.lastUsedAt, LATER);
    });
  },
};
