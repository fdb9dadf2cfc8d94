// Markdown: the HTML that it becomes, and that no text takes long to render.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { plainTextOf, renderMarkdown } from '../../src/lib/markdown.ts';

const MOST = 100_000;

describe('Markdown', () => {
  for (const [title, markdown, html] of [
    ['emphasis', '*a* **b** ~~c~~ `d`', '<p><em>a</em> <strong>b</strong> <del>c</del> <code>d</code></p>\n'],
    ['a first-level heading', '# a', '<h2>a</h2>\n'],
    ['a bare address', 'https://a.example/b', link('https://a.example/b', 'https://a.example/b')],
    ['the name of a file', 'notes.md', '<p>notes.md</p>\n'],
    ['a script', 'a <script>alert(1)</script> b', '<p>a  b</p>\n'],
    ['an image', '![a](https://a.example/b.png)', '<p></p>\n'],
    ['a handler', '<p onclick="alert(1)" style="color:red" class="x" id="y">a</p>', '<p>a</p>'],
    ['a link to a script', '[a](javascript:alert(1))', '<p>[a](javascript:alert(1))</p>\n'],
    ['a link to a script in HTML', '<a href="java&#10;script:alert(1)">a</a>', link(undefined, 'a')],
    [
      'a link with attributes that it may not have',
      '<a href="/b" rel="author" target="_blank">a</a>',
      link('/b', 'a'),
    ],
  ] as const) {
    test(`${title} becomes ${JSON.stringify(html)}`, () => {
      assert.equal(renderMarkdown(markdown), html);
    });
  }

  for (const [title, markdown] of [
    ['a wide table', `${'|a'.repeat(12_500)}|\n${'|-'.repeat(12_500)}|\n${'x\n'.repeat(25_000)}`],
    ['a half-wide table', `${'|a'.repeat(5_000)}|\n${'|-'.repeat(5_000)}|\n${'x\n'.repeat(40_000)}`],
    ['unclosed emphasis', '*a_'.repeat(MOST / 3)],
    ['nested emphasis', '*a '.repeat(MOST / 6) + 'a* '.repeat(MOST / 6)],
    ['nested quotations', '>'.repeat(MOST)],
    ['nested lists', '- '.repeat(MOST / 2)],
    ['open brackets', '['.repeat(MOST)],
    ['open links', '[a]('.repeat(MOST / 4)],
    ['open tags', '<b>'.repeat(MOST / 3)],
    ['backticks', '`a'.repeat(MOST / 2)],
  ] as const) {
    test(`${title} of 100,000 characters: rendered quickly, into not much longer HTML`, () => {
      const start = process.cpuUsage();

      const html = renderMarkdown(markdown);
      plainTextOf(markdown);

      // Processor time, because other tests run at the same time.
      assert.ok(process.cpuUsage(start).user < 3_000_000);
      assert.ok(html.length < 20 * MOST);
    });
  }
});

test('a table with more cells than characters is not rendered as a table', () => {
  const head = `|${'a|'.repeat(100)}\n|${'-|'.repeat(100)}\n`;
  const fullTable = `${head}${`|${'b|'.repeat(100)}\n`.repeat(5)}`;

  const html = renderMarkdown(head + '|\n'.repeat(2_000));

  assert.ok(html.length < 10_000, `${html.length} characters`);
  assert.doesNotMatch(html, /<table>/);
  assert.match(renderMarkdown(fullTable), /<table>/);
  assert.match(renderMarkdown('> | a | b |\n> |---|---|\n> | 1 | |\n'), /<table>/);
});

function link(href: string | undefined, text: string): string {
  return `<p><a${href === undefined ? '' : ` href="${href}"`} rel="nofollow ugc noopener">${text}</a></p>\n`;
}
