// What Markdown has here besides CommonMark: tasks, footnotes, coloured code, and marks for mentions. And that no text
// of them takes long to render.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { colouredCode } from '../../src/lib/code-colours.ts';
import { plainTextOf, renderMarkdown, renderWithMentions } from '../../src/lib/markdown.ts';
import { linkMentions, possibleNames } from '../../src/lib/markdown-mentions.ts';

const MOST = 100_000;

/** Render with the id that the text's footnotes share as "ID". */
function withoutId(markdown: string): string {
  return renderMarkdown(markdown).replaceAll(/(note|ref)-[0-9a-f]{8}-/g, '$1-ID-');
}

describe('A task', () => {
  for (const [title, markdown, html] of [
    [
      'open',
      '- [ ] a *b*',
      '<ul>\n<li class="task"><label><input type="checkbox" disabled> a <em>b</em></label></li>\n</ul>\n',
    ],
    [
      'done',
      '1. [X] a',
      '<ol>\n<li class="task"><label><input type="checkbox" disabled checked> a</label></li>\n</ol>\n',
    ],
    ['without words', '- [ ] ', '<ul>\n<li>[ ]</li>\n</ul>\n'],
    ['without a list', '[ ] a', '<p>[ ] a</p>\n'],
    ['in the middle', '- a [ ] b', '<ul>\n<li>a [ ] b</li>\n</ul>\n'],
    ['with another sign', '- [y] a', '<ul>\n<li>[y] a</li>\n</ul>\n'],
  ] as const) {
    test(`${title} becomes ${JSON.stringify(html)}`, () => {
      assert.equal(renderMarkdown(markdown), html);
    });
  }

  test('has only its words in plain text', () => {
    assert.equal(plainTextOf('- [ ] a\n- [x] b'), 'a b');
  });
});

describe('A footnote', () => {
  test('is listed below the text, with a link to each place that leads to it', () => {
    const html = withoutId('a[^x] b[^x] c[^y]\n\n[^x]: d *e*\n[^y]: f\n[^z]: unused');

    assert.equal(
      html,
      [
        '<p>a<sup><a href="#note-ID-1" id="ref-ID-1" role="doc-noteref">[1]</a></sup>',
        ' b<sup><a href="#note-ID-1" id="ref-ID-1-2" role="doc-noteref">[1]</a></sup>',
        ' c<sup><a href="#note-ID-2" id="ref-ID-2" role="doc-noteref">[2]</a></sup></p>\n',
        '<section class="footnotes" role="doc-endnotes">\n<ol>\n<li id="note-ID-1"><p>d <em>e</em>',
        ' <a href="#ref-ID-1" role="doc-backlink" aria-label="↩ 1">↩\uFE0E</a>',
        ' <a href="#ref-ID-1-2" role="doc-backlink" aria-label="↩ 1-2">↩\uFE0E</a></p>\n</li>\n',
        '<li id="note-ID-2"><p>f <a href="#ref-ID-2" role="doc-backlink" aria-label="↩ 2">↩\uFE0E</a></p>\n',
        '</li>\n</ol>\n</section>\n',
      ].join(''),
    );
  });

  test('has other ids in another text, since a post and its comments are on one page', () => {
    const [id, other] = ['a', 'b'].map(
      (word) => /id="(note-[^"]+)"/.exec(renderMarkdown(`${word}[^1]\n\n[^1]: c`))?.[1],
    );

    assert.match(id ?? '', /^note-[0-9a-f]{8}-1$/);
    assert.notEqual(id, other);
  });

  test('in a quotation or a list stays text, so that every element ends where it began', () => {
    for (const markdown of [
      'a[^1]\n\n> [^1]: b\n> c',
      'a[^1]\n\n- [^1]: b\n\n  c\n- d',
      'a[^1] b[^2]\n\n[^1]: > c\n    [^2]: d\n\n    e',
      'a[^1] b[^2]\n\n[^1]: - [^2]: c\n\n      d',
    ]) {
      assertBalanced(renderMarkdown(markdown));
    }
    assert.doesNotMatch(renderMarkdown('a[^1]\n\n> [^1]: b c'), /<section/);
  });

  for (const [title, markdown] of [
    ['without its text', 'a[^1]'],
    ['without a place', '[^1]: a b\n\nc'],
    ['written in brackets', 'a^[b]'],
  ] as const) {
    test(`${title} is not listed`, () => {
      assert.doesNotMatch(renderMarkdown(markdown), /<section|<sup/);
    });
  }
});

describe('Code', () => {
  test('in a language that is named has colours, and says which language it is', () => {
    assert.equal(
      renderMarkdown('```js\nconst a = "b"; // <c>\n```'),
      '<pre tabindex="0" data-language="JavaScript"><code><span class="k">const</span> a = ' +
        '<span class="s">&quot;b&quot;</span>; <span class="c">// &lt;c&gt;</span>\n</code></pre>\n',
    );
  });

  for (const language of ['', 'nonsense', '__proto__', 'constructor', '"><script>']) {
    test(`in the language ${JSON.stringify(language)} has none`, () => {
      assert.equal(
        renderMarkdown(`\`\`\`${language}\nconst a\n\`\`\``),
        '<pre tabindex="0"><code>const a\n</code></pre>\n',
      );
    });
  }

  test('inside code has the colours of its language, whatever was coloured before', () => {
    assert.match(renderMarkdown('```html\n<script>let a</script>\n```'), /<span class="k">let<\/span>/);
  });

  test('stays as it is if a line or the block is long, or its HTML would be', () => {
    const language = { name: 'javascript', title: '' };

    assert.equal(colouredCode('a'.repeat(301), language), undefined);
    assert.equal(colouredCode('let a;\n'.repeat(1000), language), undefined);
    assert.equal(colouredCode('1 '.repeat(140).concat('\n').repeat(10), language), undefined);
    assert.ok(colouredCode('let a;\n'.repeat(100), language));
  });

  test('beyond the first 24,000 characters of a text stays as it is', () => {
    const block = `\`\`\`js\n${'let a;\n'.repeat(800)}\`\`\`\n\n`;

    const html = renderMarkdown(block.repeat(6));

    assert.equal(html.match(/<pre/g)?.length, 6);
    assert.equal(html.match(/<code><span/g)?.length, 4);
  });
});

