// `npm run bench:floods`: how long other callers wait, before and during each kind of flood from one address. The flood
// comes from 127.0.0.2, the other callers use 127.0.0.1. Each flood lasts FLOOD_SECONDS, 10 unless it is set.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { FLOODS } from './flooding.ts';
import { SERVER_PORT as PORT, settingsFor, startArguments } from './measuring.ts';
import { moveToLoadCore, residentMegabytes, serve, stopAll } from './processes.ts';

const SECONDS = Math.min(30, Number(process.env.FLOOD_SECONDS ?? 10));
// All floods, unless some are named on the command line.
const NAMES = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(FLOODS);
const OTHERS = 4;
const PAUSE_BETWEEN = 10;
// The p99 during a flood may be at most this many times the p99 before it.
const MAX_SLOWDOWN = 3;

interface Waits {
  p50: number;
  p99: number;
  count: number;
  failures: number;
}

const folder = mkdtempSync(join(tmpdir(), 'portico-floods-'));
const rows: string[] = [];
let isGood = true;
try {
  const settings = { ...settingsFor(join(folder, 'portico.db')), HOST: '0.0.0.0' };
  const server = await serve(startArguments(), PORT, settings);
  moveToLoadCore(process.pid);
  await others(3);
  for (const name of NAMES) {
    const before = await others(SECONDS / 2);
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
    const slowdown = during.p99 / before.p99;
    isGood &&= slowdown <= MAX_SLOWDOWN && during.failures === 0;
    const cells = [
      name,
      done,
      ms(before.p99),
      ms(during.p99),
      slowdown.toFixed(1),
      during.failures,
      Math.round(megabytes),
    ];
    rows.push(`| ${cells.join(' | ')} |`);
    process.stderr.write(`${rows.at(-1)}\n`);
  }
} finally {
  await stopAll();
  rmSync(folder, { recursive: true });
}
const table = [
  '# One address floods',
  '',
  `Other callers send \`GET /\` over ${OTHERS} connections, every ${PAUSE_BETWEEN} ms. Each flood lasts ${SECONDS} s, on the other core at low priority.`,
  '',
  '| Flood | What it did | p99 before, ms | p99 during, ms | slowdown | failures of others | memory, MB |',
  '|---|---|---|---|---|---|---|',
  ...rows,
  '',
].join('\n');
writeFileSync(join(import.meta.dirname, 'results/floods.md'), table);
process.stdout.write(table);
process.exitCode = isGood ? 0 : 1;

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
