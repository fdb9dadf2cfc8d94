// `npm run mutants`: makes one small change to a source file at a time, and runs the tests of that file. A mutant
// that no test notices survives. Options: names of files, or for example `--sample 100 --seed 7`.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Mutant, mutantsOf } from './mutants.ts';

const ROOT = join(import.meta.dirname, '../..');
const TEST_FOLDERS = 'test/{oauth,identity}/*.test.ts';
// Files that only tests through HTTP reach directly. Those tests are slow, so they run last.
const THROUGH_HTTP: Record<string, string[]> = {
  'src/identity/avatar.ts': ['test/http/site/pictures.test.ts'],
  'src/identity/failed-sign-in.ts': ['test/audit/security-events.test.ts'],
  'src/identity/member-list.ts': ['test/http/site/operator.test.ts'],
  'src/identity/session.ts': ['test/audit/security-events.test.ts'],
  'src/identity/sign-in.ts': ['test/audit/security-events.test.ts'],
  'src/oauth/authentication-request.ts': [
    'test/spec/openid-prompt.test.ts',
    'test/spec/openid-hints.test.ts',
  ],
  'src/oauth/authorization-request.ts': [
    'test/spec/openid-request.test.ts',
    'test/spec/4-1-authorization-endpoint.test.ts',
    'test/spec/4-1-authorization-errors.test.ts',
  ],
  'src/oauth/authorization.ts': ['test/spec/openid-prompt.test.ts', 'test/spec/4-1-consent.test.ts'],
  'src/oauth/id-token.ts': ['test/spec/openid-id-token.test.ts', 'test/spec/openid-hints.test.ts'],
  'src/oauth/jwks.ts': ['test/spec/openid-id-token.test.ts'],
  'src/oauth/logout-request.ts': [
    'test/http/oauth/logout.test.ts',
    'test/http/oauth/logout-question.test.ts',
  ],
};
const SLOW = /model\.test|redirect-uri|scope\.test|\/token\.test/;
const LONGEST_RUN = 60_000;
// Hashing takes most of the time of tests with passwords, so other files than this are judged with quick hashes.
const HASHING = 'src/identity/password.ts';
const QUICK = ['...work, tagLength', '...work, memory: 8 * work.parallelism, passes: 1, tagLength'] as const;
const NEEDS_SLOW_HASHES = 'both take the same time';
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: 'string' }, seed: { type: 'string', default: '1' } },
});

interface Candidate extends Mutant {
  file: string;
}

const names = positionals.length > 0 ? positionals : ['src/oauth', 'src/identity'];
const files = names
  .flatMap((name) => (name.endsWith('.ts') ? [name] : globSync(`${name}/**/*.ts`, { cwd: ROOT })))
  .filter((file) => testsOf(file).length > 0);
const all = files.flatMap((file): Candidate[] =>
  mutantsOf(readFileSync(join(ROOT, file), 'utf8')).map((mutant) => ({ ...mutant, file })),
);
const candidates = sampled(all);
say(`${candidates.length} of ${all.length} mutants, in ${files.length} files.`);

const copy = mkdtempSync(join(tmpdir(), 'portico-mutants-'));
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
for (const folder of ['src', 'test', 'docs', 'bin', 'package.json'])
  cpSync(join(ROOT, folder), join(copy, folder), { recursive: true });
symlinkSync(resolve(ROOT, 'node_modules'), join(copy, 'node_modules'));
const hashing = readFileSync(join(copy, HASHING), 'utf8');

const survivors: Candidate[] = [];
/** Tests that pass without a mutant. */
const passing = new Set<string>();
let killed = 0;
for (const file of files) {
  const ofFile = candidates.filter((candidate) => candidate.file === file);
  if (ofFile.length === 0) continue;
  const tests = testsOf(file);
  writeFileSync(join(copy, HASHING), file === HASHING ? hashing : hashing.replace(...QUICK));
  const original = readFileSync(join(copy, file), 'utf8');
  for (const test of tests) {
    if (!passing.has(test) && !(await passes(test))) throw new Error(`${test} fails without a mutant.`);
    passing.add(test);
  }
  for (const mutant of ofFile) {
    writeFileSync(join(copy, file), mutant.text);
    if (await allPass(tests)) {
      survivors.push(mutant);
      say(`survived  ${mutant.file}:${mutant.line}  ${mutant.change}`);
    } else killed += 1;
  }
  writeFileSync(join(copy, file), original);
  say(`${killed} killed, ${survivors.length} survived, after ${file}`);
}
say(`${((100 * killed) / candidates.length).toFixed(1)} % of ${candidates.length} killed.`);

/**
 * The tests that concern a file: those of the same name first, then those that import it, at most six, and those
 * through HTTP.
 */
function testsOf(file: string): string[] {
  const own = basename(file, '.ts');
  const tests = globSync(TEST_FOLDERS, { cwd: ROOT }).filter((test) => importsOf(test).has(file));
  const distance = (test: string) =>
    (basename(test).startsWith(own) ? 0 : directImports(test).includes(file) ? 1 : SLOW.test(test) ? 3 : 2) +
    (dirname(test).endsWith(basename(dirname(file))) ? 0 : 10);
  const unitTests = tests.sort((a, b) => distance(a) - distance(b) || (a < b ? -1 : 1)).slice(0, 6);
  return [...unitTests, ...(THROUGH_HTTP[file] ?? [])];
}

/** All files that a file loads, also through others. */
function importsOf(file: string, found = new Set<string>()): Set<string> {
  for (const imported of directImports(file)) {
    if (found.has(imported)) continue;
    found.add(imported);
    importsOf(imported, found);
  }
  return found;
}

function directImports(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(/^(?:import|export) (?!type )[^;]*?from '(\.[^']+\.ts)'/gm)].map(([, path = '']) =>
    relative(ROOT, resolve(ROOT, dirname(file), path)),
  );
}

/** Whether all tests pass. For most mutants the first file fails, so the others needn't run. */
async function allPass(tests: readonly string[]): Promise<boolean> {
  for (const test of tests) if (!(await passes(test))) return false;
  return true;
}

// Ends a run at its first failure, or after `LONGEST_RUN` if a mutant keeps it from ending.
function passes(test: string): Promise<boolean> {
  return new Promise((settle) => {
    const options = ['--test-reporter=tap', `--test-skip-pattern=${NEEDS_SLOW_HASHES}`];
    const run = spawn(process.execPath, [...options, test], {
      cwd: copy,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const timer = setTimeout(() => {
      say(`timed out: ${test}`);
      run.kill('SIGKILL');
    }, LONGEST_RUN);
    run.stdout.on('data', (text: Buffer) => {
      if (/^\s*not ok/m.test(text.toString())) run.kill('SIGKILL');
    });
    run.on('close', (code) => {
      clearTimeout(timer);
      settle(code === 0);
    });
  });
}

// In the order of a digest, so that a seed always draws the same ones.
function sampled(mutants: Candidate[]): Candidate[] {
  if (values.sample === undefined) return mutants;
  const rank = ({ file, line, change }: Candidate) =>
    createHash('sha256').update(`${values.seed} ${file} ${line} ${change}`).digest('hex');
  return mutants.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1)).slice(0, Number(values.sample));
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
