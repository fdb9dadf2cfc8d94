// `npm run release`: makes the files of a release from the last commit, in the folder `release`. Publishes nothing.
// `--offline` skips the checks that need the registry.

import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'release';

/** A reason not to release. */
class NotReleasable extends Error {}

try {
  release(process.argv.includes('--offline'));
} catch (error) {
  if (!(error instanceof NotReleasable)) throw error;
  process.stderr.write(`release: ${error.message}\n`);
  process.exitCode = 1;
}

function release(isOffline: boolean): void {
  const changes = output('git', 'status', '--porcelain');
  if (changes !== '') throw new NotReleasable(`commit these changes first, or remove them:\n${changes}`);
  if (!isOffline) {
    checkVulnerabilities();
    checkSignatures();
  }
  const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const prefix = `${name}-${version}`;
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  const archive = `${prefix}.tar.gz`;
  // Unlike `npm pack`, it includes the lock file, and the same commit gives the same bytes.
  output(
    'git',
    'archive',
    '--format=tar.gz',
    `--prefix=${prefix}/`,
    `--output=${join(FOLDER, archive)}`,
    'HEAD',
  );
  const bom = `${prefix}.cdx.json`;
  writeFileSync(join(FOLDER, bom), billOfMaterials(name));
  const sums = [archive, bom].map((file) => `${sha256(join(FOLDER, file))}  ${file}\n`);
  writeFileSync(join(FOLDER, 'SHA256SUMS'), sums.join(''));
  say(`made ${archive}, ${bom} and SHA256SUMS in ${FOLDER}/`);
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
