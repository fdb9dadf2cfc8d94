// The release script, in a small repository of the test's own.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, test } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const ARCHIVE = `portico-${version}.tar.gz`;
const BOM = `portico-${version}.cdx.json`;

const PACKED = `portico-example-${version}.tgz`;

let folder: string;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'portico-release-'));
  for (const file of ['package.json', 'package-lock.json', '.npmrc', 'bin', '.gitignore', 'CHANGELOG.md']) {
    cpSync(join(ROOT, file), join(folder, file), { recursive: true });
  }
  addPackage();
  git('init', '--quiet');
  git('add', '--all');
  git('config', 'user.name', 'Test');
  git('config', 'user.email', 'test@localhost');
  git('commit', '--quiet', '--message=first');
});
after(() => rmSync(folder, { recursive: true }));

// As the packages for developers of applications are: it is built when it is packed.
function addPackage(): void {
  const build = `fs.mkdirSync('dist', { recursive: true }); fs.writeFileSync('dist/built.js', ''); console.log('built')`;
  const manifest = { name: 'portico-example', version, files: ['dist'] };
  const scripts = { prepack: `node -e "${build}"` };
  mkdirSync(join(folder, 'packages/example'), { recursive: true });
  writeFileSync(join(folder, 'packages/example/package.json'), JSON.stringify({ ...manifest, scripts }));
}

function git(...words: string[]): string {
  return execFileSync('git', words, { cwd: folder, encoding: 'utf8' });
}

function release(flag = '--offline') {
  return spawnSync(process.execPath, ['bin/release.ts', flag], { cwd: folder, encoding: 'utf8' });
}

/** What it says with a registry that answers like this. */
function releaseWith(vulnerabilities: string, signatures: string): string {
  const tools = mkdtempSync(join(tmpdir(), 'portico-npm-'));
  const script = `case "$2" in signatures) echo '${signatures}';; *) echo '${vulnerabilities}';; esac`;
  writeFileSync(join(tools, 'npm'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const env = { PATH: `${tools}${delimiter}${process.env.PATH}` };
  const { stdout, stderr } = spawnSync(process.execPath, ['bin/release.ts'], {
    cwd: folder,
    encoding: 'utf8',
    env,
  });
  rmSync(tools, { recursive: true });
  return `${stdout}${stderr}`;
}

function made(file: string): Buffer {
  return readFileSync(join(folder, 'release', file));
}

test('The version can be released: a dry run makes neither tag nor files.', () => {
  const { status, stdout, stderr } = release('--dry-run');

  assert.deepEqual([status, stderr], [0, '']);
  assert.ok(stdout.endsWith(`release: dry run: ${version} can be released\n`), stdout);
  assert.equal(git('tag'), '');
  assert.ok(!readdirSync(folder).includes('release'));
});

test('A release is a tag, the sources, a list of the packages in them, the packages for developers, and their sums.', () => {
  const { status, stderr } = release();
  const listed = execFileSync('tar', ['-tzf', join(folder, 'release', ARCHIVE)], { encoding: 'utf8' });

  assert.equal(stderr, '');
  assert.equal(status, 0);
  assert.deepEqual(readdirSync(join(folder, 'release')).sort(), ['SHA256SUMS', BOM, ARCHIVE, PACKED].sort());
  assert.equal(git('describe', '--exact-match').trim(), `v${version}`);
  const packed = execFileSync('tar', ['-tzf', join(folder, 'release', PACKED)], { encoding: 'utf8' });
  assert.deepEqual(packed.trim().split('\n').sort(), ['package/dist/built.js', 'package/package.json']);
  assert.match(listed, new RegExp(`^portico-${version}/package-lock\\.json$`, 'm'));
  assert.equal(
    made('SHA256SUMS').toString(),
    [ARCHIVE, BOM, PACKED]
      .map((file) => `${createHash('sha256').update(made(file)).digest('hex')}  ${file}\n`)
      .join(''),
  );
});

test('The list of packages has each one that the program runs on, with its version and hash.', () => {
  const { bomFormat, metadata, components } = JSON.parse(made(BOM).toString());
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const expected = Object.entries<{ dev?: boolean; version: string }>(packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path, { version: locked }]) => `${path.replace(/^.*node_modules\//, '')} ${locked}`);
  const names = (components as { name: string; version: string; hashes?: object[] }[]).map(
    ({ name, version: listed, hashes }) =>
      `${name} ${listed}${hashes?.length === 1 ? '' : ' without a hash'}`,
  );

  assert.equal(bomFormat, 'CycloneDX');
  assert.equal(metadata.component.name, 'portico');
  assert.deepEqual([...new Set(names)].sort(), [...new Set(expected)].sort());
});

test('The same commit gives the same archive.', () => {
  const before = made(ARCHIVE);
  release();

  assert.ok(made(ARCHIVE).equals(before));
});

test('A known vulnerability or a wrong signature stops the release; an unreachable registry does not.', () => {
  const audit = (total: number) => JSON.stringify({ metadata: { vulnerabilities: { total } } });
  const signed = JSON.stringify({ invalid: [], missing: [{}] });
  const forged = JSON.stringify({ invalid: [{}], missing: [] });
  const silent = JSON.stringify({ error: { code: 'ENOTFOUND' } });

  assert.match(releaseWith(audit(2), signed), /^release: 2 known vulnerabilities; see npm audit\n$/);
  assert.match(releaseWith(audit(0), forged), /no known vulnerabilities\nrelease: wrong signatures;/);
  assert.match(
    releaseWith(audit(0), signed),
    /vulnerabilities\nrelease: signatures are right; 1 packages have none\n/,
  );
  assert.match(releaseWith(silent, silent), /^(?:release: not checked: .*\n){2}/);
});

test('A change that is not committed stops the release.', () => {
  writeFileSync(join(folder, 'extra.txt'), 'x');
  const { status, stderr } = release();

  assert.equal(status, 1);
  assert.match(stderr, /^release: commit these changes first, or remove them:\n\?\? extra\.txt\n$/);
});

test('A version without its date in the changelog, or whose tag is another commit, is not released.', () => {
  rmSync(join(folder, 'extra.txt'));
  git('commit', '--quiet', '--allow-empty', '--message=second');
  const tagged = release('--dry-run').stderr;
  const changelog = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8');
  writeFileSync(join(folder, 'CHANGELOG.md'), changelog.replace(/^## .*$/m, '## Unreleased'));
  const undated = release('--dry-run').stderr;

  assert.equal(
    tagged,
    `release: v${version} is the tag of another commit; raise the version in package.json\n`,
  );
  assert.match(
    undated,
    /^release: the newest heading of CHANGELOG\.md must be "## .+ \(year-month-day\)"\n$/,
  );
});
