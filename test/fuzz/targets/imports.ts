// The readers of imports: files of three formats, and the texts in them.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { byCommandLine } from '../../../src/audit/doer.ts';
import { problemWithBio } from '../../../src/identity/bio.ts';
import { fittingBio, namesFor } from '../../../src/identity/imported-member.ts';
import { problemWithUsername } from '../../../src/identity/username.ts';
import { commentsOf, fittingTitle } from '../../../src/import/checked-records.ts';
import { dryRunOf } from '../../../src/import/dry-run.ts';
import { markdownFromDiscourse } from '../../../src/import/formats/discourse-text.ts';
import { type Format, openImportFile } from '../../../src/import/formats/import-file.ts';
import { markdownFromWordPress, plainTitle } from '../../../src/import/formats/wordpress-text.ts';
import { importAll } from '../../../src/import/import-all.ts';
import { DamagedFile } from '../../../src/import/record.ts';
import { openReport } from '../../../src/import/report.ts';
import { hasHiddenCharacters } from '../../../src/lib/one-line.ts';
import { SCRATCH } from '../scratch.ts';
import { stage } from '../stage.ts';
import { assertWellFormed, HIDDEN, refusableAsync, type Target } from '../target.ts';

/** Imports a file without writing anything. Each record is added, known, changed, skipped or refused. */
async function importFrom(input: string, format: Format): Promise<void> {
  mkdirSync(SCRATCH, { recursive: true });
  const path = join(SCRATCH, `fuzz.${format}`);
  writeFileSync(path, Buffer.from(input, 'latin1'));
  const { portico } = await stage();
  const report = openReport(undefined);
  const file = await openImportFile(path, format);
  const options = {
    by: byCommandLine(portico.clock),
    source: 'fuzz',
    format,
    existingMembers: new Map(),
    report,
  };
  await refusableAsync(() => importAll(dryRunOf(portico.imports), file, options, () => {}), DamagedFile);
  const { firstRefusals, firstChanges } = report;
  for (const { id = '', reason } of [...firstRefusals, ...firstChanges]) {
    assert.ok(!hasHiddenCharacters(`a${id}${reason}`), 'a hidden character in the report');
  }
  assert.ok(!hasHiddenCharacters(file.source), 'a hidden character in the source');
  const progress = file.progress();
  assert.ok(progress >= 0 && progress <= 1, `progress of ${progress}`);
}

const LINES = [
  '{"type":"member","username":"alice","email":"a@b.example","bio":"x","createdAt":"2026-01-31T09:30:00+08:00"}',
  '{"type":"category","name":"Craft"}',
  '{"type":"post","id":1,"author":"nina","title":"T","body":"Some *text*","category":"Craft","views":3}',
  '{"type":"comment","id":7,"post":1,"author":"lee","body":"Thanks","createdAt":"2026-02-01T00:00:00Z"}',
  '{"type":"like","post":1,"by":"lee"}',
].join('\n');

const DISCOURSE = JSON.stringify({
  categories: [{ id: 5, name: 'Baking' }],
  users: [
    { id: 1, username: 'ann.', email: 'a@b.example', created_at: '2021-03-02T08:00:00.000Z', bio_raw: 'x' },
  ],
  topics: [
    {
      id: 9,
      title: 'Dough',
      created_at: '2021-03-02T08:00:00Z',
      views: 2,
      category_id: 5,
      archetype: 'regular',
      posts: [
        {
          id: 1,
          user_id: 1,
          post_number: 1,
          raw: 'Hi [quote="bob"]\nx\n[/quote]',
          created_at: '2021-03-02T08:00:00Z',
        },
        {
          id: 2,
          user_id: 1,
          post_number: 2,
          raw: 'Re',
          created_at: '2021-03-02T08:00:00Z',
          reply_to_post_number: 1,
        },
      ],
    },
  ],
});

const WXR = [
  '<?xml version="1.0"?><rss version="2.0"><channel><wp:base_blog_url>https://b.example</wp:base_blog_url>',
  '<wp:author><wp:author_id>1</wp:author_id><wp:author_login>carol</wp:author_login></wp:author>',
  '<wp:category><wp:term_id>3</wp:term_id><wp:cat_name><![CDATA[Tools &amp; grease]]></wp:cat_name></wp:category>',
  '<item><title>A wheel &#8211; x</title><dc:creator>carol</dc:creator><wp:post_id>11</wp:post_id>',
  '<content:encoded><![CDATA[<!-- wp:p --><p>Turn <b>it</b>.</p><pre>x</pre>]]></content:encoded>',
  '<wp:post_date_gmt>2023-02-03 18:30:00</wp:post_date_gmt><wp:status>publish</wp:status>',
  '<wp:post_type>post</wp:post_type><category domain="category"><![CDATA[Tools]]></category>',
  '<wp:comment><wp:comment_id>4</wp:comment_id><wp:comment_content>Hm</wp:comment_content>',
  '<wp:comment_approved>1</wp:comment_approved><wp:comment_user_id>1</wp:comment_user_id></wp:comment>',
  '</item></channel></rss>',
].join('\n');

