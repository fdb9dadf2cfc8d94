// `METRICS_PORT`: what the metrics show, and what they must not contain.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { Hono } from 'hono';
import type { HttpHandlers } from '../../src/http/app.ts';
import { openMetrics } from '../../src/http/metrics.ts';
import type { PageEnv } from '../../src/http/pages/visitor.ts';
import { listen } from '../../src/http/server.ts';
import { openApp } from '../support/app.ts';
import { metricsText, metricsWhen, readMetrics } from '../support/metrics.ts';
import { person } from '../support/people.ts';
import { freePort } from '../support/services.ts';
import { ask, refusedToken, requestsOf, type WatchedService } from './metrics-fixture.ts';

/** Serve requests at one port, and their metrics at another. */
async function watch(t: TestContext, handlers: HttpHandlers): Promise<WatchedService> {
  const metrics = openMetrics();
  const server = await listen(handlers, '127.0.0.1', 0, metrics.watch);
  t.after(() => server.close());
  const metricsPort = await freePort();
  const address = await metrics.serve('127.0.0.1', metricsPort);
  t.after(() => address.close());
  return { url: `http://127.0.0.1:${server.port}`, metricsPort };
}

async function watchedApp(t: TestContext, settings: Record<string, string> = {}): Promise<WatchedService> {
  const app = await openApp(settings);
  await person(app.portico, 'alice');
  t.after(() => app.close());
  return watch(t, app.portico.app());
}

test('Requests are counted by the part of the service that they are for, and by class of status', async (t) => {
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

test('The duration of a request is measured in seconds, until its response is sent', async (t) => {
  const door = new Hono<PageEnv>();
  door.get('/', async (c) => {
    await new Promise((resolve) => setTimeout(resolve, 30));
    return c.text('.');
  });
  const { url, metricsPort } = await watch(t, { api: () => undefined, rest: door });

  await ask(url);

  const numbers = await readMetrics(metricsPort);
  const seconds = numbers.get('portico_request_duration_seconds_sum{door="pages"}') ?? 0;
  assert.ok(seconds > 0.025 && seconds < 20, `${seconds}`);
  assert.equal(numbers.get('portico_request_duration_seconds_bucket{le="0.025",door="pages"}'), 0);
});

test('A request whose caller left before the response is counted as aborted', async (t) => {
  const door = new Hono<PageEnv>();
  const { promise: requestArrived, resolve: arrive } = Promise.withResolvers<void>();
  door.get('/', () => {
    arrive();
    return new Promise<Response>(() => {});
  });
  const { url, metricsPort } = await watch(t, { api: () => undefined, rest: door });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await requestArrived;

  socket.destroy();

  await metricsWhen(metricsPort, (numbers) => requestsOf(numbers)['{door="pages",status="aborted"}'] === 1);
});

test('Requests beyond a limit are counted for that limit', async (t) => {
  const { url, metricsPort } = await watchedApp(t);

  const statuses: number[] = [];
  for (let count = 0; count < 23; count += 1) statuses.push(await refusedToken(url));

  const refused = statuses.filter((status) => status === 429).length;
  const numbers = await readMetrics(metricsPort);
  assert.ok(refused > 0);
  assert.equal(numbers.get('portico_rate_limit_refusals_total{door="token"}'), refused);
  assert.equal(numbers.get('portico_rate_limit_refusals_total{door="api"}'), 0);
});

test('Failures of the database are counted, and not those of the program', async (t) => {
  const app = await openApp();
  const { url, metricsPort } = await watch(t, app.portico.app());
  await app.close();
  const broken = new Hono<PageEnv>();
  broken.get('/', (c) => c.text('.', 500));
  const other = await watch(t, { api: () => undefined, rest: broken });

  const status = await ask(`${url}/readyz`);
  await ask(other.url);

  assert.equal(status, 503);
  assert.equal((await readMetrics(metricsPort)).get('portico_storage_unavailable_total{door="health"}'), 1);
  const numbers = await readMetrics(other.metricsPort);
  assert.equal(numbers.get('portico_storage_unavailable_total{door="pages"}'), 0);
  assert.deepEqual(requestsOf(numbers), { '{door="pages",status="5xx"}': 1 });
});

test('The metrics contain nothing that callers send, and odd requests do not make them longer', async (t) => {
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

test('The metrics contain the versions of the program and of Node', async (t) => {
  const { metricsPort } = await watchedApp(t);
  const { default: manifest } = await import('../../package.json', { with: { type: 'json' } });

  const numbers = await readMetrics(metricsPort);

  assert.equal(numbers.get(`portico_build_info{version="${manifest.version}",node="${process.version}"}`), 1);
});
