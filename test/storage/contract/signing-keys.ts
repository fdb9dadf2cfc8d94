// Signing keys: the first ones are added once only, and a rotation is one step.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byServer } from '../../../src/audit/doer.ts';
import { DAY, MINUTE } from '../../../src/lib/clock.ts';
import type { SigningKey } from '../../../src/oauth/signing-key-store.ts';
import { atOnce, type Open, openFixture } from '../fixture.ts';
import { NOON, newSigningKey } from '../records.ts';
import { eventsOf } from './security-events.ts';

const FIRST = [
  newSigningKey('one', 'active'),
  newSigningKey('two', 'next'),
  newSigningKey('uno', 'active', { alg: 'ES256' }),
  newSigningKey('dos', 'next', { alg: 'ES256' }),
];

const LATER = NOON + 10 * MINUTE;
const LATE_SERVER = byServer(() => LATER);
const three = newSigningKey('three', 'next', { createdAt: LATER });

function byName(keys: readonly SigningKey[]): SigningKey[] {
  return [...keys].sort((a, b) => (a.kid < b.kid ? -1 : 1));
}

export const signingKeys = {
  title: 'signing keys',
  registerTests(open: Open): void {
    test('a fresh database has no keys and never had any', async (t) => {
      const { oauth } = await openFixture(open, t);

      assert.deepEqual(await oauth.signingKeys(), []);
      assert.equal(await oauth.hadSigningKeys(), false);
      assert.equal(await oauth.activeSigningKey('RS256'), undefined);
    });

    test('the first keys are found with all their fields, and the active one by its algorithm', async (t) => {
      const { oauth } = await openFixture(open, t);

      const added = await oauth.addFirstSigningKeys(FIRST);

      assert.equal(added, true);
      assert.deepEqual(byName(await oauth.signingKeys()), byName(FIRST));
      assert.equal((await oauth.activeSigningKey('RS256'))?.kid, 'one');
      assert.equal((await oauth.activeSigningKey('ES256'))?.kid, 'uno');
      assert.equal(await oauth.hadSigningKeys(), true);
    });

    test('first keys are added once, and not again after all of them were deleted', async (t) => {
      const { oauth } = await openFixture(open, t);
      await oauth.addFirstSigningKeys([newSigningKey('lost', 'retired', { retiredAt: NOON })]);
      await oauth.deleteSigningKeysRetiredBefore(NOON + 1);

      const added = await oauth.addFirstSigningKeys(FIRST);

      assert.equal(added, false);
      assert.deepEqual(await oauth.signingKeys(), []);
      assert.equal(await oauth.hadSigningKeys(), true);
    });

    test('of 32 calls at once that add the first keys, exactly one succeeds', async (t) => {
      const { oauth } = await openFixture(open, t);

      const answers = await atOnce(32, (index) =>
        oauth.addFirstSigningKeys(FIRST.map((key) => ({ ...key, kid: `${key.kid} of ${index}` }))),
      );

      assert.equal(answers.filter((added) => added).length, 1);
      assert.equal((await oauth.signingKeys()).length, 4);
    });

    test('a rotation retires the active key, activates the next one and adds a new next one', async (t) => {
      const { oauth } = await openFixture(open, t);
      await oauth.addFirstSigningKeys(FIRST);

      const rotated = await oauth.rotateSigningKey(LATE_SERVER, {
        activeKid: 'one',
        nextKid: 'two',
        following: three,
      });
      const keys = await oauth.signingKeys();

      assert.equal(rotated, true);
      assert.equal(keys[0]?.kid, 'three');
      assert.deepEqual(
        byName(keys.filter(({ alg }) => alg === 'RS256')),
        byName([
          newSigningKey('one', 'retired', { activatedAt: NOON, retiredAt: LATER }),
          newSigningKey('two', 'active', { activatedAt: LATER }),
          three,
        ]),
      );
      assert.equal((await oauth.activeSigningKey('RS256'))?.kid, 'two');
    });

    test('a rotation of one algorithm does not change the keys of the other', async (t) => {
      const { oauth } = await openFixture(open, t);
      await oauth.addFirstSigningKeys(FIRST);

      await oauth.rotateSigningKey(LATE_SERVER, { activeKid: 'one', nextKid: 'two', following: three });

      assert.deepEqual(
        byName((await oauth.signingKeys()).filter(({ alg }) => alg === 'ES256')),
        byName(FIRST.filter(({ alg }) => alg === 'ES256')),
      );
    });

    test('a rotation of a key that is not active does nothing', async (t) => {
      const { oauth } = await openFixture(open, t);
      await oauth.addFirstSigningKeys(FIRST);
      await oauth.rotateSigningKey(LATE_SERVER, { activeKid: 'one', nextKid: 'two', following: three });
      const before = await oauth.signingKeys();

      const next = { nextKid: 'three', following: newSigningKey('four', 'next', { createdAt: LATER }) };
      const by = byServer(() => LATER + DAY);
      const again = await oauth.rotateSigningKey(by, { activeKid: 'one', ...next });
      const unknown = await oauth.rotateSigningKey(by, { activeKid: 'nobody', ...next });

      assert.deepEqual([again, unknown], [false, false]);
      assert.deepEqual(await oauth.signingKeys(), before);
    });

    test('of 32 rotations at once exactly one happens', async (t) => {
      const { oauth } = await openFixture(open, t);
      await oauth.addFirstSigningKeys(FIRST);

      const answers = await atOnce(32, (index) =>
        oauth.rotateSigningKey(LATE_SERVER, {
          activeKid: 'one',
          nextKid: 'two',
          following: { ...three, kid: `three of ${index}` },
        }),
      );

      assert.equal(answers.filter((rotated) => rotated).length, 1);
      assert.equal((await oauth.signingKeys()).length, 5);
    });

    test('a rotation that would leave two next keys of an algorithm is undone', async (t) => {
      const { oauth } = await openFixture(open, t);
      await oauth.addFirstSigningKeys(FIRST);
      const before = await oauth.signingKeys();

      await assert.rejects(
        oauth.rotateSigningKey(LATE_SERVER, { activeKid: 'one', nextKid: 'no such key', following: three }),
      );

      assert.deepEqual(byName(await oauth.signingKeys()), byName(before));
    });

    test('a compromised key is replaced together with all other keys of its algorithm, once', async (t) => {
      const { oauth } = await openFixture(open, t);
      await oauth.addFirstSigningKeys(FIRST);
      await oauth.rotateSigningKey(LATE_SERVER, { activeKid: 'one', nextKid: 'two', following: three });
      const keys = [newSigningKey('four', 'active', { createdAt: LATER }), newSigningKey('five', 'next')];
      const others = FIRST.filter(({ alg }) => alg === 'ES256');

      const stale = await oauth.replaceCompromisedSigningKeys(
        LATE_SERVER,
        { kid: 'one', alg: 'RS256' },
        keys,
      );
      const unchanged = (await oauth.signingKeys()).length;
      const replaced = await oauth.replaceCompromisedSigningKeys(
        LATE_SERVER,
        { kid: 'two', alg: 'RS256' },
        keys,
      );

      assert.deepEqual([stale, unchanged, replaced], [false, 5, true]);
      assert.deepEqual(byName(await oauth.signingKeys()), byName([...keys, ...others]));
      assert.equal((await oauth.activeSigningKey('RS256'))?.kid, 'four');
    });

    test('of rotations and replacements at once exactly one happens, and one key signs', async (t) => {
      const { oauth } = await openFixture(open, t);
      await oauth.addFirstSigningKeys(FIRST);

      const answers = await atOnce(16, (index) => {
        const suffix = ` of ${index}`;
        if (index % 2 === 0) {
          const following = { ...three, kid: `three${suffix}` };
          return oauth.rotateSigningKey(LATE_SERVER, { activeKid: 'one', nextKid: 'two', following });
        }
        const keys = [newSigningKey(`four${suffix}`, 'active'), newSigningKey(`five${suffix}`, 'next')];
        return oauth.replaceCompromisedSigningKeys(LATE_SERVER, { kid: 'one', alg: 'RS256' }, keys);
      });

      const states = (await oauth.signingKeys())
        .filter(({ alg }) => alg === 'RS256')
        .map(({ state }) => state);
      assert.equal(answers.filter((happened) => happened).length, 1);
      assert.deepEqual(states.filter((state) => state !== 'retired').toSorted(), ['active', 'next']);
    });

    test('each key that signs from now on leaves an event with the reason', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth } = fixture;
      await oauth.addFirstSigningKeys(FIRST);
      const compromised = { kid: 'one', alg: 'RS256' } as const;
      const keys = [newSigningKey('four', 'active'), newSigningKey('five', 'next')];

      await oauth.replaceCompromisedSigningKeys(LATE_SERVER, compromised, keys);
      await oauth.replaceCompromisedSigningKeys(LATE_SERVER, compromised, keys);
      await oauth.replaceLostSigningKeys(LATE_SERVER, [
        newSigningKey('six', 'active'),
        newSigningKey('seven', 'next'),
      ]);
      await oauth.rotateSigningKey(LATE_SERVER, { activeKid: 'six', nextKid: 'seven', following: three });

      assert.deepEqual(
        (await eventsOf(fixture)).map(({ at, event, by, detail, subject }) => [
          at,
          event,
          by,
          detail,
          subject,
        ]),
        [
          [LATER, 'keys_rotated', 'server', 'compromised', 'four'],
          [LATER, 'keys_rotated', 'server', 'lost', 'six'],
          [LATER, 'keys_rotated', 'server', undefined, 'seven'],
        ],
      );
    });

    test('lost keys are replaced one by one, and the others stay', async (t) => {
      const { oauth } = await openFixture(open, t);
      await oauth.addFirstSigningKeys(FIRST.slice(1));

      await oauth.replaceLostSigningKeys(LATE_SERVER, [
        newSigningKey('six', 'active'),
        newSigningKey('seven', 'next'),
      ]);

      assert.deepEqual((await oauth.signingKeys()).map(({ kid }) => kid).toSorted(), [
        'dos',
        'seven',
        'six',
        'uno',
      ]);
    });

    test('only keys that were retired before the given time are deleted', async (t) => {
      const { oauth } = await openFixture(open, t);
      await oauth.addFirstSigningKeys(FIRST);
      await oauth.rotateSigningKey(LATE_SERVER, { activeKid: 'one', nextKid: 'two', following: three });

      await oauth.deleteSigningKeysRetiredBefore(LATER);
      const before = (await oauth.signingKeys()).length;
      await oauth.deleteSigningKeysRetiredBefore(LATER + 1);
      const remaining = await oauth.signingKeys();

      assert.equal(before, 5);
      assert.deepEqual(remaining.map(({ kid }) => kid).sort(), ['dos', 'three', 'two', 'uno']);
    });
  },
};
