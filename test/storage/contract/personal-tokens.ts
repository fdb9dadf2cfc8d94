// Personal tokens: how many a member can have, how they are found, and how they end.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byServer } from '../../../src/audit/doer.ts';
import { MINUTE } from '../../../src/lib/clock.ts';
import { digestOf, timeOrderedKey } from '../../../src/lib/secrets.ts';
import { asMember, SERVER } from '../doers.ts';
import { atOnce, type Open, openFixture } from '../fixture.ts';
import { ADDRESS_NOTICE, NOON, newClient, newPersonalToken } from '../records.ts';

const LATER = NOON + MINUTE;

export const personalTokens = {
  title: 'personal tokens',
  registerTests(open: Open): void {
    test('a new token is told to the address of its member, once, in the language of the request', async (t) => {
      const { identity, oauth, alice, bob } = await openFixture(open, t);
      const token = { key: timeOrderedKey(NOON), digest: digestOf('x'), purpose: 'confirm' as const };
      const email = { email: 'alice@x.example', emailKey: 'alice@x.example' };
      await identity.addMailToken({ ...token, userId: alice, email: email.email, expiresAt: NOON + 1 });
      await identity.confirmEmail(asMember(alice), token.key, email, ADDRESS_NOTICE);
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
      const token = newPersonalToken(alice, {
        expiresAt: undefined,
        note: 'for backups',
        addresses: ['192.0.2.7', '2001:db8::/32'],
      });

      const id = await oauth.addPersonalToken(asMember(alice), token, 50);
      await identity.setStatus(SERVER, alice, 'suspended');
      const stored = await oauth.findPersonalToken(token.key);

      assert.equal(typeof id, 'number');
      assert.deepEqual(stored, {
        ...token,
        id,
        createdAt: NOON,
        lastUsedAt: undefined,
        lastUse: undefined,
        revokedAt: undefined,
        replacedAt: undefined,
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

    test('the time of a token’s last use is stored, with its network, program and endpoint', async (t) => {
      const { oauth, alice } = await openFixture(open, t);
      const token = newPersonalToken(alice);
      const id = (await oauth.addPersonalToken(asMember(alice), token, 50)) ?? 0;

      const use = { network: '192.0.2.0/24', program: 'curl 8.5', endpoint: '/api/open/v1/me' };
      await oauth.touchPersonalToken(id, LATER, use);

      const stored = await oauth.findPersonalToken(token.key);
      assert.deepEqual([stored?.lastUsedAt, stored?.lastUse], [LATER, use]);
    });

    test('a token is changed only if it is as the caller knows it', async (t) => {
      const { oauth, alice, bob } = await openFixture(open, t);
      const token = newPersonalToken(alice);
      const id = (await oauth.addPersonalToken(asMember(alice), token, 50)) ?? 0;
      const before = await oauth.findPersonalToken(token.key);
      assert.ok(before);
      const after = { ...before, scopes: ['profile:read'] as const, expiresAt: undefined };

      const answers = [
        await oauth.changePersonalToken(asMember(bob), before, after, 'widened'),
        await oauth.changePersonalToken(asMember(alice), before, after, 'widened'),
        await oauth.changePersonalToken(asMember(alice), before, { ...before, name: 'x' }, 'renamed'),
      ];

      assert.deepEqual(answers, [false, true, false]);
      const stored = await oauth.findPersonalToken(token.key);
      assert.deepEqual([stored?.id, stored?.scopes, stored?.expiresAt], [id, ['profile:read'], undefined]);
    });

    test('all tokens of a member are revoked at once, and no others', async (t) => {
      const { oauth, alice, bob } = await openFixture(open, t);
      for (const user of [alice, alice, bob])
        await oauth.addPersonalToken(asMember(user), newPersonalToken(user), 50);

      const answers = [
        await oauth.revokePersonalTokensOf(asMember(alice)),
        await oauth.revokePersonalTokensOf(asMember(alice)),
      ];

      assert.deepEqual(answers, [true, false]);
      assert.deepEqual(await oauth.personalTokensOf(alice), []);
      assert.equal((await oauth.personalTokensOf(bob)).length, 1);
    });

    test('a notice is told once, and not if the token was used meanwhile', async (t) => {
      const { oauth, community, alice } = await openFixture(open, t);
      const id = (await oauth.addPersonalToken(asMember(alice), newPersonalToken(alice), 50)) ?? 0;
      const [token] = await oauth.tokensToLookAt(NOON, 10);
      assert.ok(token);
      const step = { tell: 'ends_in_7_days', told: 'ends_in_7_days', lookAt: LATER } as const;

      const told = await atOnce(4, () => oauth.settleToken(token, step, NOON));
      const [next] = await oauth.tokensToLookAt(LATER, 10);
      assert.ok(next);
      await oauth.touchPersonalToken(id, LATER, { network: undefined, program: undefined, endpoint: '/' });
      const afterUse = await oauth.settleToken(next, { tell: 'unused', told: 'unused' }, LATER);

      assert.equal(told.filter(Boolean).length, 1);
      assert.equal(afterUse, false);
      assert.deepEqual(await oauth.tokensToLookAt(NOON, 10), []);
      const notifications = await community.notificationsOf(alice, 100, 10);
      assert.deepEqual(
        notifications.map(({ kind, about, postId }) => [kind, about.token?.notice, postId]),
        [['api_token', 'ends_in_7_days', undefined]],
      );
    });

    test('an exposed token is revoked once, and its owner is told once', async (t) => {
      const { oauth, community, alice } = await openFixture(open, t);
      const token = newPersonalToken(alice);
      await oauth.addPersonalToken(asMember(alice), token, 50);
      const stored = await oauth.findPersonalToken(token.key);
      assert.ok(stored);
      const about = { kind: 'personal', source: 'report', name: 'laptop' } as const;

      const answers = await atOnce(4, () =>
        oauth.revokeExposedPersonalToken(stored, { about, at: LATER, isTold: false }),
      );

      assert.equal(answers.filter(Boolean).length, 1);
      assert.equal((await oauth.findPersonalToken(token.key))?.revokedAt, LATER);
      const notifications = await community.notificationsOf(alice, 100, 10);
      assert.deepEqual(
        notifications.map(({ about }) => about.exposed),
        [about],
      );
    });

    test('an application is found by its present secret; its owner and operators are told once a day', async (t) => {
      const { oauth, identity, community, alice, bob } = await openFixture(open, t);
      await identity.setRole(SERVER, bob, 'operator');
      await oauth.addClient(SERVER, newClient('atlas', { ownerId: alice }));
      const client = await oauth.findClientBySecret(digestOf('secret of atlas'));
      assert.ok(client);
      const about = { kind: 'client_secret', source: 'github', name: client.name } as const;

      const answers = await atOnce(4, () =>
        oauth.tellOfExposedSecret(client, { about, at: NOON, isTold: false }),
      );

      assert.equal(client.id, 'atlas');
      assert.equal(await oauth.findClientBySecret(digestOf('another')), undefined);
      assert.equal(answers.filter(Boolean).length, 1);
      for (const user of [alice, bob])
        assert.equal((await community.notificationsOf(user, 100, 10)).length, 1);
    });
  },
};
