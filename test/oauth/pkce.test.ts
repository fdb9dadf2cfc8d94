// Proof Key for Code Exchange (RFC 7636), S256 only.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { isCodeChallenge, verifierMatches } from '../../src/oauth/pkce.ts';
import { CHALLENGE, challengeOf, VERIFIER } from './provider.ts';

const UNRESERVED = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~';

describe('verifierMatches', () => {
  test('the example of RFC 7636 appendix B matches', () => {
    assert.equal(
      verifierMatches(
        'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
        'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      ),
      true,
    );
  });

  const WELL_FORMED: Record<string, string> = {
    '43 characters': 'a'.repeat(43),
    '128 characters': 'a'.repeat(128),
    'all unreserved characters': UNRESERVED,
    'all unreserved characters, 128 long': (UNRESERVED + UNRESERVED).slice(0, 128),
    'punctuation only': '-._~'.repeat(11),
  };

  for (const [name, verifier] of Object.entries(WELL_FORMED)) {
    test(`accepted: ${name}`, () => {
      assert.equal(verifierMatches(verifier, challengeOf(verifier)), true);
    });
  }

  const MALFORMED: Record<string, string> = {
    empty: '',
    '42 characters': 'a'.repeat(42),
    '129 characters': 'a'.repeat(129),
    '64 kB': 'a'.repeat(65_536),
    space: `${'a'.repeat(43)} `,
    'newline at the end': `${'a'.repeat(43)}\n`,
    'NUL at the end': `${'a'.repeat(43)}\0`,
    plus: `${'a'.repeat(43)}+`,
    slash: `${'a'.repeat(43)}/`,
    'equals sign': `${'a'.repeat(43)}=`,
    'percent sign': `${'a'.repeat(43)}%`,
    'letter outside ASCII': `${'a'.repeat(43)}\u00e9`,
    'full-width letter': `${'a'.repeat(43)}\uff41`,
  };

  for (const [name, verifier] of Object.entries(MALFORMED)) {
    test(`refused although its digest is the challenge: ${name}`, () => {
      assert.equal(verifierMatches(verifier, challengeOf(verifier)), false);
    });
  }

  test('refused: the challenge itself, as the plain transform would have it', () => {
    assert.equal(verifierMatches(CHALLENGE, CHALLENGE), false);
  });

  test('refused: any single letter in the other case', () => {
    for (let at = 0; at < VERIFIER.length; at += 1) {
      const letter = VERIFIER.charAt(at);
      const flipped = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
      if (flipped === letter) continue;
      assert.equal(
        verifierMatches(VERIFIER.slice(0, at) + flipped + VERIFIER.slice(at + 1), CHALLENGE),
        false,
      );
      assert.equal(verifierMatches(VERIFIER, `${CHALLENGE.slice(0, at)}!${CHALLENGE.slice(at + 1)}`), false);
    }
  });

  test('refused: the verifier cut short or prolonged', () => {
    assert.equal(verifierMatches(`${VERIFIER}a`, CHALLENGE), false);
    assert.equal(verifierMatches(`a${VERIFIER}`, CHALLENGE), false);
    const long = VERIFIER + VERIFIER;
    assert.equal(verifierMatches(long.slice(0, -1), challengeOf(long)), false);
  });

  test('refused: a challenge cut short, prolonged, padded or empty', () => {
    for (const challenge of [CHALLENGE.slice(0, -1), `${CHALLENGE}A`, `${CHALLENGE}=`, '']) {
      assert.equal(verifierMatches(VERIFIER, challenge), false);
    }
  });

  test('only the verifier of a challenge matches it', () => {
    const verifier = fc.string({ unit: fc.constantFrom(...UNRESERVED), minLength: 43, maxLength: 128 });

    fc.assert(
      fc.property(verifier, verifier, (own, other) => {
        assert.equal(verifierMatches(own, challengeOf(own)), true);
        assert.equal(verifierMatches(other, challengeOf(own)), other === own);
      }),
    );
  });
});

describe('isCodeChallenge: the base64url form of a SHA-256 digest has 43 characters (RFC 7636 §4.2)', () => {
  const CHALLENGES: [name: string, text: string, expected: boolean][] = [
    ['the example of RFC 7636', CHALLENGE, true],
    ['hyphens and underscores', `${'-_'.repeat(21)}A`, true],
    ['42 characters', CHALLENGE.slice(1), false],
    ['44 characters', `${CHALLENGE}A`, false],
    ['padded', `${CHALLENGE}=`, false],
    ['newline at the end', `${CHALLENGE}\n`, false],
    ['plus', `+${CHALLENGE.slice(1)}`, false],
    ['slash', `/${CHALLENGE.slice(1)}`, false],
    ['equals sign', `${CHALLENGE.slice(1)}=`, false],
    ['dot', `.${CHALLENGE.slice(1)}`, false],
    ['tilde', `~${CHALLENGE.slice(1)}`, false],
    ['space', ` ${CHALLENGE.slice(1)}`, false],
    ['letter outside ASCII', `\u00e9${CHALLENGE.slice(1)}`, false],
    ['empty', '', false],
  ];

  for (const [name, text, expected] of CHALLENGES) {
    test(`${expected ? 'accepted' : 'refused'}: ${name}`, () => {
      assert.equal(isCodeChallenge(text), expected);
    });
  }
});
