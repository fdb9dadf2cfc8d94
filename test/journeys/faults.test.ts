// What breaks while the service is used, and what its users notice: processes that are killed or paused, databases
// that are away, a disk without room, nodes that are replaced. Whatever was acknowledged holds afterwards, and nothing
// revoked is honoured meanwhile. `npm run faults` breaks each thing more often and tells what was counted.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { compose } from '../../src/compose.ts';
import { readConfig } from '../../src/config.ts';
import { startBalancer } from '../support/balancer.ts';
import { Caller } from '../support/caller.ts';
import { createPostgresDatabase, type Scope, temporaryFolder } from '../support/databases.ts';
import { type Engine, startPostgres, startRedis } from '../support/engines.ts';
import { childrenOf, type Program, startProgram, untilTrue } from '../support/program.ts';
import { freePort, isListening } from '../support/services.ts';
import { prepareTraffic, type Traffic } from './traffic.ts';

const ROUNDS = Number(process.env.FAULTS || 1);
const IS_LONG = ROUNDS > 1;
const ROUNDS_OF_PAUSES = IS_LONG ? 2 : 1;
const AWHILE_MS = IS_LONG ? 1500 : 500;
const PAUSE_OF_NODE_MS = IS_LONG ? 30_000 : 2000;
// After a longer pause the time of idle connections, and of those who wait for the database, has run out before the
// process sees what came meanwhile. And one that is paused while it writes keeps others from writing to its file.
const OUTLASTED = IS_LONG ? ['ECONNRESET', '503'] : [];
const LOAD = IS_LONG ? { callers: 16, each: 100 } : { callers: 8, each: 25 };
const PROFILE = '/api/open/v1/me';
const GET = 'GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n';
const LIMITLESS = {
  LOG_LEVEL: 'warn',
  RATE_LIMIT_PER_MINUTE: '1000000000',
  TOKEN_RATE_LIMIT_PER_MINUTE: '1000000000',
};
const bounded = { timeout: IS_LONG ? 240_000 : 60_000 };
const onPostgres = { ...bounded, skip: !process.env.TEST_POSTGRES_URL && 'no PostgreSQL' };

test(
  'A worker that is killed takes with it only what its own connections were asking',
  bounded,
  async (t) => {
    const scope = scopeOf(t);
    const node = await openNode(scope, { ...(await onFile(scope)), WORKERS: '2' });
    const traffic = await underLoad(t, node.settings, [node.url], async () => {
      // The newest: the one before may be the only one that serves already.
      const killed = node.workers().at(-1) ?? 0;
      process.kill(killed, 'SIGKILL');
      await untilTrue(() => !node.workers().includes(killed) && node.workers().length === 2);
    });

    const { failures } = traffic.tally;
    assert.deepEqual(Object.keys(failures), failures.ECONNRESET ? ['ECONNRESET'] : []);
    assert.ok((failures.ECONNRESET ?? 0) <= ROUNDS * LOAD.callers, JSON.stringify(failures));
    assert.ok(traffic.tally.longestSilence < 1000, `${traffic.tally.longestSilence} ms`);
  },
);

test('A killed service comes back with all that it acknowledged', bounded, async (t) => {
  const scope = scopeOf(t);
  const node = await openNode(scope, { ...(await onFile(scope)), WORKERS: '2' });
  const traffic = await underLoad(t, node.settings, [node.url], async () => {
    for (const pid of [...node.workers(), node.pid()]) process.kill(pid, 'SIGKILL');
    await node.start();
  });

  assert.deepEqual(without(traffic.tally.failures, 'ECONNRESET', 'ECONNREFUSED'), {});
});

test('When one of two nodes is killed the other goes on', onPostgres, async (t) => {
  const scope = scopeOf(t);
  const { nodes, url, settings } = await openTwoNodes(scope);
  const [first] = nodes;
  const traffic = await underLoad(t, settings, [url], async () => {
    process.kill(first.pid(), 'SIGKILL');
    await pause(AWHILE_MS);
    await first.start();
  });

  // A POST that broke off is not asked twice, since it may have happened.
  assert.deepEqual(without(traffic.tally.failures, '502'), {});
  assert.ok((traffic.tally.failures['502'] ?? 0) <= ROUNDS * LOAD.callers);
  assert.ok(traffic.tally.longestSilence < 1000, `${traffic.tally.longestSilence} ms`);
});

