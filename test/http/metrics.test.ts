// `METRICS_PORT`: what an operator can watch, and what must not be seen there.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { Hono } from 'hono';
import type { Served } from '../../src/http/app.ts';
import { openMetrics } from '../../src/http/metrics.ts';
import type { PageEnv } from '../../src/http/pages/visitor.ts';
import { listen } from '../../src/http/server.ts';
import { HOUR } from '../../src/lib/clock.ts';
import { newSession } from '../storage/records.ts';
import { openApp } from '../support/app.ts';
import { temporaryFolder } from '../support/databases.ts';
import { metricsText, metricsWhen, readMetrics } from '../support/metrics.ts';
import { person } from '../support/people.ts';
import { type Program, startProgram } from '../support/program.ts';
import { freePort } from '../support/services.ts';

interface Watched {
  url: string;
  metricsPort: number;
}

/** What answers at a port of its own, watched. */
async function watched(t: TestContext, served: Served): Promise<Watched> {
  const metrics = openMetrics();
  const server = await listen(served, '127.0.0.1', 0, metrics.watch);
  t.after(() => server.close());
  const metricsPort = await freePort();
  const address = await metrics.serve('127.0.0.1', metricsPort);
  t.after(() => address.close());
  return { url: `http://127.0.0.1:${server.port}`, metricsPort };
}

async function watchedApp(t: TestContext, settings: Record<string, string> = {}): Promise<Watched> {
  const app = await openApp(settings);
  t.after(() => app.close());
  return watched(t, app.portico.app());
}

async function start(t: TestContext, settings: Record<string, string>): Promise<Program & Watched> {
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

/** Asks on a connection of its own. */
function ask(url: string, options: RequestInit = {}): Promise<number> {
  return fetch(url, { ...options, headers: { Connection: 'close', ...options.headers } }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    },
  );
}

