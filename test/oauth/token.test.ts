// The format of credentials (contract §8): brand, kind, key, secret, checksum.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { checksumOf } from '../../src/lib/secrets.ts';
import { isGenuine, mintToken, readToken, readTokenOf, type TokenKind } from '../../src/oauth/token.ts';
import { NEW_YEAR } from './provider.ts';

const PREFIXES: [kind: TokenKind, ofSvc: string, ofAgora: string][] = [
  ['access', 'svco_', 'agorao_'],
  ['refresh', 'svcr_', 'agorar_'],
  ['personal', 'svcp_', 'agorap_'],
  ['code', 'svcc_', 'agorac_'],
  ['clientSecret', 'svcs_', 'agoras_'],
];
const KINDS = PREFIXES.map(([kind]) => kind);

const CHECKSUM_LENGTH = 6;

describe('mintToken', () => {
  for (const [kind, ofSvc, ofAgora] of PREFIXES) {
    test(`${kind}: the prefix is the brand and the kind, then come letters and digits only`, () => {
      assert.match(mintToken(kind, 'svc', NEW_YEAR).text, new RegExp(`^${ofSvc}[A-Za-z0-9]{60}$`));
      assert.match(mintToken(kind, 'agora', NEW_YEAR).text, new RegExp(`^${ofAgora}[A-Za-z0-9]{60}$`));
    });
  }

  test('a token has at least 160 random bits besides its key and checksum', () => {
    const { text, key } = mintToken('access', 'svc', NEW_YEAR);

    const secretLength = text.length - 'svco_'.length - key.length - CHECKSUM_LENGTH;

    assert(secretLength * Math.log2(62) >= 160, `${secretLength} characters`);
  });

  test('every letter and digit appears at each place of the secret', () => {
    const seen = Array.from({ length: 32 }, () => new Set<string>());
    for (let minted = 0; minted < 2_000; minted += 1) {
      const { text } = mintToken('access', 'svc', NEW_YEAR);
      const secret = text.slice(-32 - CHECKSUM_LENGTH, -CHECKSUM_LENGTH);
      for (const [at, character] of [...secret].entries()) seen[at]?.add(character);
    }

    assert(seen.every((characters) => characters.size === 62));
  });

  test('two tokens of the same moment differ in key, secret and digest', () => {
    const minted = Array.from({ length: 1_000 }, () => mintToken('code', 'svc', NEW_YEAR));

    assert.equal(new Set(minted.map(({ key }) => key)).size, 1_000);
    assert.equal(new Set(minted.map(({ text }) => text.slice(-38, -6))).size, 1_000);
    assert.equal(new Set(minted.map(({ digest }) => digest)).size, 1_000);
  });

  test('two tokens with the same key differ in their secrets', () => {
    const first = mintToken('refresh', 'svc', NEW_YEAR);
    const second = mintToken('refresh', 'svc', NEW_YEAR, first.key);

    assert.equal(second.key, first.key);
    assert.notEqual(second.text, first.text);
    assert.notDeepEqual(second.digest, first.digest);
  });

  test('keys grow with time', () => {
    const keys = [0, 1, 61, 62, 1_000, NEW_YEAR].map(
      (offset) => mintToken('access', 'svc', NEW_YEAR + offset).key,
    );

    assert.deepEqual(keys, [...keys].sort());
  });

  test('only the SHA-256 digest of the text is stored, and the text does not contain it', () => {
    const { text, key, digest } = mintToken('access', 'svc', NEW_YEAR);

    assert.deepEqual(Buffer.from(digest, 'base64url'), createHash('sha256').update(text).digest());
    assert(!key.includes(text.slice(-38)));
  });
});

