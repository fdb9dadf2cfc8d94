// What the client library imports, so that it runs on every platform.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const SRC = join(import.meta.dirname, '../../../packages/client/src');

function filesWith(pattern: RegExp): string[] {
  return globSync('*.ts', { cwd: SRC }).filter((file) =>
    pattern.test(readFileSync(join(SRC, file), 'utf8').replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '')),
  );
}

test('The library imports nothing but its own files and oauth4webapi', () => {
  assert.deepEqual(filesWith(/from '(?!\.\/|oauth4webapi'|node:)/), []);
});

test('Only two files, which nothing imports, use what one platform has', () => {
  assert.deepEqual(filesWith(/from 'node:|\bprocess\./), ['node.ts']);
  assert.deepEqual(filesWith(/navigator\.|\blocation\.|indexedDB/), ['browser.ts']);
  assert.deepEqual(filesWith(/from '\.\/(?:node|browser)\.ts'/), []);
});
