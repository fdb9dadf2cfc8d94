// The metrics of this process, and the server that they are read from.

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

test('The metrics are served in the text format of Prometheus', async (t) => {
  const url = await serve(t, async () => 'a_total 1\n');

  const answer = await fetch(`${url}/metrics?format=prometheus`);

  assert.equal(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  assert.equal(await answer.text(), 'a_total 1\n');
});

test('No other path exists, and nothing can be written', async (t) => {
  const url = await serve(t, async () => 'a_total 1\n');
  const requests: [string, string][] = [
    ['GET', '/'],
    ['GET', '/metricsx'],
    ['GET', '/metrics/'],
    ['POST', '/metrics'],
    ['HEAD', '/metrics'],
  ];

  const statuses = await Promise.all(
    requests.map(([method, path]) => fetch(url + path, { method }).then(({ status }) => status)),
  );

  assert.deepEqual(statuses, [404, 404, 404, 405, 200]);
});

test('If the metrics can’t be read the response does not say why, and the next one works', async (t) => {
  let isBroken = true;
  const url = await serve(t, async () => {
    if (isBroken) throw new Error('a secret');
    return 'a_total 1\n';
  });

  const failure = await fetch(`${url}/metrics`);
  isBroken = false;
  const success = await fetch(`${url}/metrics`);

  assert.deepEqual([failure.status, success.status], [500, 200]);
  assert.doesNotMatch(await failure.text(), /secret/);
});

test('A port that is in use fails with the system’s error', async (t) => {
  const other = createServer().listen(0, '127.0.0.1');
  t.after(() => other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;

  const opening = serveMetrics('127.0.0.1', port, async () => '');

  await assert.rejects(opening, { code: 'EADDRINUSE' });
});

test('Closing frees the port, and does not wait for a response that takes long', async () => {
  const port = await freePort();
  const { promise: requestArrived, resolve: arrive } = Promise.withResolvers<void>();
  const address = await serveMetrics('127.0.0.1', port, () => {
    arrive();
    return new Promise(() => {});
  });
  const request = fetch(`http://127.0.0.1:${port}/metrics`);
  const rejection = assert.rejects(request, TypeError);
  await requestArrived;

  await address.close();

  await rejection;
  await assert.rejects(fetch(`http://127.0.0.1:${port}/metrics`), TypeError);
});

test('A process has metrics for its memory, its processor time and the lag of its event loop', async () => {
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

test('The buckets of a histogram are cumulative', async () => {
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