describe('readToken, without a database', () => {
  for (const [kind] of PREFIXES) {
    test(`${kind}: reads what was minted`, () => {
      for (const brand of ['svc', 'agora', 'x']) {
        const minted = mintToken(kind, brand, NEW_YEAR);

        assert.deepEqual(readToken(minted.text, brand), { kind, key: minted.key, digest: minted.digest });
      }
    });

    test(`${kind}: any single character changed is refused`, () => {
      const { text } = mintToken(kind, 'svc', NEW_YEAR);

      for (let at = 0; at < text.length; at += 1) {
        for (const other of 'AZaz09corps_-. \0\u00e9\uff21') {
          if (other === text[at]) continue;
          const changed = text.slice(0, at) + other + text.slice(at + 1);
          assert.equal(readToken(changed, 'svc'), undefined, `${other} at ${at}`);
        }
      }
    });

    test(`${kind}: any single letter in the other case is refused`, () => {
      const { text } = mintToken(kind, 'svc', NEW_YEAR);

      for (let at = 0; at < text.length; at += 1) {
        const letter = text.charAt(at);
        const flipped = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
        if (flipped === letter) continue;
        assert.equal(
          readToken(text.slice(0, at) + flipped + text.slice(at + 1), 'svc'),
          undefined,
          `at ${at}`,
        );
      }
      assert.equal(readToken(text.toUpperCase(), 'svc'), undefined);
      assert.equal(readToken(text.toLowerCase(), 'svc'), undefined);
    });

    test(`${kind}: cut short anywhere, at either end, is refused`, () => {
      const { text } = mintToken(kind, 'svc', NEW_YEAR);

      for (let length = 0; length < text.length; length += 1) {
        assert.equal(readToken(text.slice(0, length), 'svc'), undefined);
        assert.equal(readToken(text.slice(text.length - length), 'svc'), undefined);
      }
    });

    test(`${kind}: with anything before or after it is refused`, () => {
      const { text } = mintToken(kind, 'svc', NEW_YEAR);

      for (const more of ['a', 'A', '0', ' ', '\n', '\0', '=', ',', '\u200b', text]) {
        assert.equal(readToken(text + more, 'svc'), undefined);
        assert.equal(readToken(more + text, 'svc'), undefined);
      }
    });

    test(`${kind}: two neighbouring characters swapped are refused`, () => {
      const { text } = mintToken(kind, 'svc', NEW_YEAR);

      for (let at = 0; at + 1 < text.length; at += 1) {
        const swapped = text.slice(0, at) + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2);
        if (swapped !== text) assert.equal(readToken(swapped, 'svc'), undefined, `at ${at}`);
      }
    });

    test(`${kind}: of another brand is refused`, () => {
      const { text } = mintToken(kind, 'agora', NEW_YEAR);

      assert.equal(readToken(text, 'svc'), undefined);
      assert.equal(readToken(text, 'agor'), undefined);
      assert.equal(readToken(`svc${text.slice('agora'.length)}`, 'svc'), undefined);
    });

    for (const [other, prefix] of PREFIXES.filter(([name]) => name !== kind)) {
      test(`${kind}: is not taken for ${other}, nor under its prefix`, () => {
        const { text } = mintToken(kind, 'svc', NEW_YEAR);

        assert.equal(readTokenOf(other, text, 'svc'), undefined);
        assert.equal(readToken(prefix + text.slice(prefix.length), 'svc'), undefined);
      });
    }

    test(`${kind}: is taken for what it is`, () => {
      const { text, key } = mintToken(kind, 'svc', NEW_YEAR);

      assert.equal(readTokenOf(kind, text, 'svc')?.key, key);
      assert.deepEqual(
        KINDS.filter((candidate) => readTokenOf(candidate, text, 'svc') !== undefined),
        [kind],
      );
    });
  }

  test('another length is refused, even with the right checksum', () => {
    const { text } = mintToken('access', 'svc', NEW_YEAR);

    for (const payload of ['svco_', text.slice(0, -7), `${text.slice(0, -6)}a`, text]) {
      assert.equal(readToken(payload + checksumOf(payload), 'svc'), undefined);
    }
  });

  test('no invented text is read', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('svco_', 'svcr_', 'svcp_', 'svcc_', 'svcs_', ''),
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.string({ unit: fc.constantFrom(...'abcXYZ019'), minLength: 60, maxLength: 60 }),
        ),
        (prefix, rest) => {
          assert.equal(readToken(prefix + rest, 'svc'), undefined);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('64 kB are checked without delay', () => {
    const startedAt = performance.now();

    assert.equal(readToken(`svco_${'a'.repeat(65_536)}`, 'svc'), undefined);
    assert.equal(readToken('svco_'.repeat(13_107), 'svc'), undefined);

    assert(performance.now() - startedAt < 1_000);
  });
});

describe('isGenuine', () => {
  test('only for the stored digest', () => {
    const minted = mintToken('refresh', 'svc', NEW_YEAR);
    const sibling = mintToken('refresh', 'svc', NEW_YEAR, minted.key);
    const presented = readToken(minted.text, 'svc');
    assert(presented);

    assert.equal(isGenuine(presented, minted.digest), true);
    assert.equal(isGenuine(presented, sibling.digest), false);
    assert.equal(isGenuine(presented, minted.digest.slice(0, 42)), false);
    assert.equal(isGenuine(presented, ''), false);
  });
});
