// The kit as npm publishes it.

import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { install } from '../../../packages/build.ts';
import { temporaryFolder } from '../../support/databases.ts';
import { machinesNode } from '../machines-node.ts';

const ROOT = join(import.meta.dirname, '../../..');
const KIT = join(ROOT, 'packages/kit');
const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const manifest = readJson(join(KIT, 'package.json'));
const root = readJson(join(ROOT, 'package.json'));

// Loaded only for PostgreSQL, for Redis, and for pictures that members upload.
const NOT_NEEDED = ['pg', 'ioredis', 'sharp'];

// Imports, and the function that loads a library with its first use. Without the path in the package.
const IMPORT = /(?:\bfrom |import\(|load\()'((?:@[^/']+\/)?[^/']+)/g;

const folder = await temporaryFolder({ after });
install(folder, 'kit');

test('npm packs Portico as JavaScript, with the documentation that it serves, and no TypeScript', () => {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json'], { cwd: KIT, encoding: 'utf8' });
  const [{ files }] = JSON.parse(output) as [{ files: { path: string }[] }];
  const paths = files.map(({ path }) => path);

  assert.deepEqual(
    paths.filter((path) => !path.startsWith('dist/')),
    ['LICENSE', 'README.md', 'package.json'],
  );
  assert.deepEqual(
    paths.filter((path) => /(?<!\.d)\.ts$/.test(path)),
    [],
  );
  for (const path of [
    'src/compose.js',
    'src/http/static/style.css',
    'docs/developers/index.md',
    'package.json',
  ]) {
    assert.ok(paths.includes(`dist/server/${path}`), path);
  }
});

test('It has the version of Portico, and needs what Portico imports, in the same versions', async () => {
  const imported = globSync('node_modules/portico-kit/dist/**/*.js', { cwd: folder }).flatMap((path) =>
    [...readFileSync(join(folder, path), 'utf8').matchAll(IMPORT)].map(([, name = '']) => name),
  );
  const needed = Object.keys(root.dependencies).filter(
    (name) => imported.includes(name) && !NOT_NEEDED.includes(name),
  );

  assert.equal(manifest.version, root.version);
  assert.deepEqual(
    Object.keys(manifest.dependencies).sort(),
    needed.sort(),
    'the dependencies of packages/kit',
  );
  for (const name of needed) assert.equal(manifest.dependencies[name], root.dependencies[name]);
  assert.deepEqual(manifest.optionalDependencies, root.optionalDependencies);
});

test('It runs on the machine’s own Node, and lets a test end that forgets to close it', async () => {
  await writeFile(join(folder, 'main.mjs'), PROGRAM);

  const { stdout } = await promisify(execFile)(await machinesNode(), [join(folder, 'main.mjs')]);

  assert.match(stdout, /^http:\/\/127\.0\.0\.1:4000\/callback\?code=svcc_\w+&state=s&iss=http/);
});

const PROGRAM = `
import { startPortico } from 'portico-kit';
const { issuer, clientId, redirectUri, signIn } = await startPortico();
const application = { client_id: clientId, redirect_uri: redirectUri };
const request = { response_type: 'code', scope: 'profile:read', state: 's', ...application };
console.log(await signIn(issuer + '/oauth/authorize?' + new URLSearchParams(request)));
`;
