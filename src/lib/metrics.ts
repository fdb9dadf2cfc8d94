// Metrics of this process in the text format of Prometheus, and the server where Prometheus reads them.

import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { collectDefaultMetrics, type Metric, prometheusContentType, Registry } from 'prom-client';
import { SECOND } from './clock.ts';

/** Open a registry with the metrics that every process has: memory, processor time, event loop delay. */
export function openRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const metric of registry.getMetricsAsArray()) {
    // The mean of several processes would hide one that hangs.
    if (metric.name.startsWith('nodejs_eventloop_lag_')) metric.aggregator = 'max';
    // Aggregation omits this metric by default; the earliest start stands for all processes.
    if (metric.name === 'process_start_time_seconds') metric.aggregator = 'min';
  }
  return registry;
}

/** One line of a metric. Each line of a histogram has a name of its own. */
export interface Value {
  metricName?: string;
  labels: Record<string, string | number>;
  value: number;
}

/**
 * Add a metric whose values are collected when the registry is read, so that a request only increments plain
 * numbers. The library's own counters look up values by their labels, which takes longer than the request.
 */
export function addMetric(
  registry: Registry,
  type: 'counter' | 'histogram' | 'gauge',
  name: string,
  help: string,
  values: () => Value[],
): void {
  const about = { name, help, type, aggregator: 'sum' };
  const metric = { ...about, get: async () => ({ ...about, values: values() }) };
  registry.registerMetric(metric as unknown as Metric);
}

/**
 * Make a histogram's lines for one set of labels. `counts` holds each bucket's own count, not the cumulative
 * one.
 */
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

export interface MetricsServer {
  close(): Promise<void>;
}

/** Serve the result of `read` at /metrics. Fails with the system's error, such as EADDRINUSE. */
export async function serveMetrics(
  host: string,
  port: number,
  read: () => Promise<string>,
): Promise<MetricsServer> {
  const server = createServer({ headersTimeout: 10 * SECOND, requestTimeout: 10 * SECOND }, answer(read));
  server.listen(port, host);
  await once(server, 'listening');
  return {
    async close() {
      const closing = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closing;
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
      return say(405, PLAIN, 'This address is read-only.\n', { Allow: 'GET, HEAD' });
    }
    try {
      return say(200, prometheusContentType, await read());
    } catch {
      return say(500, PLAIN, 'The metrics could not be read.\n');
    }
  };
}
