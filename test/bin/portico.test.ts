// What the launcher runs: what was built, and never anything older than the sources.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';

const BUILT_AT = 1_750_000_000;
let folder: string;

/** Writes a module that prints what it is. */
function put(path: string, secondsAfterBuild: number): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `process.stdout.write('${path}');\n`);
  date(path, secondsAfterBuild);
}

function date(path: string, secondsAfterBuild: number): void {
  utimesSync(join(folder, path), BUILT_AT + secondsAfterBuild, BUILT_AT + secondsAfterBuild);
}

function run(...words: string[]): string {
  return spawnSync(process.execPath, [join(folder, 'bin/portico.js'), ...words], { encoding: 'utf8' }).stdout;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'portico-launcher-'));
  cpSync(join(import.meta.dirname, '../../bin'), join(folder, 'bin'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const path of ['src/main.ts', 'src/cli/main.ts', 'src/lib/clock.ts']) put(path, -1);
  for (const path of ['dist/main.js', 'dist/cli/main.js']) put(path, 0);
  for (const path of ['src', 'src/cli', 'src/lib']) date(path, -1);
});

afterEach(() => rmSync(folder, { recursive: true }));

test('What was built of the sources runs: the service for `serve`, the command line for all other words.', () => {
  assert.equal(run('serve'), 'dist/main.js');
  assert.equal(run('user', 'list'), 'dist/cli/main.js');
  assert.equal(run(), 'dist/cli/main.js');
});

test('The sources run when one of them is newer.', () => {
  put('src/lib/clock.ts', 1);
  assert.equal(run('serve'), 'src/main.ts');
  assert.equal(run('user', 'list'), 'src/cli/main.ts');
});

test('The sources run when one of them is gone.', () => {
  rmSync(join(folder, 'src/lib/clock.ts'));
  assert.equal(run('serve'), 'src/main.ts');
});

test('The sources run when nothing was built.', () => {
  rmSync(join(folder, 'dist'), { recursive: true });
  assert.equal(run('serve'), 'src/main.ts');
});
