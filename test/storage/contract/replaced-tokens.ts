// Personal tokens that another replaces: how long they work, and that they are bounded.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { asMember } from '../doers.ts';
import { atOnce, type Open, openFixture } from '../fixture.ts';
import { NOON, newPersonalToken } from '../records.ts';

const LATER = NOON + MINUTE;

export const replacedTokens = {
  title: 'replaced tokens',
  registerTests(open: Open): void {
    test('of eight replacements at once one succeeds, and the old token ends when it said', async (t) => {
      const { oauth, alice, bob } = await openFixture(open, t);
      const token = newPersonalToken(alice, { note: 'kept', addresses: ['192.0.2.7'] });
      const id = (await oauth.addPersonalToken(asMember(alice), token, 50)) ?? 0;
      const replacement = () => ({
        ...newPersonalToken(alice),
        expiresAt: undefined,
        oldEndsAt: LATER,
        language: 'en',
      });

      const foreign = await oauth.replacePersonalToken(asMember(bob), id, replacement());
      const answers = await atOnce(8, () => oauth.replacePersonalToken(asMember(alice), id, replacement()));

      assert.equal(foreign, false);
      assert.equal(answers.filter(Boolean).length, 1);
      const [fresh, old] = await oauth.personalTokensOf(alice);
      assert.deepEqual([fresh?.note, fresh?.addresses, fresh?.expiresAt], ['kept', ['192.0.2.7'], undefined]);
      assert.deepEqual([old?.replacedAt, old?.expiresAt], [NOON, LATER]);
    });

    test('replacing a token again ends the one before at once', async (t) => {
      const { oauth, audit, alice } = await openFixture(open, t);
      const replace = async (id: number, at: number) => {
        const replacement = { ...newPersonalToken(alice), expiresAt: undefined, oldEndsAt: LATER + HOUR };
        await oauth.replacePersonalToken(asMember(alice, at), id, { ...replacement, language: 'en' });
        return (await oauth.personalTokensOf(alice))[0]?.id ?? 0;
      };
      const first = (await oauth.addPersonalToken(asMember(alice), newPersonalToken(alice), 50)) ?? 0;

      const second = await replace(first, NOON);
      const between = (await oauth.personalTokensOf(alice)).map(({ id }) => id);
      const third = await replace(second, LATER);

      assert.deepEqual(between, [second, first]);
      assert.deepEqual(
        (await oauth.personalTokensOf(alice)).map(({ id }) => id),
        [third, second],
      );
      const events = await audit.securityEvents({ userId: alice, event: 'api_token_revoked', limit: 5 });
      assert.deepEqual(
        events.map(({ subject, at }) => [subject, at]),
        [[String(first), LATER]],
      );
    });

    test('a token that was replaced counts toward the limit while it works', async (t) => {
      const { oauth, alice } = await openFixture(open, t);
      const add = async (at?: number) =>
        oauth.addPersonalToken(asMember(alice, at), newPersonalToken(alice, { expiresAt: undefined }), 2);
      const id = (await add()) ?? 0;
      const replacement = { ...newPersonalToken(alice), expiresAt: undefined, oldEndsAt: LATER };
      await oauth.replacePersonalToken(asMember(alice), id, { ...replacement, language: 'en' });

      assert.equal(await add(), undefined);
      assert.notEqual(await add(LATER), undefined);
    });

    test('no token is left if all are revoked while one is replaced', async (t) => {
      const { oauth, alice } = await openFixture(open, t);
      const by = asMember(alice);
      const replacement = () => ({
        ...newPersonalToken(alice),
        expiresAt: undefined,
        oldEndsAt: NOON,
        language: 'en' as const,
      });

      for (let round = 0; round < 20; round += 1) {
        const id = (await oauth.addPersonalToken(by, newPersonalToken(alice), 50)) ?? 0;
        const replacing = oauth.replacePersonalToken(by, id, replacement());
        await new Promise((resolve) => setTimeout(resolve, round % 4));
        await Promise.all([replacing, oauth.revokePersonalTokensOf(by)]);
        assert.deepEqual(await oauth.personalTokensOf(alice), []);
      }
    });

    test('at most 100 tokens are listed, and among them all that work', async (t) => {
      const { oauth, alice } = await openFixture(open, t);
      const add = (expiresAt: number | undefined) =>
        oauth.addPersonalToken(asMember(alice), newPersonalToken(alice, { expiresAt }), 200);
      const endless = await add(undefined);
      const later = await add(LATER);
      for (let count = 0; count < 110; count += 1) await add(NOON + 1);

      const ids = (await oauth.personalTokensOf(alice)).map(({ id }) => id);

      assert.equal(ids.length, 100);
      assert.deepEqual(ids.slice(-2), [later, endless]);
    });
  },
};
