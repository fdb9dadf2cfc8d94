// The readers of the import: documents that arrive in pieces, texts of other programs, and counting with little memory.

import assert from 'node:assert/strict';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { commentsOf, fittingTitle } from '../../src/import/checked-records.ts';
import { DigestTable } from '../../src/import/digest-table.ts';
import { markdownFromDiscourse } from '../../src/import/formats/discourse-text.ts';
import { JsonElementReader } from '../../src/import/formats/json-elements.ts';
import { readJsonLines } from '../../src/import/formats/json-lines.ts';
import { markdownFromWordPress, plainTitle } from '../../src/import/formats/wordpress-text.ts';
import { DamagedFile } from '../../src/import/record.ts';
import { temporaryFolder } from '../support/databases.ts';

test('The elements of a document are the same, wherever it is cut into pieces.', () => {
  const document = fc.record({
    users: fc.array(fc.jsonValue()),
    note: fc.string(),
    topics: fc.array(fc.record({ id: fc.nat(), posts: fc.array(fc.jsonValue()), raw: fc.string() })),
  });
  fc.assert(
    fc.property(document, fc.nat(), fc.integer({ min: 1, max: 40 }), (value, indent, size) => {
      const text = JSON.stringify(value, null, indent % 3);
      const reader = new JsonElementReader(['topics']);
      const elements: unknown[] = [];
      for (let from = 0; from < text.length; from += size) {
        for (const element of reader.read(text.slice(from, from + size))) {
          assert.equal(element.section, 'topics');
          elements.push(element.value);
        }
      }
      assert.deepEqual(elements, JSON.parse(JSON.stringify(value.topics)));
      reader.end();
    }),
  );
});

test('A document that ends too early is incomplete.', () => {
  for (const text of ['', '{"topics":[', '{"topics":[{"a":1}]', '{"topics":["]}']) {
    const reader = new JsonElementReader(['topics']);
    assert.throws(() => {
      [...reader.read(text)];
      reader.end();
    }, DamagedFile);
  }
});

test('Damage is reported with its place, after the elements before it.', () => {
  const reader = new JsonElementReader(['topics']);
  const elements: unknown[] = [];
  const sound = JSON.stringify(Array.from({ length: 3000 }, (_, id) => ({ id }))).slice(0, -1);

  assert.throws(
    () => {
      for (const { value } of reader.read(`{"topics":${sound},{"id":]}`)) elements.push(value);
    },
    (error) => error instanceof DamagedFile && /near character 3\d{4}: unexpected token/.test(error.message),
  );
  assert.deepEqual(elements.slice(0, 2000), JSON.parse(`${sound}]`).slice(0, 2000));
});

test('An element that is too long is skipped, and the next one is read.', () => {
  const reader = new JsonElementReader(['topics']);
  const text = JSON.stringify('x'.repeat(1_000_000));

  const elements = [...reader.read('{"topics":[{"posts":[')];
  for (let count = 0; count < 70; count += 1) elements.push(...reader.read(`${text},`));
  elements.push(...reader.read(`${text}]},{"id":2}]}`));

  assert.deepEqual(
    elements.map(({ isTooLong, value }) => [isTooLong, value]),
    [
      [true, undefined],
      [false, { id: 2 }],
    ],
  );
});

test('A text that never ends is reported as damage, before memory is full.', () => {
  const reader = new JsonElementReader(['topics']);
  const endless = 'x'.repeat(1_000_000);

  assert.throws(() => {
    [...reader.read('{"topics":[{"raw":"')];
    for (let count = 0; count < 70; count += 1) [...reader.read(endless)];
  }, DamagedFile);
});

test('Texts are counted, even very many of them.', () => {
  const table = new DigestTable();

  for (let index = 0; index < 20_000; index += 1) assert.equal(table.add(`text ${index}`), 1);

  assert.equal(table.add('text 7'), 2);
  assert.equal(table.get('text 7'), 2);
  assert.equal(table.get('text 19999'), 1);
  assert.equal(table.get('another'), 0);
});

test('A Discourse quotation becomes a Markdown quotation, also inside another quotation.', () => {
  assert.equal(
    markdownFromDiscourse('[quote="bob, post:2, topic:5"]\n[quote]\nOne\n[/quote]\nTwo\n[/quote]\nThree'),
    '> **bob:**\n>\n> > One\n>\n> Two\n\nThree',
  );
  assert.equal(markdownFromDiscourse('[quote] that never ends'), '[quote] that never ends');
});

