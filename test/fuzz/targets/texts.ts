// The texts that members write: Markdown, search, names.

import assert from 'node:assert/strict';
import { excerptOf, MOST_EXCERPT_CHARACTERS } from '../../../src/community/excerpt.ts';
import { prepareText, problemsWith } from '../../../src/community/post-text.ts';
import { hyphenated, slugOfTitle } from '../../../src/community/slug.ts';
import { problemWithBio } from '../../../src/identity/bio.ts';
import { emailKeyOf, looksLikeEmail } from '../../../src/identity/email-address.ts';
import { normalizeUsername, problemWithUsername, usernameKey } from '../../../src/identity/username.ts';
import { plainTextOf, renderWithMentions } from '../../../src/lib/markdown.ts';
import { linkMentions, possibleNames } from '../../../src/lib/markdown-mentions.ts';
import { cutOff, escapeHidden, hasHiddenCharacters, oneLine } from '../../../src/lib/one-line.ts';
import { assertHarmless } from '../html-rules.ts';
import { assertWellFormed, HIDDEN, type Target } from '../target.ts';

const MARKDOWN_SEEDS = [
  'Plain words, *em*, **strong**, ~~gone~~, `code` and a [link](https://example.org "title").',
  '# One\n\n## Two\n\nText\n===\n\n> quoted\n> > deeper\n\n- a\n  - b\n    1. c\n\n***\n',
  '| a | b |\n|---|:-:|\n| 1 | 2 |\n| 3 |\n\n```js\nlet x = "<b>";\n```\n\n    indented\n',
  '![picture](https://example.org/a.png) <https://example.org> me@example.org https://example.org/?a=1&b=2',
  '[a][b] and [c]\n\n[b]: https://example.org/b\n[c]: <javascript:alert(1)> "t"\n',
  '<p onclick="x()">raw <b>bold</b> <a href="javascript:alert(1)">x</a> <script>x</script></p>\n<!-- c -->',
  '<svg><style><img src=x onerror=alert(1)></style></svg><math><mi><mglyph></math><template><td>x',
  '<a href="&#106;avascript:alert(1)" style=x title=\'"\'>y</a> &lt;script&gt; &amp;lt; &#0; &bogus; &copy',
  '中文的一段，**粗体**，见 https://example.org/路径。\n\n1. 一\n2. 二\n',
  '- [ ] open\n- [x] done\n  1. [X] *inner*\n\nA note[^1], again[^1].\n\n[^1]: The text.\n    More.\n[^b]: > x\n',
  '```html\n<a href="b">&amp;<script>let c = `d`</script></a>\n```\n~~~py\ndef f(a="b"): pass # c\n~~~\n',
  'Thanks @alice, @陈木川你好 and (@bob_b)! <mention>@alice</mention>',
  'line  \nbreak\\\nhere \\* \\< \\[ "quotes" -- ... (c)',
];
const MARKDOWN_PIECES = [
  '*',
  '**',
  '_',
  '***a',
  '**a ',
  '~~',
  '`',
  '``` ',
  '![',
  '[',
  '](',
  '[a](',
  '[](<',
  '![](b',
  '[a]: b\n',
  '[a]:',
  ']',
  '![[]()',
  '[^',
  '[^1]',
  '\n[^1]: ',
  '- [ ] ',
  '[x] ',
  '@alice',
  '@',
  '\n```js\n',
  '>',
  '> ',
  '- ',
  '* ',
  '1. ',
  '1) ',
  '#',
  '# ',
  '|',
  '|a\n|-\n',
  '|-',
  '\n\n',
  '\n',
  '    ',
  '\t',
  '<',
  '</',
  '<!--',
  '<?',
  '<![CDATA[',
  '<!a',
  '<a href=',
  '<script>',
  '</style>',
  '<textarea>',
  '<plaintext>',
  '<noscript>',
  '<svg>',
  '<math>',
  '<select>',
  '<table>',
  '<iframe srcdoc="',
  '&',
  '&#x3c;',
  '&amp;',
  '&lt;',
  'javascript:',
  'data:text/html,',
  'vbscript:',
  '//evil.example',
  'https://',
  'http://a.b/(',
  'mailto:',
  'a@b.c ',
  'www.',
  '"',
  "'",
  '=\n',
  '-\n',
  '\\',
  '<x:',
  'a**b',
  ' "',
];
const MARKDOWN_PAIRS = [
  ['> ', ''],
  ['- ', ''],
  ['1. ', ''],
  ['[', ']'],
  ['[', '](x)'],
  ['![', '](x)'],
  ['*', '*'],
  ['**', '**'],
  ['*a _b ', '_*'],
  ['~~', '~~'],
  ['(', ')'],
  ['<b>', '</b>'],
  ['<div>', '</div>'],
  ['<math><mi>', '</mi></math>'],
  ['<ul><li>', '</li></ul>'],
  ['<a href=x>', '</a>'],
  ['<!--', '-->'],
  ['`', '`'],
  ['<', '>'],
  ['```\n', '\n```'],
] as const;