const JSON_PIECES = [...'{}[]":,\\-\n', '\\u0000', '\\ud800', 'null', '1e999', '//', '{"a":'];
// As bytes: ESC [31m, and U+009B and U+202E in UTF-8. JSON has them as escapes, too.
const TERMINAL_PIECES = [
  '\x1B[31m',
  '\x1B]0;x\x07',
  '\xC2\x9B2J',
  '\xE2\x80\xAE',
  '\\u001b[31m',
  '\\u009b2J',
];
const HTML_PIECES = [
  '<p>',
  '</p>',
  '<pre>',
  '</pre>',
  '<pre><code>',
  '\n\n',
  '\n',
  '<br>',
  '<!-- wp:',
  '<!--',
  '[caption ',
  '[/caption]',
  '[gallery',
  '<table><tr><td>',
  '<a href="',
  '<img src=x alt="]">',
  '&nbsp;',
  '&#',
  '*',
  '_',
  '`',
  '<svg>',
  '<math><mi>',
  '<select><option>',
  '<template>',
  '<li>',
  '<font>',
  '<a>',
  '<td>',
];
const HTML_PAIRS = [
  ['<div>', '</div>'],
  ['<b>', '</b>'],
  ['<p>', '</p>'],
  ['<li>', '</li>'],
  ['<ul><li>', '</li></ul>'],
  ['<a href=x>', '</a>'],
  ['<td>', '</td>'],
  ['<table><tr><td>', '</td></tr></table>'],
  ['<pre>', '</pre>'],
  ['<svg>', '</svg>'],
  ['<em><b>', '</b></em>'],
  ['<b><p>', '</b>'],
] as const;

export const IMPORT_TARGETS: readonly Target[] = [
  {
    name: 'json-lines',
    share: 2,
    seeds: [LINES, '{"type":"like","post":"x","by":"nina"}\r\n\r\n'],
    pieces: [
      ...JSON_PIECES,
      '"__proto__":1,',
      '\xFF',
      '\xEF\xBB\xBF',
      '"id":',
      '"password":1',
      ...TERMINAL_PIECES,
    ],
    pairs: [
      ['[', ']'],
      ['{"a":', '}'],
    ],
    maxLength: 200_000,
    isBytes: true,
    msPerThousand: 5,
    check: (input) => importFrom(input, 'jsonl'),
  },
  {
    name: 'discourse',
    share: 2,
    seeds: [DISCOURSE, '{"topics":[],"users":[]}'],
    pieces: [...JSON_PIECES, '"posts":[', '"topics":[', '[quote]', '[quote=', '[/quote]', ...TERMINAL_PIECES],
    pairs: [
      ['[', ']'],
      ['{"a":', '}'],
      ['{"topics":[', ']}'],
    ],
    maxLength: 200_000,
    isBytes: true,
    msPerThousand: 5,
    check: (input) => importFrom(input, 'discourse'),
  },
  {
    name: 'wxr',
    share: 2,
    seeds: [WXR],
    pieces: [
      '<',
      '>',
      '</',
      '/>',
      '<![CDATA[',
      ']]>',
      ']]',
      '&',
      '&amp;',
      '&#x0;',
      '&#1114112;',
      '&bogus;',
      '<!DOCTYPE a [<!ENTITY b "c">]>',
      '<?x ?>',
      '<!--',
      '--',
      '<item>',
      '</item>',
      '<wp:comment>',
      'a="b" ',
      '\xFF',
      '\x0B',
      ...TERMINAL_PIECES,
    ],
    pairs: [
      ['<a>', '</a>'],
      ['<item>', '</item>'],
      ['<wp:comment>', '</wp:comment>'],
      ['<![CDATA[', ']]>'],
    ],
    maxLength: 200_000,
    isBytes: true,
    msPerThousand: 5,
    check: (input) => importFrom(input, 'wxr'),
  },
  {
    name: 'wordpress-text',
    share: 5,
    seeds: [
      'One\nline\n\n<b>Two</b> [caption id="x"]<img src="a">words[/caption]\n\n[gallery ids="1"]',
      '<!-- wp:list --><ul><li>a</li></ul><!-- /wp:list --><pre class="x"><code>y</code></pre>',
      '<table><tr><th>A</th></tr><tr><td>1</td></tr></table><h2>On</h2><del>no</del><script>x</script>',
    ],
    pieces: HTML_PIECES,
    pairs: HTML_PAIRS,
    maxLength: 100_000,
    msPerThousand: 100,
    check(input) {
      assert.match(typeof markdownFromWordPress(input), /^(?:string|undefined)$/);
      assert.ok(!/[\n\r]/.test(plainTitle(input)));
    },
  },
  {
    name: 'discourse-text',
    share: 4,
    seeds: ['[quote="bob, post:2, topic:5"]\n[quote]\nOne\n[/quote]\nTwo\n[/quote]\nThree', 'plain\r\ntext'],
    pieces: [
      '[quote',
      '[quote]',
      '[/quote]',
      '[quote="',
      '"]',
      ']',
      '\n',
      '[quote=a]',
      '[quote=',
      '[',
      '[/quote',
    ],
    pairs: [
      ['[quote]', '[/quote]'],
      ['[quote="a"]\n', '\n[/quote]\n'],
    ],
    maxLength: 100_000,
    longPerThousand: 15,
    msPerThousand: 3,
    check(input) {
      assertWellFormed(markdownFromDiscourse(input), input);
    },
  },
  {
    name: 'fitting',
    share: 4,
    seeds: ['A title', '# A body\n\nwith *words*\n\nand more', 'x_y.', 'Жанна', 'a b c d '],
    pieces: ['\n\n', '\n', ' ', '#', '*', '_', '.', '-', 'é', '😀'],
    maxLength: 60_000,
    longPerThousand: 15,
    msPerThousand: 5,
    check(input) {
      const title = fittingTitle(input, input);
      assert.ok(!HIDDEN.test(title) && [...title].length <= 120);
      assert.equal(problemWithBio(fittingBio(input, 160)), undefined);
      for (const name of namesFor(input, input)) assert.equal(problemWithUsername(name), undefined);
      const parts = commentsOf(input);
      for (const part of parts) assert.ok([...part].length <= 5000);
      assert.equal(parts.join('').replaceAll(/\s/g, ''), input.replaceAll(/\s/g, ''));
    },
  },
];
