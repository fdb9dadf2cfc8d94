// The metrics that operators can watch. Labels have few, fixed values, so that a request can't add any.

import type { RequestListener, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { Counter, Gauge, type Registry } from 'prom-client';
import { SECOND, type Timestamp } from '../lib/clock.ts';
import {
  addMetric,
  histogramValues,
  type MetricsServer,
  openRegistry,
  serveMetrics,
} from '../lib/metrics.ts';
import { answerWithMetrics, summedMetrics } from '../lib/summed-metrics.ts';
import { VERSION } from '../lib/version.ts';
import { DOORS, type Door, doorOf, isEventStream } from './routes.ts';

/** The metrics of this process. */
export interface Metrics {
  /** Sees every request when it arrives, and counts it when its answer is sent. */
  watch: RequestListener;
  /** Counts a hit that was counted on this machine alone because Redis did not answer. */
  countFallback(): void;
  /** Counts deleted rows. */
  countPurgedRows(rows: number): void;
  /** Adds the time of the newest backup, which `newest` finds. */
  watchBackups(newest: () => Timestamp | undefined): void;
  /** In a worker: lets the primary process add these numbers to its own. */
  shareWithPrimary(): void;
  /** Serves the metrics at /metrics, summed with those of the workers. */
  serve(host: string, port: number): Promise<MetricsServer>;
}

// `aborted`: the caller closed the connection before the answer was sent.
const CLASSES = ['2xx', '3xx', '4xx', '5xx', 'aborted'] as const;
type Class = (typeof CLASSES)[number];

// In seconds.
const DURATIONS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5];

/** The numbers of one part of the service. */
interface Tally {
  answers: Record<Class, number>;
  /** A count for each bucket of `DURATIONS`, and at the end for requests that took longer. */
  durations: number[];
  seconds: number;
  refused: number;
  unavailable: number;
}

/** Register all metrics. */
export function openMetrics(): Metrics {
  const registry = openRegistry();
  const registers = [registry];
  const tallies = addRequests(registry);
  const localHits = new Counter({
    name: 'portico_shared_counter_away_total',
    help: 'Hits on limits that were counted on this machine alone, because Redis did not answer',
    registers,
  });
  const purgedRows = new Counter({
    name: 'portico_purged_rows_total',
    help: 'Expired rows that were deleted',
    registers,
  });
  const endedWorkers = new Counter({
    name: 'portico_workers_ended_total',
    help: 'Worker processes that ended; each is replaced',
    registers,
  });
  new Gauge({
    name: 'portico_processes',
    help: 'Processes that these numbers are summed over, including the primary process',
    registers,
  }).set(1);
  new Gauge({
    name: 'portico_build_info',
    help: 'Always 1; the labels tell which version runs',
    labelNames: ['version', 'node'],
    aggregator: 'max',
    registers,
  }).set({ version: VERSION, node: process.version }, 1);

  return {
    watch: watcher(tallies),
    countFallback: () => localHits.inc(),
    countPurgedRows: (rows) => purgedRows.inc(rows),
    watchBackups: (newest) =>
      addMetric(
        registry,
        'gauge',
        'portico_last_backup_timestamp_seconds',
        'When the newest backup in BACKUP_TO was made; 0 if there is none',
        () => [{ labels: {}, value: (newest() ?? 0) / SECOND }],
      ),
    shareWithPrimary: () => answerWithMetrics(registry),
    serve: (host, port) =>
      serveMetrics(
        host,
        port,
        summedMetrics(registry, () => endedWorkers.inc()),
      ),
  };
}

// Every number starts at 0, so that its first change shows as an increase.
function addRequests(registry: Registry): Record<Door, Tally> {
  const tallies = Object.fromEntries(DOORS.map((door) => [door, emptyTally()])) as Record<Door, Tally>;
  const byDoor = (numberOf: (tally: Tally) => number) => () =>
    DOORS.map((door) => ({ labels: { door }, value: numberOf(tallies[door]) }));
  addMetric(
    registry,
    'counter',
    'portico_requests_total',
    'Requests by part of the service and by class of the status',
    () =>
      DOORS.flatMap((door) =>
        CLASSES.map((status) => ({ labels: { door, status }, value: tallies[door].answers[status] })),
      ),
  );
  const duration = 'portico_request_duration_seconds';
  addMetric(registry, 'histogram', duration, 'Time from the head of a request to the end of its answer', () =>
    DOORS.flatMap((door) =>
      histogramValues(duration, { door }, DURATIONS, tallies[door].durations, tallies[door].seconds),
    ),
  );
  addMetric(
    registry,
    'counter',
    'portico_rate_limit_refusals_total',
    'Requests answered with 429',
    byDoor(({ refused }) => refused),
  );
  addMetric(
    registry,
    'counter',
    'portico_storage_unavailable_total',
    'Requests answered with 503 because the database did not answer',
    byDoor(({ unavailable }) => unavailable),
  );
  return tallies;
}

function emptyTally(): Tally {
  return {
    answers: { '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0, aborted: 0 },
    durations: [...DURATIONS, Infinity].map(() => 0),
    seconds: 0,
    refused: 0,
    unavailable: 0,
  };
}

const ARRIVAL_TIME = Symbol('arrival time of the request');
type Watched = ServerResponse & { [ARRIVAL_TIME]?: number };

// One listener serves all answers. A closure for each would cost more than the counting.
function watcher(tallies: Record<Door, Tally>): RequestListener {
  function count(this: Watched): void {
    const { statusCode, writableFinished, req } = this;
    const path = pathOf(req.url ?? '');
    if (isEventStream(path)) return;
    const tally = tallies[doorOf(path)];
    const seconds = (performance.now() - (this[ARRIVAL_TIME] ?? 0)) / SECOND;
    tally.answers[writableFinished ? classOf(statusCode) : 'aborted'] += 1;
    tally.seconds += seconds;
    let bucket = 0;
    while (seconds > (DURATIONS[bucket] ?? Infinity)) bucket += 1;
    tally.durations[bucket] = (tally.durations[bucket] ?? 0) + 1;
    if (statusCode === 429) tally.refused += 1;
    if (statusCode === 503) tally.unavailable += 1;
  }

  return (_, response: Watched) => {
    response[ARRIVAL_TIME] = performance.now();
    response.on('close', count);
  };
}

function classOf(status: number): Class {
  if (status < 300) return '2xx';
  if (status < 400) return '3xx';
  return status < 500 ? '4xx' : '5xx';
}

// Every request passes here, so the URL is not parsed.
function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}
