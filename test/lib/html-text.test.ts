// The text of rendered HTML.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openingOfHtml, textOfHtml } from '../../src/lib/html-text.ts';
import { renderMarkdown } from '../../src/lib/markdown.ts';
import { openingOf } from '../../src/lib/opening.ts';
import { millisecondsOf } from '../support/processor-time.ts';

test('the text of HTML has no tags, no references, and its blocks apart, wherever the HTML is cut off', () => {
  const html =
    '<h2>Rye</h2>\n<p>1 &lt; 2 &amp;&amp; <em>x</em><br>y.</p>\n<ul><li>a</li><li>b</li></ul><p>c <a href="/x';

  assert.equal(textOfHtml(html), 'Rye · 1 < 2 && x · y. a · b · c');
});

describe('the opening of HTML is that of its Markdown:', () => {
  const picture = `/pictures/${'0'.repeat(32)}-9x9.webp`;
  for (const markdown of [
    'That **smells** good. See https://a.example/x?y=1&z="<',
    '# Rye\n\nA sentence\nover two lines.\n\n- one\n- two\n\n> quoted `code`',
    '面包很好。\n发酵\n\n```js\nlet x = 1;\n```\n\n一夜',
    '| a | b |\n|---|---|\n| 1 | 2 |\n\nAfter the table.',
    'A note[^1] here.\n\n[^1]: Its text.',
    '- [ ] open\n- [x] done',
    '```\nonly code\n```',
    '# Only a heading',
    `![A loaf & "crumb"](${picture})`,
    `![A loaf](${picture})\n\nWith words.`,
    '',
  ]) {
    test(JSON.stringify(markdown), () => {
      assert.equal(openingOfHtml(renderMarkdown(markdown)), openingOf(markdown));
    });
  }
});

test('HTML that is cut off, or whose tags are not closed, has an opening too, which takes no time', () => {
  for (const html of ['<pre><h2>', '<table>', '<', '</pre>', '<img ', 'a<sup>'].map((piece) =>
    piece.repeat(3_000),
  )) {
    assert.ok(millisecondsOf(() => openingOfHtml(html)) < 200, html.slice(0, 20));
  }
  assert.equal(openingOfHtml('<p>a <em>b</em></p><pre><code>c</co'), 'a b');
});