test(
  'Without Redis nothing fails, each node counts for itself, and it is shared again afterwards',
  onPostgres,
  async (t) => {
    const scope = scopeOf(t);
    const redis = await startRedis(scope);
    if (redis === undefined) return t.skip('no Redis');
    const { nodes, url, settings } = await openTwoNodes(scope, redis);
    const callers = nodes.map((node) => new Caller(node.url));
    scope.after(() => {
      for (const caller of callers) caller.close();
    });
    let token = '';
    // What is left after one request at each node: one less, if they count together.
    const left = async () => {
      const answers = [];
      for (const caller of callers) answers.push(await caller.get(PROFILE, token));
      return answers.map(({ headers }) => Number(/r=(\d+)/.exec(String(headers.ratelimit))?.[1]));
    };
    const traffic = await underLoad(t, settings, [url], async ({ spare }) => {
      token = spare.shift() ?? '';
      const [before = 0, next] = await left();
      assert.equal(next, before - 1);
      await redis.crash();
      await pause(AWHILE_MS);
      const [alone, other] = await left();
      assert.equal(alone, other);
      await redis.start();
      await untilTrue(async () => {
        const [one = 0, two] = await left();
        return two === one - 1;
      });
    });

    assert.deepEqual(traffic.tally.failures, {});
    for (const node of nodes) assert.match(node.printed(), /the shared counter does not answer/);
  },
);

for (const [how, end] of [
  ['stopped', (postgres: Engine) => postgres.stop()],
  ['crashed', (postgres: Engine) => postgres.crash()],
] as const) {
  test(`While PostgreSQL is ${how} requests are refused, and nothing is lost`, onPostgres, async (t) => {
    const scope = scopeOf(t);
    const postgres = await startPostgres(scope);
    const node = await openNode(scope, { DATABASE_URL: postgres.url });
    const pid = node.pid();
    const traffic = await underLoad(t, node.settings, [node.url], async () => {
      await end(postgres);
      const [ready, healthy] = await Promise.all(
        ['readyz', 'healthz'].map((path) => fetch(`${node.url}/${path}`)),
      );
      await postgres.start();

      assert.equal(ready?.status, 503);
      assert.ok(Number(ready?.headers.get('retry-after')) > 0);
      assert.equal(healthy?.status, 200);
      await untilTrue(async () => (await fetch(`${node.url}/readyz`)).ok);
    });

    assert.equal(node.pid(), pid);
    assert.deepEqual(without(traffic.tally.failures, '503'), {});
    assert.ok((traffic.tally.failures['503'] ?? 0) > 0);
  });
}

test(
  'On a full disk writes are refused, reads go on, and with room again all is well',
  bounded,
  async (t) => {
    const scope = scopeOf(t);
    const { folder, fill, free } = await openSmallDisk(scope);
    const node = await openNode(scope, { DATABASE_URL: `file:${join(folder, 'portico.db')}` });
    const traffic = await underLoad(
      t,
      node.settings,
      [node.url],
      async ({ tally }) => {
        fill(node.pid());
        const refused = () => tally.failures['503'] ?? 0;
        const before = refused();
        await untilTrue(() => refused() > before);
        const { reads } = tally.acknowledged;
        await pause(AWHILE_MS);
        assert.ok(tally.acknowledged.reads > reads + 10);
        free(node.pid());
      },
      { isRefusalCertain: true },
    );

    assert.deepEqual(without(traffic.tally.failures, '503'), {});
  },
);

test('A node that was paused refuses at once what was revoked meanwhile', onPostgres, async (t) => {
  const scope = scopeOf(t);
  const { nodes, settings } = await openTwoNodes(scope);
  const [paused, other] = nodes;
  const traffic = await underLoad(
    t,
    settings,
    [paused.url, other.url],
    (traffic) => revokeDuringPause(traffic, paused.pid(), paused.url, other.url),
    { rounds: ROUNDS_OF_PAUSES },
  );

  assert.deepEqual(without(traffic.tally.failures, ...OUTLASTED), {});
});

test('A worker that was paused refuses at once what was revoked meanwhile', bounded, async (t) => {
  const scope = scopeOf(t);
  const node = await openNode(scope, { ...(await onFile(scope)), WORKERS: '2' });
  const traffic = await underLoad(
    t,
    node.settings,
    [node.url],
    (traffic) => revokeDuringPause(traffic, node.workers()[0] ?? 0, node.url, node.url),
    { rounds: ROUNDS_OF_PAUSES },
  );

  assert.deepEqual(without(traffic.tally.failures, ...OUTLASTED), {});
});

