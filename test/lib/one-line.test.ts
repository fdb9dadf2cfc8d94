// Text that stays on one line.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutOff, escapeHidden, hasHiddenCharacters, oneLine } from '../../src/lib/one-line.ts';

test('hidden characters are found anywhere in a text', () => {
  for (const text of ['a\nb', '\ta', 'a\u2028', 'a\u2029b', 'a\u0000', 'a\u0085b']) {
    assert.equal(hasHiddenCharacters(text), true, JSON.stringify(text));
  }
  const controls = '\u061C\u180E\u200B\u200E\u200F\u202A\u202E\u2060\u2066\u2069\uFEFF\uFFF9';
  const fillers = '\u00AD\u034F\u115F\u1160\u17B4\u3164\uFFA0\u{E0001}\u{E0041}\u{E007F}';
  for (const hidden of controls + fillers) {
    assert.equal(hasHiddenCharacters(`a${hidden}b`), true, JSON.stringify(hidden));
    assert.equal(oneLine(`a${hidden}b`), 'ab', JSON.stringify(hidden));
  }
  for (const text of ['', 'a b', '讀 é 😀', 'a\u00a0b', '👩‍👧', 'می‌خواهم', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '❤️', '葛󠄀', '⠓⠊⠀⠽'])
    assert.equal(hasHiddenCharacters(text), false, text);
});

test('a text without any visible character is hidden, and none of it remains on one line', () => {
  for (const text of ['\u2800', '\u200D', ' \uFE0F', '\u200C\u2800\u{E0100}', '\u3164']) {
    assert.equal(hasHiddenCharacters(text), true, JSON.stringify(text));
    assert.equal(oneLine(text), '', JSON.stringify(text));
  }
  assert.equal(hasHiddenCharacters(oneLine(['a\uDB40', '\u{E0067}', '\uDC67'].join(''))), false);
  assert.equal(hasHiddenCharacters('  '), false);
});

test('hidden characters become visible as numbers', () => {
  assert.equal(
    escapeHidden('a\u001B[31m\u009B\n\u202E\u{E0041}'),
    'a\\u{1b}[31m\\u{9b}\\u{a}\\u{202e}\\u{e0041}',
  );
  assert.equal(escapeHidden('讀  é 👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿'), '讀  é 👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿');
});

test('a long row of tags is judged in linear time', () => {
  const start = performance.now();
  hasHiddenCharacters(oneLine(`🏴${'\u{E0067}'.repeat(500_000)}`));
  assert.ok(performance.now() - start < 2000);
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
