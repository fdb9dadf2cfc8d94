// Where a text has the words that someone searched for.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partAroundFound, type TextPiece, withFoundWords } from '../../src/lib/found-words.ts';
import { textOfHtml } from '../../src/lib/html-text.ts';
import { phrasesOf } from '../../src/lib/words.ts';

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

test('the text of HTML has no tags, no references, and its blocks apart, wherever the HTML is cut off', () => {
  const html =
    '<h2>Rye</h2>\n<p>1 &lt; 2 &amp;&amp; <em>x</em><br>y.</p>\n<ul><li>a</li><li>b</li></ul><p>c <a href="/x';

  assert.equal(textOfHtml(html), 'Rye · 1 < 2 && x · y. a · b · c');
});
