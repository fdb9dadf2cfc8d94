// Where a text has the words that someone searched for.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leftOfPage, partAroundFound, type TextPiece, withFoundWords } from '../../src/lib/found-words.ts';
import { phrasesOf } from '../../src/lib/words.ts';
import { millisecondsOf } from '../support/processor-time.ts';

const sought = (query: string, isCompleted = false) => ({ phrases: phrasesOf(query), isCompleted });

/** Write pieces with brackets around what was found. */
function bracketed(pieces: readonly TextPiece[] | undefined): string | undefined {
  return pieces?.map(({ text, isFound }) => (isFound ? `[${text}]` : text)).join('');
}

for (const [query, text, marked] of [
  ['bread', 'Bread, breads and breadth', '[Bread], [breads] and breadth'],
  ['cafe', 'Le CAFÉ', 'Le [CAFÉ]'],
  ['面包', '面包面，面 包', '[面包]面，[面 包]'],
  ['rye bread', 'bread of rye', '[bread] of [rye]'],
  ['ａｂｃ', 'abc', '[abc]'],
  ['b', 'a <b> & b', 'a <[b]> & [b]'],
  ['baking', 'baked bakes bake', '[baked] [bakes] [bake]'],
  ['zebra', 'bread', 'bread'],
] as const) {
  test(`a search for ${query} marks ${marked}`, () => {
    assert.equal(bracketed(withFoundWords(text, sought(query))), marked);
  });
}

test('a beginning marks the words that begin with it, if the search completed it', () => {
  assert.equal(bracketed(withFoundWords('bread breath', sought('brea', true))), '[bread] [breath]');
  assert.equal(bracketed(withFoundWords('bread breath', sought('brea'))), 'bread breath');
});

test('the part around the first place begins and ends at words, and between characters', () => {
  const words = `${'one two '.repeat(40)}bread ${'three four '.repeat(40)}`;
  const signs = `${'字'.repeat(100)}面包${'字'.repeat(300)}`;
  const families = `${'👩‍👩‍👧‍👦'.repeat(30)}bread${'👩‍👩‍👧‍👦'.repeat(30)}`;

  assert.match(
    bracketed(partAroundFound(words, sought('bread'))) ?? '',
    /^…(?:one two )+\[bread\] (?:three four ?)+(?:three)?…$/,
  );
  assert.match(bracketed(partAroundFound(signs, sought('面包'))) ?? '', /^…字{60}\[面包\]字{138}…$/);
  assert.match(
    bracketed(partAroundFound(families, sought('bread'))) ?? '',
    /^…(?:👩‍👩‍👧‍👦)+\[bread\](?:👩‍👩‍👧‍👦)+…$/,
  );
  assert.equal(bracketed(partAroundFound('Just bread.', sought('bread'))), 'Just [bread].');
  assert.equal(partAroundFound('Just rye.', sought('bread')), undefined);
});

test('a part ends between characters where one is longer than thirty units', () => {
  for (const before of ['', ' ']) {
    const text = `${before}面包 @${'\u{E0067}'.repeat(200)}`;
    const part = bracketed(partAroundFound(text, sought('面包'))) ?? '';

    assert.match(part, /\[面包\] @.*…$/u);
    assert.ok(part.isWellFormed());
  }
});

test('eight thousand signs of Chinese take some milliseconds', () => {
  const text = Array.from({ length: 8_000 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('');

  const took = millisecondsOf(() => {
    for (let post = 0; post < 100; post += 1) partAroundFound(text, sought('面包 中国'));
  });

  assert.ok(took < 1_000, `${took} ms for a hundred texts`);
});

test('after the words that are shown, nothing is read', () => {
  const text = `${'bread and '.repeat(10)}${'é '.repeat(3_900)}`;

  const took = millisecondsOf(() => {
    for (let post = 0; post < 1_000; post += 1) partAroundFound(text, sought('bread'));
  });

  assert.ok(took < 1_000, `${took} ms for a thousand texts`);
});

test('the texts of a page are read until sixty thousand characters are, in all', () => {
  const left = leftOfPage();
  const long = `${'rye '.repeat(1_900)}bread`;

  const parts = Array.from({ length: 20 }, () => partAroundFound(long, sought('bread'), left));

  assert.deepEqual(
    parts.map((part) => part !== undefined),
    Array.from({ length: 20 }, (_, index) => index < 7),
  );
  assert.equal(left.characters, 0);
  assert.equal(bracketed(partAroundFound('', sought('bread'), left)), undefined);
});
