// `npm run release`: tags the last commit, and makes the files of the release from it in the folder `release`. Publishes
// nothing. `--offline` skips the checks that need the registry; `--dry-run` makes neither tag nor files.

import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

// Of the packages for developers of applications.
const MANIFESTS = 'packages/*/package.json';

/** A reason not to release. */
class NotReleasable extends Error {}

try {
  const isDryRun = process.argv.includes('--dry-run');
  release(isDryRun || process.argv.includes('--offline'), isDryRun);
} catch (error) {
  if (!(error instanceof NotReleasable)) throw error;
  process.stderr.write(`release: ${error.message}\n`);
  process.exitCode = 1;
}

function release(isOffline: boolean, isDryRun: boolean): void {
  const changes = isDryRun ? '' : output('git', 'status', '--porcelain');
  if (changes !== '') throw new NotReleasable(`commit these changes first, or remove them:\n${changes}`);
  if (!isOffline) {
    checkVulnerabilities();
    checkSignatures();
  }
  const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
  checkVersion(version);
  const folder = isDryRun ? mkdtempSync(join(tmpdir(), 'portico-release-')) : 'release';
  try {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    makeFiles(folder, name, version);
  } finally {
    if (isDryRun) rmSync(folder, { recursive: true });
  }
  if (isDryRun) {
    say(`dry run: ${version} can be released`);
    return;
  }
  if (tagged(version) === '')
    output('git', 'tag', '--annotate', `--message=Portico ${version}`, `v${version}`);
  say(`tagged v${version}; publish it with git push origin v${version}`);
}

/** The version is new, dated in the changelog, and the same in the lock file. */
function checkVersion(version: string): void {
  const locked = JSON.parse(readFileSync('package-lock.json', 'utf8')).version;
  if (locked !== version)
    throw new NotReleasable(`package-lock.json has the version ${locked}, not ${version}`);
  for (const manifest of globSync(MANIFESTS)) {
    const own = JSON.parse(readFileSync(manifest, 'utf8')).version;
    if (own !== version) throw new NotReleasable(`${manifest} has the version ${own}, not ${version}`);
  }
  const [, heading = ''] = readFileSync('CHANGELOG.md', 'utf8').match(/^## (.*)$/m) ?? [];
  const [, dated] = heading.match(/^(\S+) \(\d{4}-\d\d-\d\d\)$/) ?? [];
  if (dated !== version) {
    throw new NotReleasable(`the newest heading of CHANGELOG.md must be "## ${version} (year-month-day)"`);
  }
  const commit = tagged(version);
  if (commit !== '' && commit !== output('git', 'rev-parse', 'HEAD')) {
    throw new NotReleasable(`v${version} is the tag of another commit; raise the version in package.json`);
  }
}

/** The commit with the version's tag. Empty if there is none. */
function tagged(version: string): string {
  return run('git', ['rev-list', '-n', '1', `refs/tags/v${version}`]).stdout.trim();
}

function makeFiles(folder: string, name: string, version: string): void {
  const prefix = `${name}-${version}`;
  const archive = `${prefix}.tar.gz`;
  // Unlike `npm pack`, it includes the lock file, and the same commit gives the same bytes.
  output(
    'git',
    'archive',
    '--format=tar.gz',
    `--prefix=${prefix}/`,
    `--output=${join(folder, archive)}`,
    'HEAD',
  );
  const bom = `${prefix}.cdx.json`;
  writeFileSync(join(folder, bom), billOfMaterials(name));
  const files = [
    archive,
    bom,
    ...globSync(MANIFESTS)
      .sort()
      .map((manifest) => pack(dirname(manifest), folder)),
  ];
  const sums = files.map((file) => `${sha256(join(folder, file))}  ${file}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
  say(`made ${files.join(', ')} and SHA256SUMS in ${folder}/`);
}

/** Build a package for developers of applications, and return the name of its archive for npm. */
function pack(source: string, folder: string): string {
  const packed = output('npm', 'pack', `./${source}`, '--json', `--pack-destination=${folder}`);
  // What its build prints comes first.
  const [made] = JSON.parse(packed.slice(packed.search(/^\[/m)));
  return made.filename;
}

/** List the packages that the program runs on, with their versions and hashes, as CycloneDX. */
function billOfMaterials(name: string): string {
  const flags = ['--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
  const bom = JSON.parse(output('npm', 'sbom', ...flags));
  // npm names it after the folder.
  bom.metadata.component.name = name;
  // npm's own --omit=dev also omits packages that both the program and a tool need.
  const needed = neededPackages();
  bom.components = bom.components.filter((one: { name: string; version: string }) =>
    needed.has(`${one.name}@${one.version}`),
  );
  const refs = new Set(bom.components.map((one: { 'bom-ref': string }) => one['bom-ref']));
  refs.add(bom.metadata.component['bom-ref']);
  bom.dependencies = bom.dependencies
    .filter(({ ref }: { ref: string }) => refs.has(ref))
    .map(({ ref, dependsOn }: { ref: string; dependsOn: string[] }) => ({
      ref,
      dependsOn: dependsOn.filter((one) => refs.has(one)),
    }));
  return `${JSON.stringify(bom, null, 2)}\n`;
}

/** The packages that aren't only for development, as `name@version`. */
function neededPackages(): Set<string> {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  return new Set(
    Object.entries<{ dev?: boolean; version: string }>(packages)
      .filter(([, { dev }]) => !dev)
      .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`),
  );
}

function checkVulnerabilities(): void {
  const total = answerOf('audit', '--omit=dev').metadata?.vulnerabilities?.total;
  if (total === undefined) say('not checked: the registry does not report known vulnerabilities');
  else if (total > 0) throw new NotReleasable(`${total} known vulnerabilities; see npm audit`);
  else say('no known vulnerabilities');
}

function checkSignatures(): void {
  const { invalid, missing } = answerOf('audit', 'signatures');
  if (invalid === undefined) say('not checked: the registry does not provide signatures');
  else if (invalid.length > 0) throw new NotReleasable('wrong signatures; see npm audit signatures');
  else say(`signatures are right; ${missing?.length ?? 0} packages have none`);
}

/** The parts of npm's answers that are read. They are missing if the registry can't be asked. */
interface Audit {
  metadata?: { vulnerabilities?: { total: number } };
  invalid?: unknown[];
  missing?: unknown[];
}

function answerOf(...args: string[]): Audit {
  try {
    return JSON.parse(run('npm', [...args, '--json']).stdout);
  } catch {
    return {};
  }
}

function output(command: string, ...args: string[]): string {
  const { status, stdout, stderr } = run(command, args);
  if (status !== 0) throw new NotReleasable(`${command} ${args[0]} failed:\n${stderr}`);
  return stdout.trim();
}

function run(command: string, args: string[]): SpawnSyncReturns<string> {
  return spawnSync(command, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}

function sha256(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

function say(line: string): void {
  process.stdout.write(`release: ${line}\n`);
}