for (const workers of ['1', '2']) {
  test(
    `What was accepted is finished, and connections end with an answer (${workers} at work)`,
    bounded,
    async (t) => {
      const scope = scopeOf(t);
      const node = await openNode(scope, { ...(await onFile(scope)), WORKERS: workers });
      const lines = await Promise.all([1, 2, 3, 4].map(() => openLine(scope, node.url)));
      const [slow, ...idle] = lines as [Line, ...Line[]];
      for (const line of lines) assert.match(await line.ask(GET), /200 OK.*Connection: keep-alive/is);
      const form = 'grant_type=refresh_token&client_id=nobody';
      slow.write(`POST /api/oauth/token HTTP/1.1\r\nHost: here\r\nContent-Length: ${form.length}\r\n`);
      slow.write(`Content-Type: application/x-www-form-urlencoded\r\n\r\n${form.slice(0, 10)}`);
      await pause(50);
      const stopped = node.stop();
      await untilTrue(async () => !(await isListening(Number(new URL(node.url).port))));

      for (const line of idle) assert.match(await line.ask(GET), /200 OK.*Connection: close/is);
      assert.match(await slow.ask(form.slice(10)), /HTTP\/1.1 40[01].*Connection: close/is);
      for (const line of lines) await line.ended;
      const since = performance.now();
      await stopped;
      assert.ok(performance.now() - since < 1000);
    },
  );
}

test('Two nodes that are stopped and started in turn fail nobody', onPostgres, async (t) => {
  const scope = scopeOf(t);
  const { nodes, url, settings } = await openTwoNodes(scope);
  const traffic = await underLoad(t, settings, [url], async () => {
    for (const node of nodes) {
      await node.stop();
      await node.start();
      await pause(AWHILE_MS);
    }
  });

  assert.deepEqual(traffic.tally.failures, {});
});

// --- what is broken

interface Node {
  url: string;
  settings: Record<string, string>;
  pid(): number;
  workers(): number[];
  printed(): string;
  /** Starts it anew, at the same address with the same settings. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

async function openNode(scope: Scope, settings: Record<string, string>): Promise<Node> {
  const port = await freePort();
  let program: Program;
  const node: Node = {
    url: `http://127.0.0.1:${port}`,
    settings,
    pid: () => program.pid,
    workers: () => childrenOf(program.pid),
    printed: () => program.printed(),
    async start() {
      program = await startProgram({ ...LIMITLESS, ...settings }, port);
      await program.opened();
    },
    stop: () => program.stop(),
  };
  await node.start();
  scope.after(() => node.stop());
  return node;
}

/** Two nodes on PostgreSQL behind a proxy, with a Redis if one is given. */
async function openTwoNodes(scope: Scope, redis?: Engine) {
  const settings = {
    DATABASE_URL: await createPostgresDatabase(scope),
    TRUST_PROXY: '127.0.0.1',
    ...(redis && { REDIS_URL: redis.url }),
  };
  const nodes: [Node, Node] = [await openNode(scope, settings), await openNode(scope, settings)];
  const balancer = await startBalancer(nodes.map((node) => node.url));
  scope.after(() => balancer.close());
  return { nodes, url: balancer.url, settings };
}

async function onFile(scope: Scope): Promise<Record<string, string>> {
  return { DATABASE_URL: `file:${join(await temporaryFolder(scope), 'portico.db')}` };
}

/** As root a disk of its own; else a limit to the size of the files that the process writes. */
async function openSmallDisk(scope: Scope) {
  const folder = await temporaryFolder(scope);
  if (process.getuid?.() !== 0) {
    const limit = (size: string) => (pid: number) =>
      void execFileSync('prlimit', ['--pid', String(pid), `--fsize=${size}:`]);
    return { folder, fill: limit('100000'), free: limit('unlimited') };
  }
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder]);
  scope.after(() => void execFileSync('umount', ['--lazy', folder]));
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill(_pid: number) {
      try {
        for (;;) writeFileSync(ballast, Buffer.alloc(4096), { flag: 'a' });
      } catch (error) {
        assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
      }
    },
    free: (_pid: number) => rmSync(ballast),
  };
}

// --- what is seen of it

interface LoadOptions {
  rounds?: number;
  isRefusalCertain?: boolean;
}