const refusedToken = (url: string): Promise<number> =>
  ask(`${url}/api/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'authorization_code', client_id: 'mallory', client_secret: 'x' }),
  });

function requestsOf(numbers: Map<string, number>): Record<string, number> {
  const counted = [...numbers].filter(([name, value]) => name.startsWith('portico_requests_total') && value);
  return Object.fromEntries(
    counted.map(([name, value]) => [name.slice('portico_requests_total'.length), value]),
  );
}

test('Requests are counted by the part of the service that they were for and the class of their answer', async (t) => {
  const { url, metricsPort } = await watchedApp(t);

  await ask(`${url}/api/open/v1/me`);
  await ask(`${url}/api/open/v1`);
  await refusedToken(url);
  await ask(`${url}/.well-known/jwks.json`);
  await ask(`${url}/oauth/authorize?client_id=nobody`);
  await ask(`${url}/`);
  await ask(`${url}/login`);
  await ask(`${url}/u/nobody`);
  await ask(`${url}/settings/tokens`, { redirect: 'manual' });
  await ask(`${url}/icon.svg`);
  await ask(`${url}/healthz`);

  const numbers = await readMetrics(metricsPort);
  assert.deepEqual(requestsOf(numbers), {
    '{door="api",status="4xx"}': 2,
    '{door="token",status="4xx"}': 1,
    '{door="information",status="2xx"}': 1,
    '{door="authorization",status="4xx"}': 1,
    '{door="pages",status="2xx"}': 2,
    '{door="pages",status="3xx"}': 1,
    '{door="pages",status="4xx"}': 1,
    '{door="files",status="2xx"}': 1,
    '{door="health",status="2xx"}': 1,
  });
  assert.equal(numbers.get('portico_request_duration_seconds_count{door="pages"}'), 4);
  assert.equal(numbers.get('portico_request_duration_seconds_bucket{le="+Inf",door="api"}'), 2);
});

test('The time of a request is told in seconds, until its answer is out', async (t) => {
  const door = new Hono<PageEnv>();
  door.get('/', async (c) => {
    await new Promise((resolve) => setTimeout(resolve, 30));
    return c.text('.');
  });
  const { url, metricsPort } = await watched(t, { api: () => undefined, rest: door });

  await ask(url);

  const numbers = await readMetrics(metricsPort);
  const seconds = numbers.get('portico_request_duration_seconds_sum{door="pages"}') ?? 0;
  assert.ok(seconds > 0.025 && seconds < 20, `${seconds}`);
  assert.equal(numbers.get('portico_request_duration_seconds_bucket{le="0.025",door="pages"}'), 0);
});

test('Whoever left before the answer was out is counted as such', async (t) => {
  const door = new Hono<PageEnv>();
  const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>();
  door.get('/', () => {
    isAsked();
    return new Promise<Response>(() => {});
  });
  const { url, metricsPort } = await watched(t, { api: () => undefined, rest: door });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await asked;

  socket.destroy();

  await metricsWhen(metricsPort, (numbers) => requestsOf(numbers)['{door="pages",status="aborted"}'] === 1);
});

test('A refusal for too many requests is counted where it was made', async (t) => {
  const { url, metricsPort } = await watchedApp(t);

  const statuses: number[] = [];
  for (let sent = 0; sent < 23; sent += 1) statuses.push(await refusedToken(url));

  const refused = statuses.filter((status) => status === 429).length;
  const numbers = await readMetrics(metricsPort);
  assert.ok(refused > 0);
  assert.equal(numbers.get('portico_rate_limit_refusals_total{door="token"}'), refused);
  assert.equal(numbers.get('portico_rate_limit_refusals_total{door="api"}'), 0);
});

test('A request that failed since the database did not answer is counted, and a failure of ours is not', async (t) => {
  const app = await openApp();
  const { url, metricsPort } = await watched(t, app.portico.app());
  await app.close();
  const broken = new Hono<PageEnv>();
  broken.get('/', (c) => c.text('.', 500));
  const other = await watched(t, { api: () => undefined, rest: broken });

  const status = await ask(`${url}/readyz`);
  await ask(other.url);

  assert.equal(status, 503);
  assert.equal((await readMetrics(metricsPort)).get('portico_storage_unavailable_total{door="health"}'), 1);
  const numbers = await readMetrics(other.metricsPort);
  assert.equal(numbers.get('portico_storage_unavailable_total{door="pages"}'), 0);
  assert.deepEqual(requestsOf(numbers), { '{door="pages",status="5xx"}': 1 });
});

test('Nothing that a caller sends gets in, and no number of odd requests makes it longer', async (t) => {
  const { url, metricsPort } = await watchedApp(t);
  const names = async () =>
    [...(await readMetrics(metricsPort)).keys()].filter((name) => /^portico_/.test(name));
  const before = await names();

  for (const [index, path] of [
    '/api/open/v1/me?access_token=svco_mallory',
    '/api/open/v1/mallory',
    '/api/oauth/token/mallory?code=mallory',
    '/api/openmallory',
    '/oauth/mallory',
    '/u/mallory%22%7D%201',
    '/mallory.css',
    '/__proto__',
    '//mallory',
    '/posts/1?mallory=1',
  ].entries()) {
    await ask(url + path, {
      method: ['GET', 'POST', 'DELETE', 'OPTIONS'][index % 4] ?? 'GET',
      headers: { Authorization: 'Bearer mallory', Cookie: 'mallory=1', 'User-Agent': 'mallory' },
      redirect: 'manual',
    });
  }

  assert.deepEqual(await names(), before);
  assert.doesNotMatch(await metricsText(metricsPort), /mallory|constructor|__proto__/);
});

test('It tells what runs', async (t) => {
  const { metricsPort } = await watchedApp(t);
  const { default: manifest } = await import('../../package.json', { with: { type: 'json' } });

  const numbers = await readMetrics(metricsPort);

  assert.equal(numbers.get(`portico_build_info{version="${manifest.version}",node="${process.version}"}`), 1);
});

/** Starts the service in a process of its own, which then tells what it has loaded and what listens in it. */
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

test('Without METRICS_PORT nobody listens for it, and its library is not even loaded', async (t) => {
  const off = await lookInside(t, {});
  const on = await lookInside(t, { METRICS_PORT: String(await freePort()) });

  assert.deepEqual(off, { isLoaded: false, listening: 1 });
  assert.deepEqual(on, { isLoaded: true, listening: 2 });
});

test('A METRICS_PORT that is taken is one clear line, and it ends', async (t) => {
  const other = createServer().listen(0, '127.0.0.1');
  t.after(() => other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;

  const starting = start(t, { METRICS_PORT: String(port) });

  await assert.rejects(starting, ({ message }: Error) => {
    assert.equal(
      message.split('\n').slice(1).join('\n'),
      'portico: METRICS_PORT: another program listens there already\n',
    );
    return true;
  });
});

test('It says where the metrics are, counts what was purged and what Redis did not, and ends with the service', async (t) => {
  const folder = await temporaryFolder(t);
  const settings = { DATABASE_URL: `file:${join(folder, 'portico.db')}` };
  const before = await openApp(settings);
  const alice = await person(before.portico, 'alice');
  const past = before.clock.now - HOUR;
  for (let added = 0; added < 3; added += 1) {
    const session = newSession(alice.id, { expiresAt: past, lastSeenAt: past });
    await before.portico.identity.writes.addSession(session);
  }
  await before.close();
  const program = await start(t, { ...settings, REDIS_URL: `redis://127.0.0.1:${await freePort()}` });
  const { url, metricsPort } = program;

  for (let sent = 0; sent < 3; sent += 1) await refusedToken(url);

  assert.match(
    program.printed(),
    new RegExp(`^Metrics: http://127\\.0\\.0\\.1:${metricsPort}/metrics$`, 'm'),
  );
  await metricsWhen(metricsPort, (numbers) => numbers.get('portico_purged_rows_total') === 3);
  const numbers = await readMetrics(metricsPort);
  assert.ok((numbers.get('portico_shared_counter_away_total') ?? 0) >= 3);
  assert.equal(numbers.get('portico_processes'), 1);
  await program.stop();
  await assert.rejects(metricsText(metricsPort), TypeError);
});

