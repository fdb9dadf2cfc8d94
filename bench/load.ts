// The load: sends prepared requests over a few connections, one at a time on each, and tells how fast they were answered.
// A process of its own, so that what it costs is not the server's. Reads its orders as JSON from standard input.

import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Orders {
  port: number;
  connections: number;
  /**
   * Whole requests; each is sent once, in order, unless `seconds` is given: then they go round for that long. The first
   * moment, in which this process is compiled, is not counted.
   */
  requests: string[];
  seconds?: number;
  /** Not to keep the core awake: for a load that shares its core with what it asks. */
  sleepy?: boolean;
  /** The status that counts as right. */
  status: number;
}

export interface Report {
  /** All of them; what follows is told of those that count. */
  answered: number;
  wrong: number;
  firstWrong: string | undefined;
  seconds: number;
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** The last answer's length, head and all. */
  bytes: number;
  /** The share of its core that the load itself took. */
  cpu: number;
}

// Of what is read at once; a longer answer comes in pieces.
const LARGEST_PIECE = 65_536;
const NOTHING = Buffer.alloc(0);
const UNCOUNTED_MS = 500;

const orders = JSON.parse(await text(process.stdin)) as Orders;
process.stdout.write(JSON.stringify(await run(orders)));

async function run({ port, connections, requests, seconds, status, sleepy }: Orders): Promise<Report> {
  const buffers = requests.map((request) => Buffer.from(request));
  const right = Buffer.from(`HTTP/1.1 ${status} `);
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

  // Keeps this core awake: to wake a sleeping one costs who sends it something more than small answers cost, and a
  // fast server, which never lets the load sleep, would be spared what a slow one pays.
  let spinning = !sleepy;
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
    // Into one and the same memory each time: what an answer costs here is missing at the server it is asked of.
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
        // The next piece comes to the same place.
        received = Buffer.from(all);
        return true;
      }
      const now = performance.now();
      if (start < countsFrom && now >= countsFrom) beginToCount(now);
      latencies.push(now - sentAt);
      answered += 1;
      bytes = length;
      if (all.compare(right, 0, right.length, 0, right.length) !== 0) {
        wrong += 1;
        firstWrong ??= all.toString('latin1', 0, 400);
      }
      received = NOTHING;
      send();
      return true;
    }
  }
}

/** How long the answer will be, once its head has arrived. Understands Content-Length and chunks. */
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
