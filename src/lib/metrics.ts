// Numbers about this process in the text format of Prometheus, and the address where they are read.

import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { collectDefaultMetrics, type Metric, prometheusContentType, Registry } from 'prom-client';
import { SECOND } from './clock.ts';

/** A registry that holds what every process can tell of itself: memory, processor time, delays of its event loop. */
export function openRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const metric of registry.getMetricsAsArray()) {
    // A process that hangs must not disappear in the mean of several.
    if (metric.name.startsWith('nodejs_eventloop_lag_')) metric.aggregator = 'max';
    // The time when the oldest of several began, which would otherwise be left out.
    if (metric.name === 'process_start_time_seconds') metric.aggregator = 'min';
  }
  return registry;
}

/** One line of a metric. The lines of a histogram have names of their own. */
export interface Value {
  metricName?: string;
  labels: Record<string, string | number>;
  value: number;
}

/**
 * Adds a metric whose values are asked for when somebody reads: what is counted for every request is then plain
 * numbers. The library's own counting finds each by the text of its labels, which takes longer than the rest.
 */
export function addMetric(
  registry: Registry,
  type: 'counter' | 'histogram',
  name: string,
  help: string,
  values: () => Value[],
): void {
  const about = { name, help, type, aggregator: 'sum' };
  const metric = { ...about, get: async () => ({ ...about, values: values() }) };
  registry.registerMetric(metric as unknown as Metric);
}

/** The lines of a histogram for one set of labels, of how many observations came to lie below each bound alone. */
export function histogramValues(
  name: string,
  labels: Record<string, string>,
  bounds: readonly number[],
  counts: readonly number[],
  sum: number,
): Value[] {
  let below = 0;
  const buckets = [...bounds, '+Inf'].map((le, index) => {
    below += counts[index] ?? 0;
    return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: below };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: below },
  ];
}

export interface MetricsAddress {
  close(): Promise<void>;
}

/** Serves what `read` gives at /metrics, or fails with the system's error (such as EADDRINUSE). */
export async function serveMetrics(
  host: string,
  port: number,
  read: () => Promise<string>,
): Promise<MetricsAddress> {
  const server = createServer({ headersTimeout: 10 * SECOND, requestTimeout: 10 * SECOND }, answer(read));
  server.listen(port, host);
  await once(server, 'listening');
  return {
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const PATH = /^\/metrics(?:\?|$)/;
const PLAIN = 'text/plain; charset=utf-8';

function answer(read: () => Promise<string>): RequestListener {
  return async ({ url = '', method = '' }, response) => {
    const say = (status: number, type: string, text: string, headers = {}) =>
      response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store', ...headers }).end(text);
    if (!PATH.test(url)) return say(404, PLAIN, 'See /metrics.\n');
    if (method !== 'GET' && method !== 'HEAD') {
      return say(405, PLAIN, 'This is for reading.\n', { Allow: 'GET, HEAD' });
    }
    try {
      return say(200, prometheusContentType, await read());
    } catch {
      return say(500, PLAIN, 'The numbers could not be read.\n');
    }
  };
}
