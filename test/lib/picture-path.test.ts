// The paths of pictures and of their smaller versions.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  pictureIn,
  picturePath,
  smallPicturePath,
  versionAttributes,
  versionIn,
} from '../../src/lib/picture-path.ts';

const DIGEST = '0123456789abcdef'.repeat(2);
const STEM = `/pictures/${DIGEST}`;
const LARGE = { digest: DIGEST, width: 1600, height: 900 };

test('a path has the digest and the size, and the width of a smaller version', () => {
  assert.equal(picturePath(LARGE), `${STEM}-1600x900.webp`);
  assert.deepEqual(pictureIn(`${STEM}-1600x900.webp`), LARGE);
  assert.deepEqual(versionIn(`${STEM}-1600x900.webp`), { ...LARGE, smaller: undefined });
  assert.deepEqual(versionIn(`${STEM}-1600x900-640.webp`), { ...LARGE, smaller: 640 });
});

for (const path of [
  `${STEM}-1600x900-640.webp`,
  `${STEM}-0x9.webp`,
  `${STEM}-16000x9.webp`,
  `${STEM}.webp`,
  `${STEM}-9x9.svg`,
  `${STEM}-9x9.webp?a`,
  `${STEM.toUpperCase()}-9x9.webp`,
  `/pictures/../${DIGEST}-9x9.webp`,
]) {
  test(`${path} is no picture of a text`, () => {
    assert.equal(pictureIn(path), undefined);
  });
}

test('a browser chooses among the versions that are narrower, and the picture itself', () => {
  const { srcset } = versionAttributes({ ...LARGE, width: 1120 });
  assert.equal(
    srcset,
    `${STEM}-1120x900-320.webp 320w, ${STEM}-1120x900-640.webp 640w, ${STEM}-1120x900.webp 1120w`,
  );
  assert.deepEqual(versionAttributes({ ...LARGE, width: 320 }), {});
});

test('a list shows the narrowest version that is wide enough', () => {
  assert.equal(smallPicturePath(LARGE, 300), `${STEM}-1600x900-320.webp`);
  assert.equal(smallPicturePath(LARGE, 321), `${STEM}-1600x900-640.webp`);
  assert.equal(smallPicturePath(LARGE, 1200), `${STEM}-1600x900.webp`);
  assert.equal(smallPicturePath({ ...LARGE, width: 300 }, 100), `${STEM}-300x900.webp`);
});