/** Breaks something several times under load, and checks what must hold whatever breaks. */
async function underLoad(
  t: TestContext,
  settings: Record<string, string>,
  addresses: readonly string[],
  fault: (traffic: Traffic) => Promise<void>,
  { rounds = ROUNDS, isRefusalCertain = false }: LoadOptions = {},
): Promise<Traffic> {
  const portico = await compose(readConfig({ ...settings, LOG_LEVEL: 'silent' }));
  await portico.database.migrate();
  const traffic = await prepareTraffic(portico, addresses, { ...LOAD, isRefusalCertain });
  await portico.close();
  try {
    traffic.start();
    await pause(AWHILE_MS);
    for (let round = 0; round < rounds; round += 1) {
      await fault(traffic);
      await pause(AWHILE_MS);
    }
  } finally {
    await traffic.settle();
    traffic.close();
  }
  const { wrong, failures, acknowledged, requests, longestSilence, slowest } = traffic.tally;
  t.diagnostic(
    `${rounds} × broken, ${requests} requests, failed: ${JSON.stringify(failures)}, acknowledged: ` +
      `${JSON.stringify(acknowledged)}, wrong: ${wrong.length}, longest silence ${Math.round(longestSilence)} ms, ` +
      `slowest answer ${Math.round(slowest)} ms`,
  );
  assert.deepEqual(wrong.slice(0, 5), []);
  for (const [what, count] of Object.entries(acknowledged)) assert.ok(count > 0, `${what}: ${count}`);
  return traffic;
}

/** Stops a process for a while. What is revoked in this time must be refused by its first answers afterwards. */
async function revokeDuringPause(
  { spare, client, tally }: Traffic,
  pid: number,
  url: string,
  elsewhere: string,
): Promise<void> {
  const credentials = { client_id: client.id, client_secret: client.secret };
  const readers = spare.splice(0, 16).map((token) => ({ token, reader: new Caller(url) }));
  const revokers = readers.map(() => new Caller(elsewhere));
  for (const { token, reader } of readers) assert.equal((await reader.get(PROFILE, token)).status, 200);
  process.kill(pid, 'SIGSTOP');
  const revocations = readers.map(async ({ token }, index) => {
    const answer = await revokers[index]?.post('/api/oauth/revoke', { ...credentials, token });
    return answer?.status === 200;
  });
  try {
    const late = pause(1000).then(() => false);
    const isRevoked = await Promise.all(revocations.map((revocation) => Promise.race([revocation, late])));
    const asked = readers.filter((_, index) => isRevoked[index]);
    const answers = asked.map(({ token, reader }) =>
      reader.get(PROFILE, token).catch(() => reader.get(PROFILE, token)),
    );
    await pause(PAUSE_OF_NODE_MS);
    process.kill(pid, 'SIGCONT');
    for (const { status } of await Promise.all(answers)) {
      tally.acknowledged.refusals += 1;
      if (status !== 401) tally.wrong.push(`after a pause a revoked token: ${status}`);
    }
    await Promise.allSettled(revocations);
  } finally {
    process.kill(pid, 'SIGCONT');
    for (const caller of [...revokers, ...readers.map(({ reader }) => reader)]) caller.close();
  }
}

interface Line {
  write(text: string): void;
  /** Sends something and returns what comes back next; nothing, if the connection ends. */
  ask(text: string): Promise<string>;
  ended: Promise<unknown>;
}

/** A connection, as it is on the wire. */
async function openLine(scope: Scope, url: string): Promise<Line> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8');
  scope.after(() => void socket.destroy());
  await once(socket, 'connect');
  const ended = new Promise<[]>((resolve) => socket.once('close', () => resolve([])));
  socket.on('error', () => {});
  return {
    write: (text) => void socket.write(text),
    async ask(text) {
      socket.write(text);
      const [answer] = await Promise.race([once(socket, 'data'), ended]);
      return answer ?? '';
    },
    ended,
  };
}

function without(failures: Record<string, number>, ...kinds: string[]): Record<string, number> {
  return Object.fromEntries(Object.entries(failures).filter(([kind]) => !kinds.includes(kind)));
}

/** Ends what is opened in a test, the last first. */
function scopeOf(t: TestContext): Scope {
  const ends: (() => void | Promise<void>)[] = [];
  t.after(async () => {
    for (const end of ends.reverse()) await end();
  });
  return { after: (end) => void ends.push(end) };
}
