// The load: sends prepared requests over a few connections, one at a time on each, and reports how fast they were
// answered. It is a process of its own, so that its cost isn't the server's. Reads its orders as JSON from stdin.

import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

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

// Bytes read at once; a longer response arrives in pieces.
const LARGEST_PIECE = 65_536;
const NOTHING = Buffer.alloc(0);
const UNCOUNTED_MS = 500;

const orders = JSON.parse(await text(process.stdin)) as Orders;
process.stdout.write(JSON.stringify(await run(orders)));

async function run({ port, connections, requests, seconds, status, yieldsCore }: Orders): Promise<Report> {
  const buffers = requests.map((request) => Buffer.from(request));
  const statusLine = Buffer.from(`HTTP/1.1 ${status} `);
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
    p50: latencies[Math.floor(latencies.length * 0.5)] ?? 0,
    p99: latencies[Math.floor(latencies.length * 0.99)] ?? 0,
    bytes,
    cpu: (user + system) / 1e6 / elapsed,
  };

  function beginToCount(now: number): void {
    start = now;
    cpuBefore = process.cpuUsage();
    latencies.length = 0;
  }

  function converse(done: () => void, fail: (error: Error) => void): void {
    // Always reads into the same buffer: while the load is busy here, the server gets no new request.
    const onread = { buffer: Buffer.allocUnsafe(LARGEST_PIECE), callback: take };
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread });
    let received: Buffer = NOTHING;
    let sentAt = 0;
    const send = (): void => {
      const finished = seconds === undefined ? next >= buffers.length : performance.now() >= until;
      if (finished) {
        socket.destroy();
        done();
        return;
      }
      sentAt = performance.now();
      socket.write(buffers[next % buffers.length] as Buffer);
      next += 1;
    };
    socket.on('connect', send);
    socket.on('error', fail);

    function take(size: number, buffer: Uint8Array): boolean {
      const chunk = Buffer.from(buffer.buffer, buffer.byteOffset, size);
      const all = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const length = answerLength(all);
      if (length === undefined || all.length < length) {
        // Copied, because the next piece overwrites the buffer.
        received = Buffer.from(all);
        return true;
      }
      const now = performance.now();
      if (start < countsFrom && now >= countsFrom) beginToCount(now);
      latencies.push(now - sentAt);
      answered += 1;
      bytes = length;
      if (all.compare(statusLine, 0, statusLine.length, 0, statusLine.length) !== 0) {
        wrong += 1;
        firstWrong ??= all.toString('latin1', 0, 400);
      }
      received = NOTHING;
      send();
      return true;
    }
  }
}

/** Return the response's length, or undefined until enough has arrived. Understands Content-Length and chunks. */
function answerLength(received: Buffer): number | undefined {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const head = received.toString('latin1', 0, headEnd);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length !== undefined) return headEnd + 4 + Number(length);
  if (!/\r\ntransfer-encoding: chunked/i.test(head)) return headEnd + 4;
  const end = received.indexOf('0\r\n\r\n', headEnd + 4);
  return end === -1 ? undefined : end + 5;
}