const markdown = {
  seeds: MARKDOWN_SEEDS,
  pieces: MARKDOWN_PIECES,
  pairs: MARKDOWN_PAIRS,
  maxLength: 100_000,
  msPerThousand: 15,
};

export const LINE_SEEDS = [
  'Nina',
  'lee_k',
  'Ольга',
  '李小龙',
  'A title: of some words',
  'josé@example.org',
  "Bob's post",
];
export const LINE_PIECES = [
  '.',
  '-',
  '_',
  ' ',
  '@',
  'a',
  'é',
  '中',
  '\u200B',
  '\u0301',
  '\u3164',
  '\u2800',
  '\uFE0F',
  '\uFFF9',
  '🏴',
  '\u{E0067}',
  "'",
  '’',
  '..',
  '-a',
  'a@',
  '.b',
];
const CATEGORIES = [{ id: 1, slug: 'general', name: 'General', description: '' }];

export const TEXT_TARGETS: readonly Target[] = [
  {
    name: 'markdown',
    share: 12,
    ...markdown,
    check(input) {
      const rendered = renderWithMentions(input);
      const names = rendered.mentions.flatMap(possibleNames);
      const html = linkMentions(rendered.html, new Map(names.map((name, index) => [name, index])));
      // Long HTML is not checked: assertHarmless parses it with another library, whose time is not bounded.
      if (html.length <= 20_000) assertHarmless(html);
    },
  },
  {
    name: 'plain-text',
    share: 5,
    ...markdown,
    check(input) {
      assert.equal(typeof plainTextOf(input), 'string');
    },
  },
  {
    name: 'excerpt',
    share: 5,
    ...markdown,
    maxLength: 1_000_000,
    msPerThousand: 0.5,
    check(input) {
      const excerpt = excerptOf(input);
      assert.ok(excerpt.length <= MOST_EXCERPT_CHARACTERS, `an excerpt of ${excerpt.length}`);
      assertWellFormed(excerpt, input.slice(0, 5000));
    },
  },
  {
    name: 'post-text',
    share: 4,
    ...markdown,
    maxLength: 110_000,
    msPerThousand: 10,
    check(input) {
      const [title = '', ...rest] = input.split('\n');
      const text = { title, body: rest.join('\n'), categoryId: 1 };
      if (problemsWith(text, 'published', CATEGORIES) !== undefined) return;
      const post = prepareText(text);
      assert.ok(post.title.length > 0 && [...post.title].length <= 120 && !HIDDEN.test(post.title));
    },
  },
  {
    name: 'one-line',
    share: 6,
    seeds: LINE_SEEDS,
    pieces: LINE_PIECES,
    maxLength: 100_000,
    longPerThousand: 15,
    msPerThousand: 2,
    check(input) {
      const line = cutOff(oneLine(input), 60);
      assert.ok(!HIDDEN.test(line) && [...line].length <= 60);
      assert.ok(!hasHiddenCharacters(line) && !HIDDEN.test(escapeHidden(input)));
      assertWellFormed(line, input);
      problemWithBio(input);
      const slug = slugOfTitle(input);
      assert.ok([...slug].length <= 60, 'a slug that is too long');
      assert.match(slug, /^(?:[\p{L}\p{M}\p{N}]+(?:-[\p{L}\p{M}\p{N}]+)*)?$/u);
      assert.match(hyphenated(input), /^(?:[\p{L}\p{M}\p{N}]+(?:-[\p{L}\p{M}\p{N}]+)*)?$/u);
    },
  },
  {
    name: 'username',
    share: 6,
    seeds: LINE_SEEDS,
    pieces: LINE_PIECES,
    maxLength: 100_000,
    longPerThousand: 15,
    msPerThousand: 1,
    check(input) {
      const username = normalizeUsername(input);
      if (problemWithUsername(username) !== undefined) return;
      assert.ok(
        !HIDDEN.test(username) && !/[\s/?#%&=<>"'\\@]/u.test(username),
        'a character that is unsafe in a path or a page',
      );
      assert.doesNotMatch(username, /\p{Default_Ignorable_Code_Point}/u);
      assert.equal(normalizeUsername(username), username);
      assert.equal(usernameKey(usernameKey(username)), usernameKey(username));
      assert.equal(decodeURIComponent(encodeURIComponent(username)), username);
    },
  },
  {
    name: 'email-address',
    share: 6,
    seeds: ['nina@example.org', 'a.b+c@mail.example.co.uk', '用户@例子.中国', ...LINE_SEEDS],
    pieces: [...LINE_PIECES, '\r\nBcc: x@y.z', '<', '>', ',', ';', '"', '.example'],
    maxLength: 100_000,
    longPerThousand: 15,
    msPerThousand: 1,
    check(input) {
      if (!looksLikeEmail(input)) return;
      assert.ok(
        !/[\s,;<>"]/u.test(input) && !HIDDEN.test(input),
        'a character that is unsafe in a mail header',
      );
      assert.equal(input.split('@').length, 2);
      assert.ok(!HIDDEN.test(emailKeyOf(input)));
    },
  },
];
