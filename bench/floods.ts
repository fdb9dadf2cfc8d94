// `npm run bench:floods`: how long other callers wait, before and during each kind of flood from one address. The flood
// comes from 127.0.0.2, the other callers use 127.0.0.1. Each flood lasts FLOOD_SECONDS, 10 unless it is set.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { FLOODS } from './flooding.ts';
import { median, SERVER_PORT as PORT, settingsFor, startArguments } from './measuring.ts';
import { moveToLoadCore, residentMegabytes, serve, stopAll } from './processes.ts';

const SECONDS = Math.min(30, Number(process.env.FLOOD_SECONDS ?? 10));
// All floods, unless some are named on the command line.
const NAMES = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(FLOODS);
const OTHERS = 4;
const PAUSE_BETWEEN = 10;
// How often each is measured, in turn. The medians count.
const ROUNDS = 3;
// The p99 during a flood may be at most this many times the p99 before it.
const MAX_SLOWDOWN = 3;

interface Waits {
  p50: number;
  p99: number;
  count: number;
  failures: number;
}

interface Measured {
  done: string;
  before: number;
  during: number;
  failures: number;
  megabytes: number;
}

const folder = mkdtempSync(join(tmpdir(), 'portico-floods-'));
const rounds = new Map<string, Measured[]>(NAMES.map((name) => [name, []]));
try {
  const settings = { ...settingsFor(join(folder, 'portico.db')), HOST: '0.0.0.0' };
  const server = await serve(startArguments(), PORT, settings);
  moveToLoadCore(process.pid);
  await others(3);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of NAMES) {
      const measured = await measure(name, server);
      rounds.get(name)?.push(measured);
      process.stderr.write(`${name} ${JSON.stringify(measured)}\n`);
    }
  }
} finally {
  await stopAll();
  rmSync(folder, { recursive: true });
}
let isGood = true;
const rows = [...rounds].map(([name, measured]) => {
  const of = (value: (one: Measured) => number) => median(measured.map(value));
  const [before, during] = [of((one) => one.before), of((one) => one.during)];
  const failures = measured.reduce((sum, one) => sum + one.failures, 0);
  isGood &&= during <= MAX_SLOWDOWN * before && failures === 0;
  const slowdown = (during / before).toFixed(1);
  const cells = [
    name,
    measured[0]?.done,
    ms(before),
    ms(during),
    slowdown,
    failures,
    Math.round(of((one) => one.megabytes)),
  ];
  return `| ${cells.join(' | ')} |`;
});
const table = [
  '# One address floods',
  '',
  `Other callers send \`GET /\` over ${OTHERS} connections, every ${PAUSE_BETWEEN} ms. Each flood lasts ${SECONDS} s, on the other core at low priority. Medians of ${ROUNDS} rounds.`,
  '',
  '| Flood | What it did | p99 before, ms | p99 during, ms | slowdown | failures of others | memory, MB |',
  '|---|---|---|---|---|---|---|',
  ...rows,
  '',
].join('\n');
writeFileSync(join(import.meta.dirname, 'results/floods.md'), table);
process.stdout.write(table);
process.exitCode = isGood ? 0 : 1;

/** Measure the others' waits without a flood and, as long, with it. */
async function measure(name: string, server: ChildProcess): Promise<Measured> {
  const before = await others(SECONDS);
  const flood = fork(join(import.meta.dirname, 'flooding.ts'), [name, String(PORT)], { stdio: 'inherit' });
  moveToLoadCore(flood.pid);
  // Otherwise the callers that are measured would wait for the flood's own program.
  if (flood.pid !== undefined) setPriority(flood.pid, constants.priority.PRIORITY_LOW);
  await pause(1000);
  const during = await others(SECONDS);
  const megabytes = residentMegabytes(server);
  flood.send('stop');
  const [done] = await once(flood, 'message');
  await once(flood, 'exit');
  // The server lets the address in again.
  await pause(11_000);
  return { done, before: before.p99, during: during.p99, failures: during.failures, megabytes };
}

function ms(value: number): string {
  return value.toFixed(1);
}

/** Measure how long the other callers wait. */
async function others(seconds: number): Promise<Waits> {
  const waits: number[] = [];
  let failures = 0;
  const until = performance.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: OTHERS }, async () => {
      while (performance.now() < until) {
        const since = performance.now();
        await askOnce().then(
          () => waits.push(performance.now() - since),
          () => (failures += 1),
        );
        await pause(PAUSE_BETWEEN);
      }
    }),
  );
  waits.sort((a, b) => a - b);
  const at = (share: number) => waits[Math.floor(waits.length * share)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), count: waits.length, failures };
}

async function askOnce(): Promise<void> {
  const outgoing = request({ port: PORT, host: '127.0.0.1', path: '/', timeout: 10_000 });
  outgoing.end();
  const [incoming] = await once(outgoing, 'response');
  if (incoming.statusCode !== 200) throw new Error(`status ${incoming.statusCode}`);
  incoming.resume();
  await once(incoming, 'end');
}
