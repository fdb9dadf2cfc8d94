// Fuzzing the server: many connections at once, each with a stream of bytes, and beside them correct requests whose
// answers must be right.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { minimised } from '../minimising.ts';
import { type HttpAnswer, MalformedAnswer, readAnswers } from './answers.ts';
import type { Usage } from './serving.ts';
import { type Credentials, filled, streamAt } from './streams.ts';

/** A stream that breaks something. */
export interface HttpFinding {
  seed: number;
  index: number;
  problem: string;
  /** The shortest stream with a problem, in base64, before its words in braces are filled in. */
  input: string;
}

export interface HttpRun {
  findings: HttpFinding[];
  /** Answers by status; 0 counts the connections that were closed without one. */
  statuses: Map<number, number>;
  /** What the server kept in memory, in megabytes. */
  kept: number;
  /** The most processor time that a batch took, in milliseconds. */
  slowestBatch: number;
}

const AT_ONCE = 64;
/** Processor time of the server for one stream, about ten times what the slowest one takes. */
const MOST_MS = 1500;
const MOST_KEPT_MEGABYTES = 64;
/** A connection that is silent for so long, while the server is idle, has stopped within a request. */
const QUIET_MS = 50;
const QUESTIONS = 3;
const QUIET_ROUNDS = 2;
const ROUNDS_UNANSWERED = 100;
const ROUNDS_OF_CORRECT_REQUEST = 400;
const MINIMISING_SECONDS = 20;
const MOST_FINDINGS = 5;

/** Sends `inputs` streams, numbered from 0. Ends early after a few findings. */
export async function fuzzHttp(seed: number, inputs: number): Promise<HttpRun> {
  await using server = await startServer();
  const run: HttpRun = { findings: [], statuses: new Map(), kept: 0, slowestBatch: 0 };
  let memoryBefore = 0;
  for (let from = 0; from < inputs && run.findings.length < MOST_FINDINGS; from += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, inputs - from) }, (_, index) => from + index);
    await runBatch(server, run, seed, numbers);
    if (memoryBefore === 0 && from >= inputs / 4) memoryBefore = (await server.ask('memory')).megabytes;
  }
  run.kept = (await server.ask('memory')).megabytes - memoryBefore;
  assert.ok(run.kept < MOST_KEPT_MEGABYTES || inputs < 1000, `the server kept ${Math.round(run.kept)} MB`);
  return run;
}

/** Says what was found and how to see it again. */
export function describeHttpFinding({ seed, index, problem, input }: HttpFinding): string {
  return [
    `http (seed ${seed}, stream ${index}): ${problem}`,
    `minimised: ${input}`,
    `again: npm run fuzz -- --target http --base64 ${input.length > 200 ? '…' : input}`,
  ].join('\n');
}

/** Judges one stream. */
export async function judgeStream(stream: string): Promise<string | undefined> {
  await using server = await startServer();
  return (await problemWith(server, stream, 0)) ?? (await slowness(server, stream, 0));
}

async function runBatch(
  server: Server,
  run: HttpRun,
  seed: number,
  numbers: readonly number[],
): Promise<void> {
  const before = await server.ask('usage');
  const [problems] = await Promise.all([
    Promise.all(numbers.map((index) => problemAt(server, run, seed, index))),
    Promise.all(server.credentials.map((who) => checkOwnAnswer(server, who))),
  ]);
  const ms = (await server.ask('usage')).ms - before.ms;
  run.slowestBatch = Math.max(run.slowestBatch, ms);
  for (const [position, problem] of problems.entries()) {
    const index = numbers[position] ?? 0;
    if (problem !== undefined) run.findings.push(await findingFrom(server, seed, index, problem));
  }
  if (ms < MOST_MS) return;
  for (const index of numbers) {
    const { stream } = streamAt(seed, index);
    const problem = await slowness(server, stream, index);
    if (problem !== undefined) run.findings.push(await findingFrom(server, seed, index, problem));
  }
}

// Earlier streams may have closed their connections, but the server must still answer correct requests.
async function checkOwnAnswer(server: Server, { apiToken, username, host }: Credentials): Promise<void> {
  const request = `GET /api/open/v1/me HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${apiToken}\r\n`;
  const [answer] = readAnswers(
    await exchange(server, `${request}Connection: close\r\n\r\n`, [], ROUNDS_OF_CORRECT_REQUEST),
    false,
  );
  assert.equal(answer?.status, 200, 'a correct request beside the streams was not served');
  assert.equal(
    JSON.parse(answer.body).username,
    username,
    'a request was answered with data of another member',
  );
}

async function problemAt(
  server: Server,
  run: HttpRun,
  seed: number,
  index: number,
): Promise<string | undefined> {
  const { stream, cuts } = streamAt(seed, index);
  return problemWith(server, stream, index, cuts, (status) =>
    run.statuses.set(status, (run.statuses.get(status) ?? 0) + 1),
  );
}

