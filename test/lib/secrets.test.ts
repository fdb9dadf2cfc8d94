// Random text, time-ordered keys, digests and checksums.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  checksumOf,
  digestOf,
  isRecentKey,
  KEY_LENGTH,
  randomBase62,
  sameDigest,
  smallestKey,
  timeOrderedKey,
} from '../../src/lib/secrets.ts';

const moments = fc.integer({ min: 0, max: Date.UTC(2200, 0, 1) });

describe('random text', () => {
  test('is the requested number of letters and digits, and never the same', () => {
    const texts = Array.from({ length: 1000 }, () => randomBase62(27));

    for (const text of texts) assert.match(text, /^[0-9A-Za-z]{27}$/);
    assert.equal(new Set(texts).size, 1000);
    assert.equal(randomBase62(0), '');
  });

  test('uses every letter and digit evenly', () => {
    const counts = new Map<string, number>();
    for (const character of randomBase62(62_000)) counts.set(character, (counts.get(character) ?? 0) + 1);

    assert.equal(counts.size, 62);
    // 1000 each are expected with a deviation of 31: eight of those happen once in 10^15 runs.
    for (const count of counts.values()) assert.ok(Math.abs(count - 1000) < 250, `${count}`);
  });
});

describe('a time-ordered key', () => {
  test('is 22 letters and digits', () => {
    assert.match(timeOrderedKey(Date.UTC(2027, 0, 1)), /^[0-9A-Za-z]{22}$/);
    assert.equal(KEY_LENGTH, 22);
  });

  test('sorts after every key of an earlier moment, byte by byte', () => {
    fc.assert(
      fc.property(moments, moments, (one, other) => {
        const [earlier, later] = [timeOrderedKey(Math.min(one, other)), timeOrderedKey(Math.max(one, other))];
        assert.ok(one === other || Buffer.compare(Buffer.from(earlier), Buffer.from(later)) < 0);
      }),
    );
  });

  test('differs from another of the same moment', () => {
    const keys = Array.from({ length: 1000 }, () => timeOrderedKey(1));

    assert.equal(new Set(keys).size, 1000);
  });

  test('sorts before the smallest key of any later moment, and after the smallest key of its own', () => {
    fc.assert(
      fc.property(moments, fc.integer({ min: 1, max: 10_000 }), (moment, distance) => {
        const boundary = smallestKey(moment + distance);
        assert.ok(timeOrderedKey(moment) < boundary);
        assert.ok(timeOrderedKey(moment + distance) > boundary);
      }),
    );
  });
});

describe('a digest', () => {
  test('is SHA-256', () => {
    assert.equal(
      Buffer.from(digestOf('abc'), 'base64url').toString('hex'),
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });

  test('equals only a digest of the same text', () => {
    assert.equal(sameDigest(digestOf('abc'), digestOf('abc')), true);
    assert.equal(sameDigest(digestOf('abc'), digestOf('abd')), false);
    assert.equal(sameDigest(digestOf('abc'), digestOf('abc').slice(0, 42)), false);
    assert.equal(sameDigest('', ''), false);
    assert.equal(sameDigest(digestOf('abc'), ''), false);
  });
});

describe('a checksum', () => {
  test('is six letters and digits, always the same for a text', () => {
    assert.equal(checksumOf('123456789'), checksumOf('123456789'));
    // CRC-32 of "123456789" is 0xCBF43926, which is this in base 62.
    assert.equal(checksumOf('123456789'), '3jZRME');
    assert.equal(checksumOf(''), '000000');
  });

  test('changes when one character does', () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
    const character = fc.constantFrom(...letters);
    fc.assert(
      fc.property(fc.nat({ max: 47 }), character, (place, other) => {
        const text = randomBase62(48);
        const mistyped = text.slice(0, place) + other + text.slice(place + 1);
        assert.equal(checksumOf(mistyped) === checksumOf(text), mistyped === text);
      }),
    );
  });

  test('changes when two neighbours are swapped', () => {
    fc.assert(
      fc.property(fc.nat({ max: 46 }), (place) => {
        const text = randomBase62(48);
        const swapped =
          text.slice(0, place) + text.charAt(place + 1) + text.charAt(place) + text.slice(place + 2);
        assert.equal(checksumOf(swapped) === checksumOf(text), swapped === text);
      }),
    );
  });
});

test('A key is recent if it has the form of one and was made in the last day', () => {
  const now = 1_795_000_000_000;
  const fresh = timeOrderedKey(now);

  assert.equal(isRecentKey(fresh, now), true);
  assert.equal(isRecentKey(fresh, now + 86_400_000), true);
  for (const [key, at] of [
    [fresh, now + 86_400_001],
    [fresh, now - 1],
    ['0'.repeat(22), now],
    ['z'.repeat(22), now],
    [`${fresh}0`, now],
    [`${fresh.slice(0, 21)}:`, now],
    [':'.repeat(6000), now],
  ] as const) {
    assert.equal(isRecentKey(key, at), false, `${key.slice(0, 30)} ${at - now}`);
  }
});
