// The pictures that a text names, as the queue of waiting texts shows them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markdownOf, picturePath, shownPicturesIn } from '../../src/community/picture.ts';

const [red, blue] = ['a', 'b'].map((digit) => ({ digest: digit.repeat(32), width: 900, height: 600 }));

test('each picture of a text is listed once, with its description, however the text refers to it', () => {
  assert.ok(red && blue);
  const path = picturePath(red);

  const described = shownPicturesIn(
    `![](${path}) ${markdownOf(red, 'A [red] *barn*')} ${markdownOf(red, 'Again')}`,
  );
  const others = shownPicturesIn(
    `[here](${path})\n\n![x][1]\n\n[1]: ${picturePath(blue).replace('.webp', '-320.webp')}`,
  );

  assert.deepEqual(described, [{ picture: red, description: 'A [red] *barn*' }]);
  assert.deepEqual(others, [
    { picture: red, description: '' },
    { picture: blue, description: '' },
  ]);
  assert.deepEqual(shownPicturesIn('![x](https://example.com/pictures/a.webp) /pictures/1.webp'), []);
});

test('a picture is listed in each size that a text names, so a wrong one hides no other', () => {
  assert.ok(red);
  const wrong = { ...red, width: 1, height: 1 };

  const shown = shownPicturesIn(`${markdownOf(wrong, 'A cat')} ${markdownOf(red, 'B')}`);

  assert.deepEqual(shown, [
    { picture: wrong, description: 'A cat' },
    { picture: red, description: 'B' },
  ]);
});

test('no text takes long', () => {
  for (const piece of ['![', '![a', '![\\', '![a](', '/pictures/', `![${'a'.repeat(601)}](`]) {
    const text = piece.repeat(100_000 / piece.length);
    const begin = performance.now();
    assert.deepEqual(shownPicturesIn(text), []);
    assert.ok(performance.now() - begin < 500, piece.slice(0, 20));
  }
});
