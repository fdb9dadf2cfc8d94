// Where two texts differ.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareTexts, mostAlike } from '../../src/lib/text-difference.ts';

/** Both texts, with brackets around what differs. */
function compared(a: string, b: string): string[] {
  return compareTexts(a, b).map((pieces) =>
    pieces.map(({ text, differs }) => (differs ? `[${text}]` : text)).join(''),
  );
}

test('a missing, an added and another character are marked in both texts', () => {
  assert.deepEqual(compared('callbak', 'callback'), ['callba[]k', 'callba[c]k']);
  assert.deepEqual(compared('/cb/', '/cb'), ['/cb[/]', '/cb[]']);
  assert.deepEqual(compared('posts:reed', 'posts:read'), ['posts:re[e]d', 'posts:re[a]d']);
});

test('two differences are marked apart', () => {
  assert.deepEqual(compared('http://a.example/cb?x=1', 'https://a.example/cb'), [
    'http[]://a.example/cb[?x=1]',
    'http[s]://a.example/cb[]',
  ]);
});

test('equal texts have no mark, and characters are never cut in half', () => {
  assert.deepEqual(compared('same', 'same'), ['same', 'same']);
  assert.deepEqual(compared('', 'a'), ['[]', '[a]']);
  assert.deepEqual(compared('𝄞x', '𝄢x'), ['[𝄞]x', '[𝄢]x']);
});

test('very long texts are compared up to a length', () => {
  const [left] = compareTexts('a'.repeat(100_000), 'b'.repeat(100_000));

  assert.equal(left.map(({ text }) => text).join('').length, 300);
});

test('the text that is most like another one is found, and none if none is like it', () => {
  const registered = ['https://other.example/', 'https://notebook.example.com/callback'];

  assert.equal(mostAlike('http://notebook.example.com/callback/', registered), registered[1]);
  assert.equal(mostAlike('com.example.app:/oauth', registered), undefined);
  assert.equal(mostAlike('', registered), undefined);
});
