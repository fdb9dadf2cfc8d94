// What all sample applications have in common.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { EXAMPLES } from './sample.ts';

const read = (path: string): string => readFileSync(path, 'utf8');
const programs = globSync('*/*.{js,mjs,html,py,go}', { cwd: EXAMPLES });

test('Each sample has fewer than 120 lines, and is in the list', () => {
  const list = read(join(EXAMPLES, 'README.md'));

  assert.equal(programs.length, 7);
  for (const path of programs) {
    assert.ok(read(join(EXAMPLES, path)).trimEnd().split('\n').length < 120, path);
    assert.ok(list.includes(`(${path})`), path);
  }
});

test('The samples name the versions of the libraries that they are tested with', () => {
  const root = JSON.parse(read(join(EXAMPLES, '../package.json')));
  const client = JSON.parse(read(join(EXAMPLES, '../packages/client/package.json')));
  const tested = { ...root.dependencies, 'portico-client': client.version };
  for (const path of globSync('*/package.json', { cwd: EXAMPLES })) {
    for (const [name, range] of Object.entries(JSON.parse(read(join(EXAMPLES, path))).dependencies)) {
      assert.equal(range, `^${tested[name]}`, `${path}: ${name}`);
    }
  }
});