describe('A mention', () => {
  const linked = (markdown: string, ...names: string[]) => {
    const { html } = renderWithMentions(markdown);
    return linkMentions(html, new Map(names.map((name, index) => [name, index + 1])));
  };

  for (const [markdown, mentions] of [
    ['@alice, @bob. (@carol) *@dora* “@erin”', ['alice', 'bob', 'carol', 'dora', 'erin']],
    ['@alice_b- @alice.', ['alice_b', 'alice']],
    ['a@alice.example /@alice https://a.example/@bob x.@carol', []],
    ['@al @-alice \\@alice', []],
    [`@${'a'.repeat(30)} @${'a'.repeat(31)}`, ['a'.repeat(30)]],
    ['`@alice` [@bob](/b) <https://a.example/@carol>', []],
    ['@alice @alice', ['alice']],
  ] as const) {
    test(`in ${markdown} may mean ${mentions.join(', ') || 'no one'}`, () => {
      assert.deepEqual(renderWithMentions(markdown).mentions, mentions);
    });
  }

  test('is a link if it is a member’s name, and text otherwise', () => {
    assert.equal(
      linked('@alice @bob', 'alice'),
      '<p><a class="mention" href="/members/1">@alice</a> @bob</p>\n',
    );
  });

  test('ends at the longest name, where Chinese goes on without a space', () => {
    assert.deepEqual(possibleNames('陈木川你好'), ['陈木川你好', '陈木川你', '陈木川']);
    assert.deepEqual(possibleNames('alice你'), ['alice你', 'alice']);
    assert.deepEqual(possibleNames('alice.bob'), ['alice.bob']);
    assert.match(linked('@陈木川你好', '陈木川'), /">@陈木川<\/a>你好/);
    assert.match(linked('@陈木川你好', '陈木川', '陈木川你'), /">@陈木川你<\/a>好/);
  });

  test('beyond twenty names stays text, and outside of members’ texts all do', () => {
    const text = Array.from({ length: 25 }, (_, index) => `@name${index}`).join(' ');

    assert.equal(renderWithMentions(text).mentions.length, 20);
    assert.equal(renderMarkdown('@alice'), '<p>@alice</p>\n');
  });

  test('is in plain text as it was written', () => {
    assert.equal(plainTextOf('Thanks, @alice'), 'Thanks, @alice');
  });
});

describe('No text takes long:', () => {
  const numbered = (text: (index: number) => string, length: number) =>
    Array.from({ length }, (_, index) => text(index)).join('');

  for (const [title, markdown] of [
    ['tasks', '- [ ] a\n'.repeat(MOST / 8)],
    ['nested tasks', '- [ ] '.repeat(MOST / 6)],
    [
      'footnotes',
      numbered((index) => `[^${index}] `, 7_000) + numbered((index) => `\n[^${index}]: a`, 5_000),
    ],
    ['places of one footnote', `[^1]: a\n\n${'[^1]'.repeat(MOST / 4)}`],
    ['unfinished footnotes', `[^1]: a\n\n${'[^'.repeat(MOST / 2)}`],
    ['nested footnotes', '[^1]: '.repeat(MOST / 6)],
    ['footnotes in brackets', '^['.repeat(MOST / 2)],
    ['mentions', '@abc '.repeat(MOST / 5)],
    ['different mentions', numbered((index) => `@name${index} `, 9_000)],
    ['signs of mentions', '@'.repeat(MOST)],
    ['a mention without an end', `@${'a'.repeat(MOST)}`],
    ['Chinese mentions', `@${'陈'.repeat(40)}`.repeat(MOST / 41)],
    ['blocks of code', '```js\n1\n```\n'.repeat(MOST / 12)],
    ...['java', 'ini', 'csharp', 'typescript'].flatMap((language) =>
      ['a', 'a\n', '$', 'a '].map((part) => {
        const line = part.repeat(300).slice(0, 300);
        const block = `\`\`\`${language}\n${`${line}\n`.repeat(20).slice(0, 5_990)}\n\`\`\`\n`;
        return [`${JSON.stringify(part)} in ${language}`, block.repeat(16)] as const;
      }),
    ),
  ] as const) {
    test(title, () => {
      const start = process.cpuUsage();

      const { html } = renderWithMentions(markdown);
      plainTextOf(markdown);

      // Processor time, because other tests run at the same time.
      assert.ok(process.cpuUsage(start).user < 2_000_000, `${process.cpuUsage(start).user} µs`);
      assert.ok(html.length < 20 * MOST);
    });
  }
});

// Every end tag ends the element that began last.
function assertBalanced(html: string): void {
  const open: string[] = [];
  for (const [, end, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g)) {
    if (['input', 'br', 'hr', 'img'].includes(name)) continue;
    if (end === '') open.push(name);
    else assert.equal(open.pop(), name, html);
  }
  assert.deepEqual(open, [], html);
}
