// The load: sends prepared requests over a few connections, one at a time on each, and reports how fast they were
// answered. It is a process of its own, so that its cost isn't the server's. Reads its orders as JSON from stdin.

import { text } from 'node:stream/consumers';
import { type Connection, hasStatus, openConnection, quantile, statusLineOf } from './connection.ts';

export interface Orders {
  port: number;
  connections: number;
  /**
   * Whole requests. Each is sent once, in order; with `seconds` they are repeated for that long. The first half second,
   * in which this process's code is compiled, isn't counted.
   */
  requests: string[];
  seconds?: number;
  /** Leaves the core to others while waiting: for a load that shares its core with the server. */
  yieldsCore?: boolean;
  /** The expected status. */
  status: number;
}

export interface Report {
  /** All responses; the speed and the latencies below leave out those that aren't counted. */
  answered: number;
  wrong: number;
  firstWrong: string | undefined;
  seconds: number;
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** The length of the last response, including its head. */
  bytes: number;
  /** The share of its core that the load itself took. */
  cpu: number;
}

const UNCOUNTED_MS = 500;

const orders = JSON.parse(await text(process.stdin)) as Orders;
process.stdout.write(JSON.stringify(await run(orders)));

async function run({ port, connections, requests, seconds, status, yieldsCore }: Orders): Promise<Report> {
  const buffers = requests.map((request) => Buffer.from(request));
  const statusLine = statusLineOf(status);
  const latencies: number[] = [];
  let next = 0;
  let answered = 0;
  let wrong = 0;
  let bytes = 0;
  let firstWrong: string | undefined;
  let cpuBefore = process.cpuUsage();
  let start = performance.now();
  const countsFrom = start + UNCOUNTED_MS;
  const until = seconds === undefined ? Number.POSITIVE_INFINITY : countsFrom + seconds * 1000;

  // Keeps this core awake: waking a sleeping core costs the server more than a small response does. A fast server never
  // lets the load sleep, so only slow ones would pay for it.
  let spinning = !yieldsCore;
  const spin = () => spinning && setImmediate(spin);
  spin();
  await Promise.all(Array.from({ length: connections }, () => new Promise<void>(converse)));
  spinning = false;

  const elapsed = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  latencies.sort((a, b) => a - b);
  return {
    answered,
    wrong,
    firstWrong,
    seconds: elapsed,
    perSecond: latencies.length / elapsed,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    bytes,
    cpu: (user + system) / 1e6 / elapsed,
  };

  function beginToCount(now: number): void {
    start = now;
    cpuBefore = process.cpuUsage();
    latencies.length = 0;
  }

  function converse(done: () => void, fail: (error: Error) => void): void {
    let sentAt = 0;
    openConnection(port, { opened: send, answered: take, failed: fail });

    function send(connection: Connection): void {
      const finished = seconds === undefined ? next >= buffers.length : performance.now() >= until;
      if (finished) {
        connection.close();
        done();
        return;
      }
      sentAt = performance.now();
      connection.send(buffers[next % buffers.length] as Buffer);
      next += 1;
    }

    function take(response: Buffer, connection: Connection): void {
      const now = performance.now();
      if (start < countsFrom && now >= countsFrom) beginToCount(now);
      latencies.push(now - sentAt);
      answered += 1;
      bytes = response.length;
      if (!hasStatus(response, statusLine)) {
        wrong += 1;
        firstWrong ??= response.toString('latin1', 0, 400);
      }
      send(connection);
    }
  }
}