describe('HTML of Discourse', () => {
  for (const [raw, markdown] of [
    ['<b>a</b> <i>b</i> <s>c</s> <kbd>d</kbd>', '**a** *b* ~~c~~ `d`'],
    ['a<br>b<br/>c', 'a  \nb  \nc'],
    ['<a href="https://a.example/(b c)" class="d">e</a>', '[e](https://a.example/%28b%20c%29)'],
    ['<a name="b">e</a>', 'e'],
    ['<img width="1" src="/b.png" alt="c [d]">', '![c  d ](/b.png)'],
    ['<details><summary>a</summary>b</details>', 'a\n\nb'],
    ['<ul><li>a</li><li>b</li></ul>', '- a\n- b'],
    ['a <!-- hidden --> b', 'a  b'],
    ['`<b>` and\n```\n<b>x</b>\n```\n<u>y</u>', '`<b>` and\n```\n<b>x</b>\n```\ny'],
    ['a < b, Map<string> and <constructor>', 'a < b, Map<string> and <constructor>'],
    ['![shot|690x400](upload://abc.png) [notes.pdf|attachment](upload://d.pdf)', 'shot notes.pdf'],
  ] as const) {
    test(JSON.stringify(raw), () => assert.equal(markdownFromDiscourse(raw), markdown));
  }

  test('a picture refers to the forum if its address is known', () => {
    const raw =
      '![shot|690x400](upload://aB3.png) [notes.pdf|attachment](upload://d.pdf) ![drawing](upload://../x)';

    const markdown = markdownFromDiscourse(raw, 'https://forum.example/talk');

    assert.equal(markdown, '![shot](https://forum.example/talk/uploads/short-url/aB3.png) notes.pdf drawing');
  });

  for (const part of [
    '<',
    '<a ',
    '<!--',
    '<a href="',
    '<b>',
    '~~~\n',
    '![a|',
    '[quote]',
    '[quote=',
    '`',
    '![a](upload://',
  ]) {
    test(`a million characters of ${JSON.stringify(part)} are converted quickly`, () => {
      const began = process.cpuUsage();

      markdownFromDiscourse(part.repeat(1_000_000 / part.length));

      assert.ok(process.cpuUsage(began).user < 10_000_000);
    });
  }
});

describe('HTML of WordPress', () => {
  for (const [html, markdown] of [
    ['One\nline\n\nTwo', 'One  \nline\n\nTwo'],
    ['<h2>On</h2>\n\ntext', '## On\n\ntext'],
    ['<del>no</del> <s>nor</s>', '~~no~~ ~~nor~~'],
    ['<pre>a\n\nb</pre>', '```\na\n\nb\n```'],
    ['<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>', 'A | B\n\n1 | 2'],
    ['<p onclick="x()">Hi</p><script>x()</script><iframe src="https://x.example"></iframe>', 'Hi'],
    ['[gallery ids="1,2"]After', 'After'],
    ['', ''],
  ] as const) {
    test(JSON.stringify(html), () => assert.equal(markdownFromWordPress(html), markdown));
  }

  test('that is too long, or nested too deeply, is refused', () => {
    assert.equal(markdownFromWordPress('x'.repeat(600_000)), undefined);
    const deep = markdownFromWordPress('<div>'.repeat(50_000));
    assert.ok(deep === undefined || deep === '');
  });

  test('in a title is reduced to its text', () => {
    assert.equal(plainTitle('Fish &amp; <em>chips</em> &#8211; &lt;b&gt;'), 'Fish & chips – <b>');
    assert.equal(plainTitle('1. *a* &amp;amp; <script>b</script>c'), '1. *a* &amp; c');
    assert.equal(plainTitle(`${'<b>'.repeat(3_000)}a`), 'a');
  });
});

test('A comment that is too long is split between paragraphs, and nothing is lost.', () => {
  const paragraph = 'The dough wants time. '.repeat(40).trim();
  const parts = commentsOf(Array(20).fill(paragraph).join('\n\n'));

  assert.ok(parts.length > 1);
  for (const part of parts) assert.ok([...part].length <= 5000 && part.endsWith('.'));
  assert.equal(parts.join('\n\n'), Array(20).fill(paragraph).join('\n\n'));
  assert.equal(commentsOf('👻'.repeat(7000)).join(''), '👻'.repeat(7000));
});

test('A title is cut to fit, loses hidden characters, and comes from the text if it is missing.', () => {
  assert.equal(fittingTitle(' On\twalking ', ''), 'On walking');
  assert.equal([...fittingTitle('x'.repeat(300), '')].length, 120);
  assert.equal(fittingTitle('', '## Slowly\n\nand *far*'), 'Slowly and far');
});

test('A text of two million characters is split into comments in a fraction of a second', () => {
  const start = process.threadCpuUsage();

  const parts = commentsOf('word '.repeat(400_000));

  const { user } = process.threadCpuUsage(start);
  assert.equal(parts.length, 400);
  assert.ok(user < 500_000, `${user} µs`);
});

test('Half of an emoji, which another program cut, is replaced in every text', async (t) => {
  const file = join(await temporaryFolder(t), 'community.jsonl');
  const lines = [
    '{"type":"category","name":"Cut \\ud83d"}',
    '{"type":"category","name":"Whole \\ud83d\\udc7b"}',
  ];
  await writeFile(file, lines.join('\n'));
  const { size } = await stat(file);

  const names: unknown[] = [];
  for await (const entry of readJsonLines(file, size).entries) names.push('name' in entry && entry.name);

  assert.deepEqual(names, ['Cut \ufffd', 'Whole 👻']);
});
