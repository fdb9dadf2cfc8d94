// Text that stays on one line.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutOff, hasControlCharacters, oneLine } from '../../src/lib/one-line.ts';

test('hidden characters are found anywhere in a text', () => {
  for (const text of ['a\nb', '\ta', 'a\u2028', 'a\u2029b', 'a\u0000', 'a\u0085b']) {
    assert.equal(hasControlCharacters(text), true, JSON.stringify(text));
  }
  for (const hidden of '\u061C\u180E\u200B\u200E\u200F\u202A\u202E\u2060\u2066\u2069\uFEFF\uFFF9') {
    assert.equal(hasControlCharacters(`a${hidden}b`), true, JSON.stringify(hidden));
    assert.equal(oneLine(`a${hidden}b`), 'ab', JSON.stringify(hidden));
  }
  for (const text of ['', 'a b', '讀 é 😀', 'a\u00a0b', '👩‍👧', 'می‌خواهم', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'])
    assert.equal(hasControlCharacters(text), false, text);
});

test('a text is put on one line, with one space for each run of hidden or blank characters', () => {
  assert.equal(oneLine('  one\r\n\ttwo\u2028 three\u0000'), 'one two three');
});

test('a text that is too long is cut between characters and ends in an ellipsis', () => {
  assert.equal(cutOff('abcd', 4), 'abcd');
  assert.equal(cutOff('abcde', 4), 'abc…');
  assert.equal(cutOff('ab cde', 4), 'ab…');
  assert.equal(cutOff('😀😀😀', 2), '😀…');
});
