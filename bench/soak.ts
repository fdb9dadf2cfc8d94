// `npm run bench:soak`: how soon the server answers after its start, how much memory it needs at rest, and whether that
// grows under load. SOAK_MINUTES says how long (default 10).

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose } from '../src/compose.ts';
import { readConfig } from '../src/config.ts';
import {
  measure,
  median,
  SERVER_PORT,
  STARTS,
  say,
  serveBaseline,
  settingsFor,
  startArguments,
  timeToFirstAnswer,
} from './measuring.ts';
import { residentMegabytes, serve, stopAll } from './processes.ts';
import { addCommunity, addWorkloads } from './workloads.ts';

const MINUTES = Number(process.env.SOAK_MINUTES ?? 10);
const MEMBERS = Number(process.env.BENCH_MEMBERS ?? 100_000);

// The bounds of decision 0013: two in megabytes, and how the second half's median may compare with the first half's.
const MOST_AT_REST = 150;
const MOST_UNDER_LOAD = 400;
const MOST_GROWTH = 1.1;

const folder = mkdtempSync(join(tmpdir(), 'portico-soak-'));
const settings = settingsFor(join(folder, 'portico.db'));
const portico = await compose(readConfig(settings));
try {
  await portico.prepare();
  await addCommunity(portico, MEMBERS);
  const workloads = await addWorkloads(portico, MEMBERS, 5000);
  const startDuration = await timeToFirstAnswer(settings);
  say(`first answer after ${startDuration.toFixed(0)} ms`);

  const server = await serve(startArguments(), SERVER_PORT, settings);
  await serveBaseline();
  const atRest = residentMegabytes(server);
  const end = performance.now() + MINUTES * 60_000;
  const samples: { minute: number; megabytes: number }[] = [];
  while (performance.now() < end) {
    for (const workload of workloads) {
      await measure(workload, 1, 2);
      const minute = MINUTES - (end - performance.now()) / 60_000;
      samples.push({ minute, megabytes: residentMegabytes(server) });
    }
  }
  const text = report(startDuration, atRest, samples);
  mkdirSync(join(import.meta.dirname, 'results'), { recursive: true });
  writeFileSync(join(import.meta.dirname, 'results', 'soak.md'), text);
  process.stdout.write(text);
} finally {
  await stopAll();
  await portico.close();
  rmSync(folder, { recursive: true, force: true });
}

function report(
  startDuration: number,
  atRest: number,
  samples: { minute: number; megabytes: number }[],
): string {
  const half = MINUTES / 2;
  const of = (isLate: boolean) =>
    samples.filter(({ minute }) => minute >= half === isLate).map(({ megabytes }) => megabytes);
  const most = Math.max(...of(false), ...of(true));
  const growth = median(of(true)) / median(of(false));
  const isWithinBounds = atRest <= MOST_AT_REST && most <= MOST_UNDER_LOAD && growth <= MOST_GROWTH;
  const range = (list: number[]) =>
    `${Math.round(Math.min(...list))}–${Math.round(Math.max(...list))} MB, median ${Math.round(median(list))}`;
  return `# Start and size

First answer ${startDuration.toFixed(0)} ms after the start of the program (median of ${STARTS}, ${MEMBERS} members in the database).
At rest ${Math.round(atRest)} MB resident. Under each workload in turn for ${MINUTES} minutes, with ${MEMBERS} live tokens:

| Minutes | Resident |
|---|---|
| 0–${half} | ${range(of(false))} |
| ${half}–${MINUTES} | ${range(of(true))} |

${isWithinBounds ? 'Within' : 'NOT within'} the bounds: ${MOST_AT_REST} MB at rest, ${MOST_UNDER_LOAD} MB under load, and flat.
`;
}
