// Which usernames are valid, and when two are the same.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  normalizeUsername,
  problemWithNewUsername,
  problemWithUsername,
  type UsernameProblem,
  usernameKey,
} from '../../src/identity/username.ts';

const CYRILLIC_A = '\u0430';
const GREEK_OMICRON = '\u03bf';

const usernames: [title: string, name: string, problem: UsernameProblem | undefined][] = [
  ['3 letters', 'eve', undefined],
  ['2 letters', 'al', 'too_short'],
  ['30 letters', 'a'.repeat(30), undefined],
  ['31 letters', 'a'.repeat(31), 'too_long'],
  ['30 letters that are two UTF-16 units each', '𠮷'.repeat(30), undefined],
  ['31 letters that are two UTF-16 units each', '𠮷'.repeat(31), 'too_long'],
  ['letters with accents', 'Zoë-Éva', undefined],
  ['Chinese', '讀書人', undefined],
  ['Cyrillic alone', 'Борис', undefined],
  ['Latin beside Chinese', 'alice讀書', undefined],
  ['digits', '12345', undefined],
  ['. _ - inside', 'a.l_i-ce', undefined],
  ['a point at the end', 'alice.', 'characters'],
  ['a hyphen at the beginning', '-alice', 'characters'],
  ['a space inside', 'al ice', 'characters'],
  ['a slash', 'al/ice', 'characters'],
  ['a question mark', 'alice?', 'characters'],
  ['a percent sign', 'al%ce', 'characters'],
  ['an at sign', 'alice@home', 'characters'],
  ['markup', '<b>alice', 'characters'],
  ['a line feed', 'ali\nce', 'characters'],
  ['a zero-width space', 'ali\u200bce', 'characters'],
  ['a zero-width joiner', 'ali\u200dce', 'characters'],
  ['a direction mark', 'alice\u202e', 'characters'],
  ['a Hangul filler at the end', 'alice\u3164', 'characters'],
  ['a variation selector inside', 'ali\ufe0fce', 'characters'],
  ['a grapheme joiner inside', 'ali\u034fce', 'characters'],
  ['an emoji', 'alice🙂', 'characters'],
  ['a combining mark at the beginning', '\u0301alice', 'characters'],
  ['a Cyrillic а in alice', `${CYRILLIC_A}lice`, 'mixed_scripts'],
  ['a Greek ο in bob', `b${GREEK_OMICRON}b`, 'mixed_scripts'],
];

describe('a username', () => {
  for (const [title, name, problem] of usernames) {
    test(`${problem === undefined ? 'may be' : 'may not be'} ${title}`, () => {
      assert.equal(problemWithUsername(normalizeUsername(name)), problem);
    });
  }

  test('is normalized and trimmed', () => {
    assert.equal(normalizeUsername('  ａｌｉｃｅ\u3000'), 'alice');
    assert.equal(normalizeUsername('Zoe\u0308'), 'Zo\u00eb');
  });
});

describe('two usernames are the same', () => {
  for (const [title, one, other] of [
    ['in another case', 'Alice', 'aLICE'],
    ['in full width', 'alice', 'ＡＬＩＣＥ'],
    ['in a mathematical alphabet', 'alice', '𝒜𝓁𝒾𝒸ℯ'],
    ['with a ligature', 'fiona', 'ﬁona'],
    ['with an accent in one code point or two', 'zo\u00eb', 'Zoe\u0308'],
    ['with space around one', 'alice', ' alice '],
    ['in another case with an accent', 'ÉVA', 'éva'],
    ['with a Kelvin sign', 'kim', '\u212aim'],
  ] as const) {
    test(title, () => {
      assert.equal(usernameKey(one), usernameKey(other));
    });
  }

  test('not when a letter differs', () => {
    assert.notEqual(usernameKey('alice'), usernameKey('alicia'));
    assert.notEqual(usernameKey('zoe'), usernameKey('zoë'));
  });
});

test('A new username has no dots', () => {
  assert.equal(problemWithNewUsername('alice.example'), 'characters');
  assert.equal(problemWithNewUsername('al'), 'too_short');
  assert.equal(problemWithNewUsername('alice'), undefined);
});

test('A text of a megabyte is not normalized, and is too long', () => {
  const ligatures = '\ufdfa'.repeat(300_000);

  assert.equal(normalizeUsername(ligatures).length, 200);
  assert.equal(problemWithUsername(normalizeUsername(ligatures)), 'too_long');
  assert.equal(problemWithUsername(normalizeUsername(`alice${' '.repeat(300)}b`)), 'too_long');
  assert.equal(normalizeUsername(`${' '.repeat(90)}alice `), 'alice');
});
