// Faults under load, and what users notice: processes that are killed or paused, databases that are unavailable, a
// full disk, nodes that are replaced. Nothing acknowledged is lost, and no revoked token is accepted. `npm run
// faults` breaks each thing more often and prints the counts.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Caller } from '../support/caller.ts';
import { type Engine, startPostgres, startRedis } from '../support/engines.ts';
import { untilTrue } from '../support/program.ts';
import { isListening } from '../support/services.ts';
import {
  AWHILE_MS,
  FAILURES_AFTER_PAUSE,
  GET,
  LOAD,
  onPostgres,
  openRawConnection,
  PROFILE,
  type RawConnection,
  ROUNDS,
  ROUNDS_OF_PAUSES,
  revokeDuringPause,
  underLoad,
  without,
  withTimeout,
} from './fault-load.ts';
import { onFile, openNode, openSmallDisk, openTwoNodes, scopeOf } from './fault-nodes.ts';

test('When a worker is killed only the requests on its own connections fail', withTimeout, async (t) => {
  const scope = scopeOf(t);
  const node = await openNode(scope, { ...(await onFile(scope)), WORKERS: '2' });
  const traffic = await underLoad(t, node.settings, [node.url], async () => {
    // The newest worker, because the older one may be the only one that serves already.
    const pid = node.workers().at(-1) ?? 0;
    process.kill(pid, 'SIGKILL');
    await untilTrue(() => !node.workers().includes(pid) && node.workers().length === 2);
  });

  const { failures } = traffic.tally;
  assert.deepEqual(Object.keys(failures), failures.ECONNRESET ? ['ECONNRESET'] : []);
  assert.ok((failures.ECONNRESET ?? 0) <= ROUNDS * LOAD.callers, JSON.stringify(failures));
  assert.ok(traffic.tally.longestSilence < 1000, `${traffic.tally.longestSilence} ms`);
});

test('A killed service loses nothing that it acknowledged', withTimeout, async (t) => {
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

  // A POST that broke off is not repeated, because it may have had its effect.
  assert.deepEqual(without(traffic.tally.failures, '502'), {});
  assert.ok((traffic.tally.failures['502'] ?? 0) <= ROUNDS * LOAD.callers);
  assert.ok(traffic.tally.longestSilence < 1000, `${traffic.tally.longestSilence} ms`);
});

test(
  'Without Redis nothing fails: each node counts alone, and the count is shared again afterwards',
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
    // The number of calls left after one request at each node: it differs by one if they share the count.
    const callsLeft = async () => {
      const answers = [];
      for (const caller of callers) answers.push(await caller.get(PROFILE, token));
      return answers.map(({ headers }) => Number(/r=(\d+)/.exec(String(headers.ratelimit))?.[1]));
    };
    const traffic = await underLoad(t, settings, [url], async ({ spare }) => {
      token = spare.shift() ?? '';
      const [before = 0, next] = await callsLeft();
      assert.equal(next, before - 1);
      await redis.crash();
      await pause(AWHILE_MS);
      const [alone, other] = await callsLeft();
      assert.equal(alone, other);
      await redis.start();
      await untilTrue(async () => {
        const [one = 0, two] = await callsLeft();
        return two === one - 1;
      });
    });

    assert.deepEqual(traffic.tally.failures, {});
    for (const node of nodes) assert.match(node.output(), /Redis does not answer/);
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
  'On a full disk writes are refused and reads go on; with free space everything works again',
  withTimeout,
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
      { is503WithoutEffect: true },
    );

    assert.deepEqual(without(traffic.tally.failures, '503'), {});
  },
);

test(
  'After a pause, a node immediately refuses tokens that were revoked meanwhile',
  onPostgres,
  async (t) => {
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

    assert.deepEqual(without(traffic.tally.failures, ...FAILURES_AFTER_PAUSE), {});
  },
);

test(
  'After a pause, a worker immediately refuses tokens that were revoked meanwhile',
  withTimeout,
  async (t) => {
    const scope = scopeOf(t);
    const node = await openNode(scope, { ...(await onFile(scope)), WORKERS: '2' });
    const traffic = await underLoad(
      t,
      node.settings,
      [node.url],
      (traffic) => revokeDuringPause(traffic, node.workers()[0] ?? 0, node.url, node.url),
      { rounds: ROUNDS_OF_PAUSES },
    );

    assert.deepEqual(without(traffic.tally.failures, ...FAILURES_AFTER_PAUSE), {});
  },
);

for (const workers of ['1', '2']) {
  test(
    `A stopping service finishes its open requests, and ends connections after an answer (WORKERS=${workers})`,
    withTimeout,
    async (t) => {
      const scope = scopeOf(t);
      const node = await openNode(scope, { ...(await onFile(scope)), WORKERS: workers });
      const connections = await Promise.all([1, 2, 3, 4].map(() => openRawConnection(scope, node.url)));
      const [slow, ...idle] = connections as [RawConnection, ...RawConnection[]];
      for (const connection of connections)
        assert.match(await connection.ask(GET), /200 OK.*Connection: keep-alive/is);
      const form = 'grant_type=refresh_token&client_id=nobody';
      slow.write(`POST /api/oauth/token HTTP/1.1\r\nHost: here\r\nContent-Length: ${form.length}\r\n`);
      slow.write(`Content-Type: application/x-www-form-urlencoded\r\n\r\n${form.slice(0, 10)}`);
      await pause(50);
      const stopped = node.stop();
      await untilTrue(async () => !(await isListening(Number(new URL(node.url).port))));

      for (const connection of idle) assert.match(await connection.ask(GET), /200 OK.*Connection: close/is);
      assert.match(await slow.ask(form.slice(10)), /HTTP\/1.1 40[01].*Connection: close/is);
      for (const connection of connections) await connection.ended;
      const since = performance.now();
      await stopped;
      assert.ok(performance.now() - since < 1000);
    },
  );
}

test('Stopping and starting two nodes in turn makes no request fail', onPostgres, async (t) => {
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
