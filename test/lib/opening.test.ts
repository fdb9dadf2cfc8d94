// Blocks of text in one line, and how long that takes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOfHtml } from '../../src/lib/html-text.ts';
import { inOneText } from '../../src/lib/opening.ts';
import { millisecondsOf } from '../support/processor-time.ts';

test('line breaks between wide signs are left out, with the white space around them, and others become spaces', () => {
  assert.equal(inOneText(['面\u3000 \n\n\u3000包\n𠀀\r\n面']), '面包𠀀面');
  assert.equal(inOneText([' a \n\t b\n面 \n a。 \n b']), 'a b 面 a。b');
  assert.equal(inOneText(['𠀀', '面', 'a', '']), '𠀀；面 · a');
});

test('long runs of two kinds of signs beside each other take no longer than other texts', () => {
  const signs = [' ', '\n', '\u3000', '\t', '\r\n', '\u2028', '。', '中', '<', '>', '&', 'a', '\u0301'];
  for (const first of signs) {
    for (const second of signs) {
      const runs = `a${first.repeat(1000)}${second.repeat(1000)}b`;
      const html = `<pre tabindex="0"><code>${runs}\n</code></pre>`;

      const took = millisecondsOf(() => textOfHtml(html));

      assert.ok(took < 300, `${JSON.stringify([first, second])}: ${took} ms`);
    }
  }
});
