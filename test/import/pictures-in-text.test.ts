// Which pictures of a text are downloaded, and how the text shows them.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { picturesIn, withPicture } from '../../src/import/pictures-in-text.ts';
import { renderMarkdown } from '../../src/lib/markdown.ts';

const A = 'https://a.example/1.png';
const PATH = `/pictures/${'0a'.repeat(16)}-90x60.webp`;

describe('the pictures of a text', () => {
  for (const [markdown, addresses] of [
    [`![x](${A})`, [A]],
    [`![x]( <${A}> "Title")`, [A]],
    [`![a \\] b](${A} 'Title')`, [A]],
    [`[![](${A})](https://a.example/large.png)`, [A]],
    ['![x](http://a.example/(1).png?b=1&amp;c=2\\_3)', ['http://a.example/(1).png?b=1&c=2_3']],
    [`![x](${A}) ![y](${A}) ![z](https://a.example/2.png)`, [A, 'https://a.example/2.png']],
    [`\`![x](${A})\``, []],
    [`~~~\n![x](${A})\n~~~`, []],
    [`[x](${A})`, []],
    ['![x](/1.png) ![y](data:image/png;base64,AAAA) ![z](ftp://a.example/1.png)', []],
    [`![x](${PATH})`, []],
  ] as const) {
    test(`in ${JSON.stringify(markdown)} are ${JSON.stringify(addresses)}`, () =>
      assert.deepEqual(picturesIn(markdown), addresses));
  }

  test('without a host are those of the old site, if it is known', () => {
    const text = `![](/up/a.png) ![](//cdn.example/b.png) ![](c.png) ![](${PATH}) ![](${A})`;

    const addresses = picturesIn(text, 'https://old.example/forum');

    assert.deepEqual(addresses, ['https://old.example/up/a.png', 'https://cdn.example/b.png', A]);
    assert.match(
      withPicture(text, 'https://old.example/up/a.png', PATH, 'https://old.example'),
      /^!\[\]\(\/pict/,
    );
  });

  test('are at most 50', () => {
    const many = Array.from({ length: 60 }, (_, index) => `![](https://a.example/${index}.png)`);

    assert.equal(picturesIn(many.join(' ')).length, 50);
  });

  for (const [title, text] of [
    ['open images', '!['.repeat(50_000)],
    ['open addresses', '![](('.repeat(20_000)],
    ['unfinished addresses', `![](${'a'.repeat(90)}`.repeat(1000)],
    ['addresses with brackets', `![](${'(a)'.repeat(30)}`.repeat(1000)],
    ['unfinished titles', `![](a "${'b'.repeat(90)}`.repeat(1000)],
  ] as const) {
    test(`are found quickly among ${title}`, () => {
      const start = process.cpuUsage();

      assert.deepEqual(picturesIn(text), []);

      assert.ok(process.cpuUsage(start).user < 2_000_000);
    });
  }
});

describe('a text with a picture of the community', () => {
  test('shows it wherever the old one was, and keeps code and other pictures', () => {
    const text = `![x](${A} "T")\n[![](<${A}>)](/b) \`![x](${A})\` ![y](${A}2)`;

    const changed = withPicture(text, A, PATH);

    assert.equal(changed, `![x](${PATH})\n[![](${PATH})](/b) \`![x](${A})\` ![y](${A}2)`);
    assert.equal(renderMarkdown(changed).match(/<img /g)?.length, 2);
  });

  test('keeps the description, also with signs that Markdown knows', () => {
    const changed = withPicture(`![a \\[b\\] "c" $1](${A})`, A, PATH);

    assert.match(renderMarkdown(changed), /alt="a \[b\] &quot;c&quot; \$1"/);
  });

  test('has no size of Discourse in the description', () =>
    assert.equal(withPicture(`![Crust|690x388, 50%](${A})`, A, PATH), `![Crust](${PATH})`));
});
