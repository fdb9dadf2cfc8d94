// The words of the search: of posts, of queries, and where a result has them.

import assert from 'node:assert/strict';
import { partAroundFound } from '../../../src/lib/found-words.ts';
import { openingOfHtml, textOfHtml } from '../../../src/lib/html-text.ts';
import { phrasesOf, searchWords } from '../../../src/lib/words.ts';
import { assertWellFormed, type Target } from '../target.ts';
import { LINE_PIECES, LINE_SEEDS } from './texts.ts';

export const SEARCH_TARGETS: readonly Target[] = [
  {
    name: 'found-words',
    share: 6,
    seeds: [
      '<h2>Rye</h2>\n<p>1 &lt; 2 &amp;&amp; <em>x</em><br>面包。</p>\n<ul><li>a</li></ul><p>b <a href="/x',
      '<pre tabindex="0"><code>面包 bread\n</code></pre>\n<p>café ไทย</p>',
    ],
    pieces: [...LINE_PIECES, '<', '>', '<p>', '</p>', '<br>', '&amp;', '&', '面包', 'bread', '\u3000', '\n'],
    maxLength: 12_000,
    longPerThousand: 50,
    msPerThousand: 3,
    check(input) {
      const text = textOfHtml(input);
      assert.ok(!openingOfHtml(input).includes('\n'));
      for (const query of ['bread 面包 a', 'zebra']) {
        const pieces = partAroundFound(text, { phrases: phrasesOf(query), isCompleted: true }) ?? [];
        const shown = pieces.map((piece) => piece.text).join('');
        assert.ok(pieces.length === 0 || pieces.some(({ isFound }) => isFound));
        assertWellFormed(shown, input);
      }
    },
  },
  {
    name: 'search-words',
    share: 4,
    seeds: [...LINE_SEEDS, 'bread and topic7', '面包很好 and ไทย', 'ｆｕｌｌ ﬁ ① Ⅳ'],
    pieces: [...LINE_PIECES, 'ﷺ', '面', 'a面', '\u0300', '𝒜', '"', ' AND ', 'NEAR(', '*'],
    maxLength: 20_000,
    longPerThousand: 15,
    msPerThousand: 3,
    check(input) {
      const words = searchWords(input);
      assert.match(words, /^(?:[\p{L}\p{M}\p{N}]+(?: [\p{L}\p{M}\p{N}]+)*)?$/u);
      assert.equal(phrasesOf(input).flat().slice(0, 10_000).join(' '), words);
    },
  },
];
