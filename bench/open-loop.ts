// A load that doesn't wait for the server: it sends requests at planned moments, a Poisson process, whether or not
// earlier ones were answered, and counts each latency from the planned moment. A server that pauses thus pays for all
// requests that it kept waiting. A process of its own; reads its orders as JSON from stdin.

import { text } from 'node:stream/consumers';
import { type Connection, hasStatus, openConnection, quantile, statusLineOf } from './connection.ts';

export interface Kind {
  name: string;
  status: number;
  /** How often it is requested, relative to the others. */
  weight: number;
  /** Whole requests, sent in order; again from the first one if `isRepeatable`. */
  requests: string[];
  isRepeatable: boolean;
}

export interface OpenOrders {
  port: number;
  /** How many requests can be under way. Further ones wait, and that counts. */
  connections: number;
  kinds: Kind[];
  /** Requests per second; without it, each connection sends as soon as it can (a closed loop). */
  perSecond?: number;
  seconds: number;
  /** Leaves the core to others while waiting. Planned moments are then kept only to the millisecond. */
  yieldsCore: boolean;
}

export interface KindReport {
  name: string;
  answered: number;
  wrong: number;
  /** Milliseconds from the planned moment. */
  p50: number;
  p99: number;
  p999: number;
}

export interface OpenReport {
  /** Answers per second. */
  perSecond: number;
  /** The share of requests that no connection was free for at their moment. */
  late: number;
  /** Requests that had no answer when the load gave up. */
  unanswered: number;
  firstWrong: string | undefined;
  kinds: KindReport[];
}

interface Planned {
  kind: number;
  at: number;
}

// Requests of the first second compile the code, and aren't counted.
const UNCOUNTED_MS = 1000;
// How long the load waits for answers after the last planned moment.
const PATIENCE_MS = 10_000;

const orders = JSON.parse(await text(process.stdin)) as OpenOrders;
process.stdout.write(JSON.stringify(await run(orders)));
process.exit(0);

async function run({
  port,
  connections,
  kinds,
  perSecond,
  seconds,
  yieldsCore,
}: OpenOrders): Promise<OpenReport> {
  const work = kinds.map(({ status, requests, ...kind }) => ({
    ...kind,
    statusLine: statusLineOf(status),
    requests: requests.map((request) => Buffer.from(request)),
    next: 0,
    wrong: 0,
    latencies: [] as number[],
  }));
  const weights = kinds.reduce((sum, { weight }) => sum + weight, 0);
  const waiting: Planned[] = [];
  let waitingFrom = 0;
  const free: Connection[] = [];
  const underWay = new Map<Connection, Planned>();
  let [sent, lateOnes, firstWrong]: [number, number, string | undefined] = [0, 0, undefined];

  await new Promise<void>((resolve, reject) => {
    const opened = (connection: Connection) => {
      free.push(connection);
      if (free.length === connections) resolve();
    };
    for (let index = 0; index < connections; index += 1) {
      openConnection(port, { opened, answered, failed: reject });
    }
  });
  const start = performance.now();
  const countsFrom = start + UNCOUNTED_MS;
  const end = countsFrom + seconds * 1000;
  let nextAt = start;
  let last = start;
  await new Promise<void>((resolve) => {
    const wake = () => {
      const now = performance.now();
      plan(now);
      const isOver = now >= end && waitingFrom === waiting.length && underWay.size === 0;
      if (isOver || now >= end + PATIENCE_MS) resolve();
      else if (yieldsCore) setTimeout(wake, 1);
      else setImmediate(wake);
    };
    wake();
  });

  const answeredInTime = work.reduce((sum, { latencies }) => sum + latencies.length, 0);
  return {
    perSecond: answeredInTime / ((last - countsFrom) / 1000),
    late: lateOnes / sent,
    unanswered: underWay.size + waiting.length - waitingFrom,
    firstWrong,
    kinds: work.map(({ name, wrong, latencies }) => {
      const sorted = Float64Array.from(latencies).sort();
      const [p50, p99, p999] = [0.5, 0.99, 0.999].map((share) => quantile(sorted, share)) as [
        number,
        number,
        number,
      ];
      return { name, answered: sorted.length, wrong, p50, p99, p999 };
    }),
  };

  /** Send what was planned until now. */
  function plan(now: number): void {
    if (perSecond === undefined) {
      while (now < end && free.length > 0) send(free.shift() as Connection, { kind: anyKind(), at: now });
      return;
    }
    for (; nextAt <= now && nextAt < end; nextAt += (-Math.log(1 - Math.random()) * 1000) / perSecond) {
      const planned = { kind: anyKind(), at: nextAt };
      // Taken in turn, so that the server closes none for being idle.
      const connection = free.shift();
      if (connection !== undefined) {
        send(connection, planned);
      } else {
        waiting.push(planned);
        lateOnes += 1;
      }
    }
  }

  function send(connection: Connection, planned: Planned): void {
    const kind = work[planned.kind] as (typeof work)[number];
    if (kind.next >= kind.requests.length && !kind.isRepeatable)
      throw new Error(`No more requests: ${kind.name}`);
    underWay.set(connection, planned);
    connection.send(kind.requests[kind.next % kind.requests.length] as Buffer);
    kind.next += 1;
    sent += 1;
  }

  function answered(response: Buffer, connection: Connection): void {
    const { kind: index, at } = underWay.get(connection) as Planned;
    const kind = work[index] as (typeof work)[number];
    const now = performance.now();
    if (at >= countsFrom) {
      kind.latencies.push(now - at);
      last = now;
    }
    if (!hasStatus(response, kind.statusLine)) {
      kind.wrong += 1;
      firstWrong ??= `${kind.name}: ${response.toString('latin1', 0, 400)}`;
    }
    underWay.delete(connection);
    const planned = waiting[waitingFrom];
    if (planned !== undefined) {
      waitingFrom += 1;
      send(connection, planned);
    } else {
      free.push(connection);
      if (perSecond === undefined) plan(now);
    }
  }

  function anyKind(): number {
    let rest = Math.random() * weights;
    return Math.max(
      0,
      kinds.findIndex(({ weight }) => {
        rest -= weight;
        return rest < 0;
      }),
    );
  }
}
