// Markdown: the HTML that it becomes, and that no text takes long to render.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { firstPicturePath, plainTextOf, renderMarkdown, unformatted } from '../../src/lib/markdown.ts';

const MOST = 100_000;

const DIGEST = '0123456789abcdef'.repeat(2);
const OWN = `/pictures/${DIGEST}-640x480.webp`;
const VERSIONS =
  `srcset="/pictures/${DIGEST}-640x480-320.webp 320w, ${OWN} 640w" ` +
  'sizes="(max-width: 46rem) 100vw, 46rem"';
const picture = (description: string) =>
  `<img src="${OWN}" ${VERSIONS} alt="${description}" width="640" height="480" loading="lazy">`;
const titledLink = (path: string, title: string, text: string) =>
  `<p><a href="${path}" title="${title}" rel="nofollow ugc noopener">${text}</a></p>\n`;

describe('Markdown', () => {
  test('shows a hundred pictures of a text, and those beyond as links', () => {
    const html = renderMarkdown(`![a](${OWN})\n\n`.repeat(102));

    assert.equal(html.split('<img ').length - 1, 100);
    assert.equal(html.split('<a ').length - 1, 2);
  });

  for (const [title, markdown, html] of [
    ['emphasis', '*a* **b** ~~c~~ `d`', '<p><em>a</em> <strong>b</strong> <del>c</del> <code>d</code></p>\n'],
    ['a first-level heading', '# a', '<h2>a</h2>\n'],
    ['a bare address', 'https://a.example/b', link('https://a.example/b', 'https://a.example/b')],
    ['the name of a file', 'notes.md', '<p>notes.md</p>\n'],
    [
      'HTML',
      'a <script>alert(1)</script> <b>b</b>',
      '<p>a &lt;script&gt;alert(1)&lt;/script&gt; &lt;b&gt;b&lt;/b&gt;</p>\n',
    ],
    [
      'a block of HTML',
      '<div>\n\n*a*\n\n</div>',
      '<p>&lt;div&gt;</p>\n<p><em>a</em></p>\n<p>&lt;/div&gt;</p>\n',
    ],
    ['an image', '![a *b*](https://a.example/b.png)', link('https://a.example/b.png', 'a <em>b</em>')],
    [
      'an image without a description',
      '![](https://a.example/b.png)',
      link('https://a.example/b.png', 'https://a.example/b.png'),
    ],
    ['an image in a link', '[![a](/b.png)](/c)', link('/c', 'a')],
    ['an image without a description in a link', '[![](/b.png)](/c)', link('/c', '/c')],
    ['an image without a description beside words in a link', '[![](/b.png)d](/c)', link('/c', 'd')],
    [
      'a reference-style image',
      '![a]\n\n[a]: /b.png "c"',
      '<p><a href="/b.png" title="c" rel="nofollow ugc noopener">a</a></p>\n',
    ],
    [
      'a picture of the site',
      `![a <b> \\] "c"](${OWN})`,
      `<p>${picture('a &lt;b&gt; ] &quot;c&quot;')}</p>\n`,
    ],
    ['a picture of the site without a description', `![](${OWN})`, `<p>${picture('')}</p>\n`],
    ['a picture of the site in a link', `[![a](${OWN})](/c)`, link('/c', picture('a'))],
    ['a picture of the site in code', `\`![a](${OWN})\``, `<p><code>![a](${OWN})</code></p>\n`],
    ['a picture of the site with a title', `![a](${OWN} "b")`, titledLink(OWN, 'b', 'a')],
    ['a picture at another host', `![a](https://b.example${OWN})`, link(`https://b.example${OWN}`, 'a')],
    ['a picture at almost such an address', `![a](${OWN}?b)`, link(`${OWN}?b`, 'a')],
    ['a picture without a size', `![a](/pictures/${DIGEST}.webp)`, link(`/pictures/${DIGEST}.webp`, 'a')],
    [
      'a picture of no width',
      `![a](/pictures/${DIGEST}-0x9.webp)`,
      link(`/pictures/${DIGEST}-0x9.webp`, 'a'),
    ],
    ['image syntax without a target', '![a] !b', '<p>![a] !b</p>\n'],
    ['a link to a script', '[a](javascript:alert(1))', '<p>[a](javascript:alert(1))</p>\n'],
    [
      'a hidden link to a script',
      '[a](java&#10;script&colon;alert(1))',
      '<p>[a](java\nscript:alert(1))</p>\n',
    ],
    ['an image of a script', '![a](JavaScript:alert(1))', '<p>![a](JavaScript:alert(1))</p>\n'],
    ['a link to a data: URL', '[a](data:image/png;base64,AAAA)', '<p>[a](data:image/png;base64,AAAA)</p>\n'],
    ['a link to another scheme', '<steam://run> [a](x-y:z)', '<p>&lt;steam://run&gt; [a](x-y:z)</p>\n'],
    ['a protocol-relative link', '[a](//b.example)', '<p>[a](//b.example)</p>\n'],
    ['a path', '[a](/b?c=d:e#f)', link('/b?c=d:e#f', 'a')],
    ['an email address', '<a@b.example>', link('mailto:a@b.example', 'a@b.example')],
    ['code', '```js" onclick="x\na<b\n```', '<pre tabindex="0"><code>a&lt;b\n</code></pre>\n'],
    ['indented code', '    a', '<pre tabindex="0"><code>a\n</code></pre>\n'],
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
    ['open images', '!['.repeat(MOST / 2)],
    ['nested images', `${'!['.repeat(MOST / 6)}a${'](b)'.repeat(MOST / 6)}`],
    ['pictures of the site', `![a](${OWN})`.repeat(MOST / 60)],
    ['unfinished pictures of the site', `![${'a'.repeat(99)}](${OWN}`.repeat(MOST / 160)],
    ['open elements', '<math><mi>'.repeat(MOST / 10)],
    ['lines of a deep quotation', `${'> '.repeat(90)}${'a\n'.repeat(MOST / 2)}`],
    ['addresses', 'http://a.b'.repeat(MOST / 10)],
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

test('the first picture of the site in a text is found, and nothing that only looks like one', () => {
  const inCode = '`<img src="/pictures/x">` ![a](https://b.example/c.png)';

  assert.equal(
    firstPicturePath(renderMarkdown(`${inCode} ![a](${OWN}) ![b](${OWN.replace('0', '1')})`)),
    OWN,
  );
  assert.equal(firstPicturePath(renderMarkdown(inCode)), undefined);
});

test('plain text has spaces between blocks and lines, and no Markdown', () => {
  const markdown =
    '# a\n\n- *b*\n- c\nd\n\n| e | f |\n|---|---|\n| g | h |\n\n```\ni\n```\n<b> &amp; ![j](/k)';

  assert.equal(plainTextOf(markdown).replaceAll('\n', ' '), 'a b c d e f g h i  <b> & j');
});

test('a text can be shown as it was written', () => {
  assert.equal(unformatted('a <b>\n&amp;'), '<p class="unformatted">a &lt;b&gt;\n&amp;amp;</p>\n');
});

test('a table with more cells than characters is not rendered as a table', () => {
  const head = `|${'a|'.repeat(100)}\n|${'-|'.repeat(100)}\n`;
  const fullTable = `${head}${`|${'b|'.repeat(100)}\n`.repeat(5)}`;

  const html = renderMarkdown(head + '|\n'.repeat(2_000));

  assert.ok(html.length < 10_000, `${html.length} characters`);
  assert.doesNotMatch(html, /<table/);
  assert.match(renderMarkdown(fullTable), /<table tabindex="0">/);
  assert.match(renderMarkdown('> | a | b |\n> |---|---|\n> | 1 | |\n'), /<table tabindex="0">/);
});

function link(href: string, text: string): string {
  return `<p><a href="${href}" rel="nofollow ugc noopener">${text}</a></p>\n`;
}
