// `npm run bench:soak`: how soon the server answers after its start, how much memory it holds at rest, and whether that
// grows under load. SOAK_MINUTES says how long (10).

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose } from '../src/compose.ts';
import { readConfig } from '../src/config.ts';
import { addApplication, addMembers, addPosts, addSignIns } from './community.ts';
import { measure, median, SERVER_PORT, say, serveBaseline, settingsFor, startWords } from './measuring.ts';
import { residentMegabytes, serve, stopAll } from './processes.ts';
import { worksOf } from './works.ts';

const MINUTES = Number(process.env.SOAK_MINUTES ?? 10);
const MEMBERS = Number(process.env.BENCH_MEMBERS ?? 100_000);
const STARTS = 7;

const folder = mkdtempSync(join(tmpdir(), 'portico-soak-'));
const settings = settingsFor(join(folder, 'portico.db'));
const portico = await compose(readConfig(settings));
try {
  await portico.prepare();
  await addMembers(portico, MEMBERS);
  await addPosts(portico, 100, 200);
  const application = await addApplication(portico);
  const signIns = await addSignIns(portico, application, MEMBERS);
  const starts: number[] = [];
  for (let start = 0; start < STARTS; start += 1) starts.push(await timeToFirstAnswer());
  say(`first answer after ${median(starts).toFixed(0)} ms`);

  const server = await serve(startWords(), SERVER_PORT, settings);
  await serveBaseline();
  const atRest = residentMegabytes(server);
  const works = worksOf({ portico, application, signIns, authors: 100, postsEach: 200, once: 5000 });
  const until = performance.now() + MINUTES * 60_000;
  const samples: { minute: number; megabytes: number }[] = [];
  while (performance.now() < until) {
    for (const work of works) {
      await measure(work, 1, 2);
      const minute = MINUTES - (until - performance.now()) / 60_000;
      samples.push({ minute, megabytes: residentMegabytes(server) });
    }
  }
  const text = report(starts, atRest, samples);
  mkdirSync(join(import.meta.dirname, 'results'), { recursive: true });
  writeFileSync(join(import.meta.dirname, 'results', 'soak.md'), text);
  process.stdout.write(text);
} finally {
  await stopAll();
  await portico.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Milliseconds from the start of the program, on a database that exists, to its first answer. */
async function timeToFirstAnswer(): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, startWords(), {
    env: { ...process.env, ...settings },
    stdio: 'ignore',
  });
  for (;;) {
    const answered = await fetch(`http://127.0.0.1:${SERVER_PORT}/healthz`).then(
      () => true,
      () => false,
    );
    if (answered) break;
  }
  const taken = performance.now() - start;
  child.kill('SIGTERM');
  await once(child, 'exit');
  return taken;
}

function report(starts: number[], atRest: number, samples: { minute: number; megabytes: number }[]): string {
  const half = MINUTES / 2;
  const of = (isLate: boolean) =>
    samples.filter(({ minute }) => minute >= half === isLate).map(({ megabytes }) => megabytes);
  const range = (list: number[]) =>
    `${Math.round(Math.min(...list))}–${Math.round(Math.max(...list))} MB, median ${Math.round(median(list))}`;
  return `# Start and size

First answer ${median(starts).toFixed(0)} ms after the start of the program (median of ${STARTS}, ${MEMBERS} members in the database).
At rest ${Math.round(atRest)} MB resident. Under every work in turn for ${MINUTES} minutes, with ${MEMBERS} live tokens:

| Minutes | Resident |
|---|---|
| 0–${half} | ${range(of(false))} |
| ${half}–${MINUTES} | ${range(of(true))} |
`;
}