/** Sends a stream and says what is wrong with the answers. Members take turns. */
async function problemWith(
  server: Server,
  stream: string,
  index: number,
  cuts: readonly number[] = [],
  onStatus: (status: number) => void = () => {},
): Promise<string | undefined> {
  const who = server.credentials[index % 2] as Credentials;
  const other = server.credentials[(index + 1) % 2] as Credentials;
  const bytes = filled(stream, who);
  // If the stream ends with a complete request, this one is answered too, and closes the connection.
  const last = `GET /healthz HTTP/1.1\r\nHost: ${who.host}\r\nConnection: close\r\n\r\n`;
  try {
    const received = await exchange(server, bytes + last, cuts);
    if (received === '') onStatus(0);
    if (received.includes(other.username)) return 'an answer has data of another member';
    const answers = readAnswers(received, /HEAD/i.test(bytes));
    for (const answer of answers) {
      onStatus(answer.status);
      const problem = problemOf(answer);
      if (problem !== undefined) return problem;
    }
    return undefined;
  } catch (error) {
    if (error instanceof MalformedAnswer) return `a malformed answer: ${error.message}`;
    throw error;
  }
}

function problemOf({ status, headers, body }: HttpAnswer): string | undefined {
  if (status >= 500) return `an answer with status ${status}: ${body.slice(0, 300)}`;
  // 100 Continue is not the answer yet.
  if (status < 200) return undefined;
  if (headers.get('x-content-type-options') !== 'nosniff') return `an answer ${status} without nosniff`;
  const policy = headers.get('content-security-policy') ?? '';
  if (!policy.includes("default-src 'none'")) return `an answer ${status} without a content security policy`;
  if (!policy.includes("frame-ancestors 'none'")) return `an answer ${status} that may be framed`;
  return undefined;
}

async function slowness(server: Server, stream: string, index: number): Promise<string | undefined> {
  const before = await server.ask('usage');
  await problemWith(server, stream, index);
  const ms = (await server.ask('usage')).ms - before.ms;
  return ms < MOST_MS ? undefined : `took ${Math.round(ms)} ms of the server`;
}

async function findingFrom(
  server: Server,
  seed: number,
  index: number,
  problem: string,
): Promise<HttpFinding> {
  const isSlow = problem.startsWith('took ');
  const { stream, cuts } = streamAt(seed, index);
  const judge = (shorter: string) =>
    isSlow ? slowness(server, shorter, index) : problemWith(server, shorter, index);
  const hasProblem = async (shorter: string) => (await judge(shorter)) !== undefined;
  // A problem that appears only if the stream is sent in pieces is not minimised.
  const shortest = (await hasProblem(stream))
    ? await minimised(stream, hasProblem, MINIMISING_SECONDS)
    : stream;
  const text = cuts.length > 0 ? `${problem} (sent in pieces, cut at ${cuts.join(', ')})` : problem;
  return { seed, index, problem: text, input: Buffer.from(shortest, 'latin1').toString('base64') };
}

/** Sends bytes, and returns all that comes back until the connection ends, or is silent while the server is idle. */
async function exchange(
  server: Server,
  bytes: string,
  cuts: readonly number[],
  rounds = QUIET_ROUNDS,
): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  const received: Buffer[] = [];
  // The server may close while the rest is being sent.
  socket.on('data', (chunk: Buffer) => received.push(chunk)).on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  let from = 0;
  for (const to of [...cuts, bytes.length]) {
    if (!socket.destroyed) socket.write(bytes.slice(from, to), 'latin1');
    from = to;
    if (cuts.length > 0) await nextTurn();
  }
  // The last request asks the server to close, so this waits only where a stream stopped within a request.
  for (let silent = 0; silent < rounds && !socket.closed; silent += 1) {
    const chunks = received.length;
    await Promise.race([closed, pause(QUIET_MS)]);
    // Between these questions the server makes progress, even on a busy machine.
    for (let count = 0; count < QUESTIONS && !socket.closed; count += 1) await server.ask('usage');
    if (received.length !== chunks) silent = -1;
  }
  const localPort = socket.localPort ?? 0;
  const isUnanswered = !socket.closed && (await staysUnanswered(server, localPort));
  socket.destroySoon();
  await closed;
  if (isUnanswered) throw new MalformedAnswer('no answer to a complete request');
  return Buffer.concat(received).toString('latin1');
}

// Hashing passwords is slow, and requests with passwords wait for one another.
async function staysUnanswered(server: Server, port: number): Promise<boolean> {
  for (let round = 0; round < ROUNDS_UNANSWERED; round += 1) {
    if (!(await server.ask('usage')).unanswered.includes(port)) return false;
    await pause(QUIET_MS);
  }
  return true;
}

/** The server in its thread. */
interface Server extends AsyncDisposable {
  port: number;
  credentials: readonly Credentials[];
  ask(question: 'usage' | 'memory'): Promise<Usage>;
}

/** Starts the server. An error that nothing catches there fails whoever asks next. */
async function startServer(): Promise<Server> {
  const worker = new Worker(new URL('serving.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 32 },
  });
  const [credentials] = (await once(worker, 'message')) as [Credentials[]];
  let failure: Error | undefined;
  let asked = 0;
  const waiting = new Map<number, Pick<PromiseWithResolvers<Usage>, 'resolve' | 'reject'>>();
  worker.on('message', (usage: Usage) => {
    waiting.get(usage.id)?.resolve(usage);
    waiting.delete(usage.id);
  });
  worker.on('error', (error: Error) => {
    failure = error;
    for (const { reject } of waiting.values()) reject(new Error('The server ended.', { cause: error }));
  });
  return {
    port: Number(new URL(`http://${credentials[0]?.host}`).port),
    credentials,
    ask(question) {
      if (failure !== undefined) throw new Error('The server ended.', { cause: failure });
      const id = asked++;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        worker.postMessage({ id, question });
      });
    },
    async [Symbol.asyncDispose]() {
      await worker.terminate();
    },
  };
}
