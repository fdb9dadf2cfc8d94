// The package as npm publishes it.

import assert from 'node:assert/strict';
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { install } from '../../../packages/build.ts';
import { byServer } from '../../../src/audit/doer.ts';
import { createPersonalToken } from '../../../src/oauth/personal-token.ts';
import { openApp } from '../../support/app.ts';
import { person } from '../../support/people.ts';
import { machinesNode } from '../machines-node.ts';

const ROOT = join(import.meta.dirname, '../../..');
const CLIENT = join(ROOT, 'packages/client');
const manifest = JSON.parse(readFileSync(join(CLIENT, 'package.json'), 'utf8'));

test('npm packs the compiled files with their types, the readme and the licence, and nothing else', () => {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json'], { cwd: CLIENT, encoding: 'utf8' });
  const [{ files }] = JSON.parse(output) as [{ files: { path: string }[] }];

  const compiled = globSync('src/*.ts', { cwd: CLIENT }).flatMap((path) =>
    ['.js', '.d.ts'].map((ending) => path.replace('src/', 'dist/').replace('.ts', ending)),
  );
  assert.deepEqual(
    files.map(({ path }) => path).sort(),
    [...compiled, 'LICENSE', 'README.md', 'package.json'].sort(),
  );
});

test('It has the version of Portico, and one dependency in the version that the tests use', () => {
  const root = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

  assert.equal(manifest.version, root.version);
  assert.deepEqual(manifest.dependencies, { oauth4webapi: root.devDependencies.oauth4webapi });
});

test('It runs on the machine’s own Node, which may be older than Portico’s', async () => {
  const app = await openApp();
  const folder = await mkdtemp(join(tmpdir(), 'portico-packed-'));
  try {
    install(folder, 'client');
    const alice = await person(app.portico, 'alice');
    const by = byServer(app.portico.clock);
    const settings = { userId: alice.id, name: 'script', scopes: ['profile:read' as const], days: 90 };
    const token = await createPersonalToken(by, app.portico.oauth, settings);
    assert('text' in token);
    await writeFile(join(folder, 'main.mjs'), PROGRAM);

    const words = [join(folder, 'main.mjs'), app.url, token.text];
    const { stdout } = await promisify(execFile)(await machinesNode(), words);

    assert.equal(stdout, 'alice\n');
  } finally {
    await rm(folder, { recursive: true });
    await app.close();
  }
});

test('The samples of its page in the documentation compile', async () => {
  const page = readFileSync(join(ROOT, 'docs/developers/library.md'), 'utf8');
  const samples = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, sample = '']) => sample);
  const folder = await mkdtemp(join(tmpdir(), 'portico-samples-'));
  try {
    install(folder, 'client', ['@types/node']);
    install(folder, 'kit');
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    for (const [index, sample] of samples.entries()) await writeFile(join(folder, `${index}.ts`), sample);

    assert.ok(samples.length >= 5);
    const options = '--noEmit --strict --skipLibCheck --module nodenext --target esnext --types node'.split(
      ' ',
    );
    const paths = samples.map((_, index) => `${index}.ts`);
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { status, stdout } = spawnSync(process.execPath, [compiler, ...options, ...paths], {
      cwd: folder,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stdout);
  } finally {
    await rm(folder, { recursive: true });
  }
});

const PROGRAM = `
import { apiWithToken } from 'portico-client';
import { fileStore } from 'portico-client/node';
const [, , issuer, token] = process.argv;
await fileStore(import.meta.dirname ?? '.').lock(async () => {});
console.log((await apiWithToken({ issuer }, token).me()).username);
`;
