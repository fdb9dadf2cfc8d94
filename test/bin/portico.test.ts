// The launcher: it runs the sources, and caches the code that Node compiles where it can.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';

let folder: string;

/** Write a module that prints which one it is. */
function writeModule(path: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `process.stdout.write('${path}' as string);\n`);
}

function run(words: string[], environment: Record<string, string> = {}) {
  const { stdout, stderr } = spawnSync(process.execPath, [join(folder, 'bin/portico.js'), ...words], {
    encoding: 'utf8',
    cwd: folder,
    env: environment,
  });
  return { stdout, stderr };
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'portico-launcher-'));
  cpSync(join(import.meta.dirname, '../../bin'), join(folder, 'bin'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const path of ['src/main.ts', 'src/cli/main.ts']) writeModule(path);
});

afterEach(() => rmSync(folder, { recursive: true }));

test('The sources run: the server for `serve` alone, the command line for all other arguments.', () => {
  assert.deepEqual(run(['serve']), { stdout: 'src/main.ts', stderr: '' });
  assert.deepEqual(run(['serve', '--help']), { stdout: 'src/cli/main.ts', stderr: '' });
  assert.deepEqual(run(['user', 'list']), { stdout: 'src/cli/main.ts', stderr: '' });
  assert.deepEqual(run([]), { stdout: 'src/cli/main.ts', stderr: '' });
});

test('A source that has changed runs in its new form.', () => {
  run(['serve']);
  writeFileSync(join(folder, 'src/main.ts'), "process.stdout.write('changed' as string);\n");

  assert.equal(run(['serve']).stdout, 'changed');
});

test('The settings of a file .env in the current folder hold, unless the environment has them.', () => {
  writeFileSync(join(folder, '.env'), 'SITE_NAME=Orchard\nBRAND=orchard\n');
  writeFileSync(
    join(folder, 'src/main.ts'),
    "process.stdout.write(process.env.SITE_NAME + ' ' + process.env.BRAND);\n",
  );

  assert.deepEqual(run(['serve'], { BRAND: 'quince' }), { stdout: 'Orchard quince', stderr: '' });
});

const isRoot = process.getuid?.() === 0;

test('A file .env of another user is not read.', { skip: !isRoot && 'needs root to change an owner' }, () => {
  writeFileSync(join(folder, '.env'), 'SITE_NAME=Orchard\n');
  writeFileSync(join(folder, 'src/main.ts'), 'process.stdout.write(String(process.env.SITE_NAME));\n');
  chownSync(join(folder, '.env'), 12_345, 12_345);

  assert.deepEqual(run(['serve']), {
    stdout: 'undefined',
    stderr: 'portico: the file .env is not read, because it belongs to another user.\n',
  });
});

test('Compiled code is cached in node_modules, or in the folder NODE_COMPILE_CACHE.', () => {
  run(['serve'], { NODE_COMPILE_CACHE: join(folder, 'elsewhere') });

  assert.ok(existsSync(join(folder, 'elsewhere')));
  assert.ok(!existsSync(join(folder, 'node_modules')));

  run(['serve']);

  assert.ok(existsSync(join(folder, 'node_modules/.cache/compiled')));
});

test('The program runs where compiled code can’t be cached.', () => {
  // A file in place of the folder: not even root can write into it.
  writeFileSync(join(folder, 'node_modules'), '');

  assert.deepEqual(run(['serve']), { stdout: 'src/main.ts', stderr: '' });
});

test('An old Node says what is wrong, and how to get the right one.', () => {
  const old =
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.1.0" } })';
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${old}`, join(folder, 'bin/portico.js'), 'serve'],
    { encoding: 'utf8', env: {} },
  );

  assert.equal(status, 1);
  assert.equal(stdout, '');
  assert.match(stderr, /^portico: this is Node 20\.1\.0, and Portico needs Node 26\..*`npm ci`.*\n$/);
});
