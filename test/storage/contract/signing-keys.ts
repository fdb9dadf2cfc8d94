// Signing keys: made once for ever, rotated in one step.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byServer } from '../../../src/audit/doer.ts';
import { DAY, MINUTE } from '../../../src/lib/clock.ts';
import type { SigningKey } from '../../../src/oauth/signing-key-store.ts';
import { atOnce, type Open, openHouse } from '../house.ts';
import { NOON } from '../records.ts';

/** A key by its name; the stores look at nothing of it but what they keep. */
function newKey(kid: string, state: SigningKey['state'], more: Partial<SigningKey> = {}): SigningKey {
  return {
    kid,
    alg: 'RS256',
    state,
    publicJwk: { kty: 'RSA', n: `modulus of ${kid}`, e: 'AQAB' },
    privateJwk: { kty: 'RSA', n: `modulus of ${kid}`, e: 'AQAB', d: `secret of ${kid}` },
    createdAt: NOON,
    activatedAt: state === 'active' ? NOON : undefined,
    retiredAt: undefined,
    ...more,
  };
}

const FIRST = [
  newKey('one', 'active'),
  newKey('two', 'next'),
  newKey('uno', 'active', { alg: 'ES256' }),
  newKey('dos', 'next', { alg: 'ES256' }),
];

const LATER = NOON + 10 * MINUTE;
const LATE_SERVER = byServer(() => LATER);
const three = newKey('three', 'next', { createdAt: LATER });

function byName(keys: readonly SigningKey[]): SigningKey[] {
  return [...keys].sort((a, b) => (a.kid < b.kid ? -1 : 1));
}

