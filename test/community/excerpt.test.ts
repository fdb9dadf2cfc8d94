// The excerpt of a post (spec §2.3, contract §7).

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { excerptOf } from '../../src/community/excerpt.ts';

const FAMILY = '👩‍👩‍👧‍👦';
const WORD_OF_TEN = 'abcdefghi ';

const cases: [title: string, markdown: string, excerpt: string][] = [
  ['of nothing', '', ''],
  ['of white space', ' \n\n\t ', ''],
  ['of plain words', 'An arch never sleeps.', 'An arch never sleeps.'],
  ['of emphasis', 'An *arch* **never** ~~sleeps~~.', 'An arch never sleeps.'],
  ['of a heading and a paragraph', '# Arches\n\nNever sleep.', 'Never sleep.'],
  ['of a list', '- one\n- two\n\n1. three', 'one · two · three'],
  ['of a quotation', '> one\n>\n> two', 'one · two'],
  ['of a link', 'See [the docs](https://docs.example/?a=1&b=2).', 'See the docs.'],
  ['of code', 'Call `a < b && c` first.', 'Call a < b && c first.'],
  ['of a code block', '```js\nif (a < b) "x";\n```', 'if (a < b) "x";'],
  ['of a table', '| a | b |\n|---|---|\n| c | d |', 'a · b · c · d'],
  ['of lines and spaces', 'one\n  two.  \n\n\n three', 'one two. three'],
  ['of HTML, which is text', 'one <b>two</b>\n<!-- three -->', 'one <b>two</b> <!-- three -->'],
  ['of an image', 'one ![two](/three.png)', 'one two'],
  ['of characters that HTML escapes', 'a < b & c > d "e" \'f\'', 'a < b & c > d "e" \'f\''],
  ['of an entity', 'AT&amp;T &lt;b&gt; &copy; &#128512;', 'AT&T <b> © 😀'],
  ['of an escaped entity', '`&lt;`', '&lt;'],
  ['of an escaped star', '\\*not emphasis\\*', '*not emphasis*'],
  ['of exactly 200 characters', 'x'.repeat(200), 'x'.repeat(200)],
  ['of 201 characters', 'x'.repeat(201), `${'x'.repeat(199)}…`],
  ['of 200 Chinese characters', '書'.repeat(200), '書'.repeat(200)],
  ['of 201 Chinese characters', '書'.repeat(201), `${'書'.repeat(199)}…`],
  ['that would end in a space', WORD_OF_TEN.repeat(30), `${WORD_OF_TEN.repeat(19)}abcdefghi…`],
  // Two UTF-16 units each. The limit of 200 counts these units, so it holds however a client counts.
  ['of 100 smileys', '🙂'.repeat(100), '🙂'.repeat(100)],
  ['of 101 smileys', '🙂'.repeat(101), `${'🙂'.repeat(99)}…`],
  ['of families of 11 UTF-16 units', FAMILY.repeat(30), `${FAMILY.repeat(18)}…`],
  ['of letters with combining marks', 'e\u0301'.repeat(150), `${'e\u0301'.repeat(99)}…`],
  ['of flags', '🇪🇺'.repeat(80), `${'🇪🇺'.repeat(49)}…`],
];

const OWN_PICTURE = '/pictures/0123456789abcdef0123456789abcdef-40x30.webp';

// What readers see in lists.
const readable: typeof cases = [
  [
    'has no heading, code, table or picture between its sentences',
    `# Rye\n\nTwo days.\n\n\`\`\`\nbake(230)\n\`\`\`\n\n| h |\n|---|\n| 1 |\n\n![Crust](${OWN_PICTURE})\n\nWorth it.`,
    'Two days. Worth it.',
  ],
  ['of nothing but a picture is its description', `![Crust](${OWN_PICTURE})`, 'Crust'],
  ['of headings alone has them all', '# Rye\n\n## Wheat', 'Rye · Wheat'],
  [
    'keeps the items of a list apart',
    'You need:\n\n- flour\n- water\n\nThen bake.',
    'You need: flour · water · Then bake.',
  ],
  ['has no boxes of tasks', '- [x] knead\n- [ ] bake', 'knead · bake'],
  [
    'has no spaces between Chinese sentences',
    '面团要醒。\n今天 烤。 很香\n\n- 面粉\n- 水',
    '面团要醒。今天 烤。很香；面粉；水',
  ],
  ['has spaces between Thai sentences', 'แป้งขนมปัง\n\nอบช้าๆ', 'แป้งขนมปัง อบช้าๆ'],
  ['ends at a word', 'Flour and water. '.repeat(30), `${'Flour and water. '.repeat(11)}Flour and…`],
  [
    'ends without the mark of a sentence',
    `${'a'.repeat(150)} ${'b'.repeat(46)}. ${'c'.repeat(9)}`,
    `${'a'.repeat(150)} ${'b'.repeat(46)}…`,
  ],
  ['of Thai ends at a word', 'อากาศดี'.repeat(40), `${'อากาศดี'.repeat(28)}…`],
];

describe('the excerpt', () => {
  for (const [title, markdown, excerpt] of readable) {
    test(title, () => {
      assert.equal(excerptOf(markdown), excerpt);
    });
  }

  for (const [title, markdown, excerpt] of cases) {
    test(title, () => {
      assert.equal(excerptOf(markdown), excerpt);
    });
  }

  test('of a very long text takes little time', () => {
    const start = performance.now();

    const excerpt = excerptOf('word '.repeat(20_000));

    assert.equal(excerpt.length, 200);
    assert.ok(performance.now() - start < 2_000);
  });
});
