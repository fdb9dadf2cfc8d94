// The numbers of this process, and the address where they are read.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { addMetric, histogramValues, openRegistry, serveMetrics } from '../../src/lib/metrics.ts';
import { freePort } from '../support/services.ts';

async function serve(t: TestContext, read: () => Promise<string>): Promise<string> {
  const port = await freePort();
  const address = await serveMetrics('127.0.0.1', port, read);
  t.after(() => address.close());
  return `http://127.0.0.1:${port}`;
}

test('What is read is served as plain text of the version that Prometheus knows', async (t) => {
  const url = await serve(t, async () => 'a_total 1\n');

  const answer = await fetch(`${url}/metrics?format=prometheus`);

  assert.equal(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  assert.equal(await answer.text(), 'a_total 1\n');
});

test('There is nothing else there, and nothing can be written', async (t) => {
  const url = await serve(t, async () => 'a_total 1\n');
  const questions: [string, string][] = [
    ['GET', '/'],
    ['GET', '/metricsx'],
    ['GET', '/metrics/'],
    ['POST', '/metrics'],
    ['HEAD', '/metrics'],
  ];

  const statuses = await Promise.all(
    questions.map(([method, path]) => fetch(url + path, { method }).then(({ status }) => status)),
  );

  assert.deepEqual(statuses, [404, 404, 404, 405, 200]);
});

test('When the numbers cannot be read it is said without the reason, and the next reading works', async (t) => {
  let isBroken = true;
  const url = await serve(t, async () => {
    if (isBroken) throw new Error('a secret');
    return 'a_total 1\n';
  });

  const broken = await fetch(`${url}/metrics`);
  isBroken = false;
  const whole = await fetch(`${url}/metrics`);

  assert.deepEqual([broken.status, whole.status], [500, 200]);
  assert.doesNotMatch(await broken.text(), /secret/);
});

test("A port that is taken is the system's error", async (t) => {
  const other = createServer().listen(0, '127.0.0.1');
  t.after(() => other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;

  const opening = serveMetrics('127.0.0.1', port, async () => '');

  await assert.rejects(opening, { code: 'EADDRINUSE' });
});

test('When it is closed nobody listens there any more, and a reading that takes long holds nothing up', async () => {
  const port = await freePort();
  const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>();
  const address = await serveMetrics('127.0.0.1', port, () => {
    isAsked();
    return new Promise(() => {});
  });
  const reading = fetch(`http://127.0.0.1:${port}/metrics`);
  const broken = assert.rejects(reading, TypeError);
  await asked;

  await address.close();

  await broken;
  await assert.rejects(fetch(`http://127.0.0.1:${port}/metrics`), TypeError);
});

test('A process tells its memory, its processor time and how late its event loop is', async () => {
  const text = await openRegistry().metrics();

  for (const name of [
    'process_resident_memory_bytes',
    'process_cpu_seconds_total',
    'process_start_time_seconds',
    'nodejs_eventloop_lag_p99_seconds',
  ]) {
    assert.match(text, new RegExp(`^${name} \\d`, 'm'));
  }
});

test('A histogram tells how many lie below each bound, with those below the bounds before it', async () => {
  const registry = openRegistry();
  addMetric(registry, 'histogram', 'wait_seconds', 'Waiting', () =>
    histogramValues('wait_seconds', { at: 'gate' }, [0.5, 2], [4, 1, 2], 12.5),
  );

  assert.equal(
    await registry.getSingleMetricAsString('wait_seconds'),
    [
      '# HELP wait_seconds Waiting',
      '# TYPE wait_seconds histogram',
      'wait_seconds_bucket{le="0.5",at="gate"} 4',
      'wait_seconds_bucket{le="2",at="gate"} 5',
      'wait_seconds_bucket{le="+Inf",at="gate"} 7',
      'wait_seconds_sum{at="gate"} 12.5',
      'wait_seconds_count{at="gate"} 7',
    ].join('\n'),
  );
});
