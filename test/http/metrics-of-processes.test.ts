// `METRICS_PORT`: the metrics of a running program, and of its workers.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { HOUR } from '../../src/lib/clock.ts';
import { newSession, SESSION_START } from '../storage/records.ts';
import { openApp } from '../support/app.ts';
import { temporaryFolder } from '../support/databases.ts';
import { metricsText, metricsWhen, readMetrics } from '../support/metrics.ts';
import { person } from '../support/people.ts';
import { type Program, startProgram } from '../support/program.ts';
import { freePort } from '../support/services.ts';
import { ask, refusedToken, requestsOf, type WatchedService } from './metrics-fixture.ts';

async function start(t: TestContext, settings: Record<string, string>): Promise<Program & WatchedService> {
  const metricsPort = await freePort();
  const folder = await temporaryFolder(t);
  const program = await startProgram({
    DATABASE_URL: `file:${join(folder, 'portico.db')}`,
    METRICS_PORT: String(metricsPort),
    ...settings,
  });
  t.after(() => program.stop());
  await program.opened();
  return { ...program, metricsPort };
}

/** Start the service in a process that reports whether it has loaded the library, and how many ports it listens on. */
async function lookInside(t: TestContext, settings: Record<string, string>): Promise<unknown> {
  const folder = await temporaryFolder(t);
  const script = `
    const { start } = await import('./src/start.ts');
    await start(process.env);
    const { createRequire } = await import('node:module');
    const loaded = Object.keys(createRequire(import.meta.url).cache);
    const listening = process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
    const isLoaded = loaded.some((path) => path.includes('prom-client'));
    process.stdout.write('\\n' + JSON.stringify({ isLoaded, listening }), () => process.exit());
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: join(import.meta.dirname, '../..'),
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: String(await freePort()),
      DATABASE_URL: `file:${join(folder, 'portico.db')}`,
      ...settings,
    },
  });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

test('Without METRICS_PORT there is no port for metrics, and their library is not loaded', async (t) => {
  const off = await lookInside(t, {});
  const on = await lookInside(t, { METRICS_PORT: String(await freePort()) });

  assert.deepEqual(off, { isLoaded: false, listening: 1 });
  assert.deepEqual(on, { isLoaded: true, listening: 2 });
});

test('If METRICS_PORT is in use, the program says so in one line and exits', async (t) => {
  const other = createServer().listen(0, '127.0.0.1');
  t.after(() => other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;

  const starting = start(t, { METRICS_PORT: String(port) });

  await assert.rejects(starting, ({ message }: Error) => {
    assert.equal(
      message.split('\n').slice(1).join('\n'),
      `portico: METRICS_PORT: cannot listen on 127.0.0.1:${port}: another program is already listening on this port\n`,
    );
    return true;
  });
});

test('The program prints the metrics’ address, and counts purged rows and requests counted without Redis', async (t) => {
  const folder = await temporaryFolder(t);
  const settings = { DATABASE_URL: `file:${join(folder, 'portico.db')}` };
  const before = await openApp(settings);
  const alice = await person(before.portico, 'alice');
  const past = before.clock.now - HOUR;
  for (let count = 0; count < 3; count += 1) {
    const session = newSession(alice.id, { expiresAt: past, lastSeenAt: past });
    await before.portico.identity.writes.addSession(session, SESSION_START);
  }
  await before.close();
  const program = await start(t, { ...settings, REDIS_URL: `redis://127.0.0.1:${await freePort()}` });
  const { url, metricsPort } = program;

  for (let count = 0; count < 3; count += 1) await refusedToken(url);

  assert.match(program.output(), new RegExp(`^Metrics: http://127\\.0\\.0\\.1:${metricsPort}/metrics$`, 'm'));
  await metricsWhen(metricsPort, (numbers) => numbers.get('portico_purged_rows_total') === 3);
  const numbers = await readMetrics(metricsPort);
  assert.ok((numbers.get('portico_shared_counter_away_total') ?? 0) >= 3);
  assert.equal(numbers.get('portico_processes'), 1);
  await program.stop();
  await assert.rejects(metricsText(metricsPort), TypeError);
});

test('The metrics of several workers are added up, and do not drop when a worker ends', async (t) => {
  const { url, metricsPort, pid } = await start(t, { WORKERS: '2' });
  const areAll = (numbers: Map<string, number>) => numbers.get('portico_processes') === 3;
  const refused = '{door="api",status="4xx"}';
  for (let count = 0; count < 20; count += 1) await ask(`${url}/api/open/v1/me`);

  const both = await metricsWhen(metricsPort, areAll);
  const { stdout } = await promisify(execFile)('pgrep', ['-P', String(pid)]);
  process.kill(Number(stdout.split('\n')[0]), 'SIGKILL');
  const meanwhile = await metricsWhen(metricsPort, (numbers) => !areAll(numbers));
  const replaced = await metricsWhen(metricsPort, areAll);
  for (let count = 0; count < 10; count += 1) await ask(`${url}/api/open/v1/me`);
  const later = await readMetrics(metricsPort);

  assert.deepEqual(
    [both, meanwhile, replaced, later].map((numbers) => requestsOf(numbers)[refused]),
    [20, 20, 20, 30],
  );
  const count = 'portico_request_duration_seconds_count{door="api"}';
  assert.deepEqual([both.get(count), later.get(count)], [20, 30]);
  assert.deepEqual(
    [both, later].map((numbers) => numbers.get('portico_workers_ended_total')),
    [0, 1],
  );
});

test('A worker that hangs does not delay the metrics, and its earlier counts stay in the sum', async (t) => {
  const { url, metricsPort, pid } = await start(t, { WORKERS: '2' });
  for (let count = 0; count < 20; count += 1) await ask(`${url}/api/open/v1/me`);
  await metricsWhen(metricsPort, (numbers) => numbers.get('portico_processes') === 3);
  const { stdout } = await promisify(execFile)('pgrep', ['-P', String(pid)]);
  const hanging = Number(stdout.split('\n')[0]);
  process.kill(hanging, 'SIGSTOP');

  const numbers = await readMetrics(metricsPort).finally(() => process.kill(hanging, 'SIGKILL'));

  assert.equal(numbers.get('portico_processes'), 2);
  assert.equal(requestsOf(numbers)['{door="api",status="4xx"}'], 20);
});