export const signingKeys = {
  title: 'signing keys',
  promises(open: Open): void {
    test('a fresh database has none and never had any', async (t) => {
      const { oauth } = await openHouse(open, t);

      assert.deepEqual(await oauth.signingKeys(), []);
      assert.equal(await oauth.hadSigningKeys(), false);
      assert.equal(await oauth.activeSigningKey('RS256'), undefined);
    });

    test('the first keys are found as they were made, and the active one by its algorithm', async (t) => {
      const { oauth } = await openHouse(open, t);

      const added = await oauth.addFirstSigningKeys(FIRST);

      assert.equal(added, true);
      assert.deepEqual(byName(await oauth.signingKeys()), byName(FIRST));
      assert.equal((await oauth.activeSigningKey('RS256'))?.kid, 'one');
      assert.equal((await oauth.activeSigningKey('ES256'))?.kid, 'uno');
      assert.equal(await oauth.hadSigningKeys(), true);
    });

    test('first keys are added once for ever, also when all of them are gone', async (t) => {
      const { oauth } = await openHouse(open, t);
      await oauth.addFirstSigningKeys([newKey('lost', 'retired', { retiredAt: NOON })]);
      await oauth.deleteSigningKeysRetiredBefore(NOON + 1);

      const added = await oauth.addFirstSigningKeys(FIRST);

      assert.equal(added, false);
      assert.deepEqual(await oauth.signingKeys(), []);
      assert.equal(await oauth.hadSigningKeys(), true);
    });

    test('of 32 that add the first keys at once exactly one succeeds', async (t) => {
      const { oauth } = await openHouse(open, t);

      const answers = await atOnce(32, (index) =>
        oauth.addFirstSigningKeys(FIRST.map((key) => ({ ...key, kid: `${key.kid} of ${index}` }))),
      );

      assert.equal(answers.filter((added) => added).length, 1);
      assert.equal((await oauth.signingKeys()).length, 4);
    });

    test('a rotation retires one key, lets the other sign and adds the one after it; newest come first', async (t) => {
      const { oauth } = await openHouse(open, t);
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
          newKey('one', 'retired', { activatedAt: NOON, retiredAt: LATER }),
          newKey('two', 'active', { activatedAt: LATER }),
          three,
        ]),
      );
      assert.equal((await oauth.activeSigningKey('RS256'))?.kid, 'two');
    });

    test('a rotation of one algorithm leaves the other alone', async (t) => {
      const { oauth } = await openHouse(open, t);
      await oauth.addFirstSigningKeys(FIRST);

      await oauth.rotateSigningKey(LATE_SERVER, { activeKid: 'one', nextKid: 'two', following: three });

      assert.deepEqual(
        byName((await oauth.signingKeys()).filter(({ alg }) => alg === 'ES256')),
        byName(FIRST.filter(({ alg }) => alg === 'ES256')),
      );
    });

    test('a key that signs no more is not retired again, and nothing is done', async (t) => {
      const { oauth } = await openHouse(open, t);
      await oauth.addFirstSigningKeys(FIRST);
      await oauth.rotateSigningKey(LATE_SERVER, { activeKid: 'one', nextKid: 'two', following: three });
      const before = await oauth.signingKeys();

      const next = { nextKid: 'three', following: newKey('four', 'next', { createdAt: LATER }) };
      const by = byServer(() => LATER + DAY);
      const again = await oauth.rotateSigningKey(by, { activeKid: 'one', ...next });
      const unknown = await oauth.rotateSigningKey(by, { activeKid: 'nobody', ...next });

      assert.deepEqual([again, unknown], [false, false]);
      assert.deepEqual(await oauth.signingKeys(), before);
    });

    test('of 32 rotations at once exactly one happens', async (t) => {
      const { oauth } = await openHouse(open, t);
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

    test('no second key of an algorithm can sign or wait: then the whole rotation is undone', async (t) => {
      const { oauth } = await openHouse(open, t);
      await oauth.addFirstSigningKeys(FIRST);
      const before = await oauth.signingKeys();

      await assert.rejects(
        oauth.rotateSigningKey(LATE_SERVER, { activeKid: 'one', nextKid: 'no such key', following: three }),
      );

      assert.deepEqual(byName(await oauth.signingKeys()), byName(before));
    });

    test('compromised keys are replaced with all others of their algorithm, once', async (t) => {
      const { oauth } = await openHouse(open, t);
      await oauth.addFirstSigningKeys(FIRST);
      await oauth.rotateSigningKey(LATE_SERVER, { activeKid: 'one', nextKid: 'two', following: three });
      const keys = [newKey('four', 'active', { createdAt: LATER }), newKey('five', 'next')];
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

    test('of rotations and a replacement at once, at most one happens, and one key signs', async (t) => {
      const { oauth } = await openHouse(open, t);
      await oauth.addFirstSigningKeys(FIRST);

      const answers = await atOnce(16, (index) => {
        const suffix = ` of ${index}`;
        if (index % 2 === 0) {
          const following = { ...three, kid: `three${suffix}` };
          return oauth.rotateSigningKey(LATE_SERVER, { activeKid: 'one', nextKid: 'two', following });
        }
        const keys = [newKey(`four${suffix}`, 'active'), newKey(`five${suffix}`, 'next')];
        return oauth.replaceCompromisedSigningKeys(LATE_SERVER, { kid: 'one', alg: 'RS256' }, keys);
      });

      const states = (await oauth.signingKeys())
        .filter(({ alg }) => alg === 'RS256')
        .map(({ state }) => state);
      assert.equal(answers.filter((happened) => happened).length, 1);
      assert.deepEqual(states.filter((state) => state !== 'retired').toSorted(), ['active', 'next']);
    });

    test('lost keys are replaced one by one, and the others stay', async (t) => {
      const { oauth } = await openHouse(open, t);
      await oauth.addFirstSigningKeys(FIRST.slice(1));

      await oauth.replaceLostSigningKeys(LATE_SERVER, [newKey('six', 'active'), newKey('seven', 'next')]);

      assert.deepEqual((await oauth.signingKeys()).map(({ kid }) => kid).toSorted(), [
        'dos',
        'seven',
        'six',
        'uno',
      ]);
    });

    test('only retired keys are removed, and of those the ones retired before the moment', async (t) => {
      const { oauth } = await openHouse(open, t);
      await oauth.addFirstSigningKeys(FIRST);
      await oauth.rotateSigningKey(LATE_SERVER, { activeKid: 'one', nextKid: 'two', following: three });

      await oauth.deleteSigningKeysRetiredBefore(LATER);
      const before = (await oauth.signingKeys()).length;
      await oauth.deleteSigningKeysRetiredBefore(LATER + 1);
      const left = await oauth.signingKeys();

      assert.equal(before, 5);
      assert.deepEqual(left.map(({ kid }) => kid).sort(), ['dos', 'three', 'two', 'uno']);
    });
  },
};