test('With several workers the numbers are the sum, which does not fall when one of them ends', async (t) => {
  const { url, metricsPort, pid } = await start(t, { WORKERS: '2' });
  const areAll = (numbers: Map<string, number>) => numbers.get('portico_processes') === 3;
  const refused = '{door="api",status="4xx"}';
  for (let sent = 0; sent < 20; sent += 1) await ask(`${url}/api/open/v1/me`);

  const both = await metricsWhen(metricsPort, areAll);
  const { stdout } = await promisify(execFile)('pgrep', ['-P', String(pid)]);
  process.kill(Number(stdout.split('\n')[0]), 'SIGKILL');
  const meanwhile = await metricsWhen(metricsPort, (numbers) => !areAll(numbers));
  const replaced = await metricsWhen(metricsPort, areAll);
  for (let sent = 0; sent < 10; sent += 1) await ask(`${url}/api/open/v1/me`);
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

test('A worker that hangs holds up nobody, and what it had counted is still in the sum', async (t) => {
  const { url, metricsPort, pid } = await start(t, { WORKERS: '2' });
  for (let sent = 0; sent < 20; sent += 1) await ask(`${url}/api/open/v1/me`);
  await metricsWhen(metricsPort, (numbers) => numbers.get('portico_processes') === 3);
  const { stdout } = await promisify(execFile)('pgrep', ['-P', String(pid)]);
  const hanging = Number(stdout.split('\n')[0]);
  process.kill(hanging, 'SIGSTOP');

  const numbers = await readMetrics(metricsPort).finally(() => process.kill(hanging, 'SIGKILL'));

  assert.equal(numbers.get('portico_processes'), 2);
  assert.equal(requestsOf(numbers)['{door="api",status="4xx"}'], 20);
});
