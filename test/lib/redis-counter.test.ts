// The counter over Redis, which several machines share. Redis has its own clock, so a test that waits for the end of a
// window uses a short one.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { redisCounter } from '../../src/lib/redis-counter.ts';

const url = process.env.TEST_REDIS_URL ?? '';
const skip = url === '' ? 'TEST_REDIS_URL is not set; run it with npm test' : false;

function openCounter(t: TestContext) {
  const counter = redisCounter(url);
  t.after(() => counter.close());
  return counter;
}

describe('a counter over Redis', { skip }, () => {
  test('allows 60 hits in a window of 60 seconds and refuses the 61st', async (t) => {
    const counter = openCounter(t);
    const key = randomUUID();

    const answers = [];
    for (let count = 0; count < 61; count += 1) answers.push(await counter.hit(key, 60, 60));

    assert.deepEqual(answers[0], { allowed: true, remaining: 59, resetSeconds: 60 });
    assert.equal(answers.filter(({ allowed }) => allowed).length, 60);
    assert.deepEqual(answers[60], { allowed: false, remaining: 0, resetSeconds: 60 });
  });

  test('is exact when three machines hit at once', async (t) => {
    const machines = [openCounter(t), openCounter(t), openCounter(t)];
    const key = randomUUID();

    const answers = await Promise.all(
      Array.from({ length: 100 }, () => machines.map((counter) => counter.hit(key, 60, 60))).flat(),
    );

    assert.equal(answers.filter(({ allowed }) => allowed).length, 60);
    const remaining = answers.filter(({ allowed }) => allowed).map((hit) => hit.remaining);
    assert.deepEqual(
      remaining.sort((a, b) => a - b),
      Array.from({ length: 60 }, (_, index) => index),
    );
  });

  test('opens a window with the first hit; later hits do not prolong it', async (t) => {
    const counter = openCounter(t);
    const key = randomUUID();

    const first = await counter.hit(key, 2, 1);
    await pause(600);
    const second = await counter.hit(key, 2, 1);
    const third = await counter.hit(key, 2, 1);
    await pause(500);
    const next = await counter.hit(key, 2, 1);

    assert.deepEqual(
      [first, second, third, next].map(({ allowed }) => allowed),
      [true, true, false, true],
    );
    assert.equal(next.remaining, 1);
  });

  test('counts each key separately', async (t) => {
    const counter = openCounter(t);
    const [alice, bob] = [randomUUID(), randomUUID()];
    await counter.hit(alice, 1, 60);

    assert.equal((await counter.hit(bob, 1, 60)).allowed, true);
    assert.equal((await counter.hit(alice, 1, 60)).allowed, false);
  });

  test('sends the hits of one turn in one call, and those of the next in another', async (t) => {
    const { counter, callCount } = await openWatchedCounter(t);
    const [alice, bob] = [randomUUID(), randomUUID()];

    const answers = await Promise.all([
      counter.hit(alice, 2, 60),
      counter.hit(bob, 60, 3600),
      counter.hit(alice, 2, 60),
      counter.hit(alice, 2, 60),
    ]);

    assert.deepEqual(answers, [
      { allowed: true, remaining: 1, resetSeconds: 60 },
      { allowed: true, remaining: 59, resetSeconds: 3600 },
      { allowed: true, remaining: 0, resetSeconds: 60 },
      { allowed: false, remaining: 0, resetSeconds: 60 },
    ]);
    assert.equal(callCount(), 1);
    assert.equal((await counter.hit(bob, 60, 3600)).remaining, 58);
    assert.equal(callCount(), 2);
  });

  test('sends at most 64 hits in one call', async (t) => {
    const { counter, callCount } = await openWatchedCounter(t);
    const key = randomUUID();

    const answers = await Promise.all(Array.from({ length: 129 }, () => counter.hit(key, 200, 60)));

    assert.deepEqual(
      answers.map(({ remaining }) => remaining),
      Array.from({ length: 129 }, (_, index) => 199 - index),
    );
    assert.equal(callCount(), 3);
  });

  test('counts the other hits of a turn if one fails', async (t) => {
    const counter = openCounter(t);
    const [alice, bob, mallory] = [randomUUID(), randomUUID(), randomUUID()];
    const other = new Redis(url);
    await other.rpush(`portico:${mallory}`, 'no count').finally(() => other.disconnect());

    const [first, failure, last] = await Promise.allSettled(
      [alice, mallory, bob].map((key) => counter.hit(key, 60, 60)),
    );

    assert.equal(first?.status === 'fulfilled' && first.value.remaining, 59);
    assert.match(String(failure?.status === 'rejected' && failure.reason), /WRONGTYPE/);
    assert.equal(last?.status === 'fulfilled' && last.value.remaining, 59);
  });

  // So does a cluster, whose servers share the keys.
  test('counts each hit by itself if Redis refuses their common call', async (t) => {
    const [alice, mallory] = [randomUUID(), randomUUID()];
    const operator = new Redis(url);
    await operator.call('ACL', 'SETUSER', alice, 'on', '>walk', `~portico:${alice}`, '+@all');
    const counter = redisCounter(Object.assign(new URL(url), { username: alice, password: 'walk' }).href);
    t.after(async () => {
      await counter.close();
      await operator.call('ACL', 'DELUSER', alice);
      operator.disconnect();
    });

    const [first, refusal, last] = await Promise.allSettled(
      [alice, mallory, alice].map((key) => counter.hit(key, 60, 60)),
    );

    assert.equal(first?.status === 'fulfilled' && first.value.remaining, 59);
    assert.match(String(refusal?.status === 'rejected' && refusal.reason), /NOPERM/);
    assert.equal(last?.status === 'fulfilled' && last.value.remaining, 58);
  });
});

/** Open a counter over a proxy that counts its calls. */
async function openWatchedCounter(t: TestContext) {
  let sent = '';
  const { hostname, port } = new URL(url);
  const proxy = createServer((socket) => {
    const upstream = connect({ host: hostname, port: Number(port || 6379) });
    socket.on('data', (bytes) => {
      sent += bytes;
    });
    socket.on('error', () => upstream.destroy());
    socket.pipe(upstream).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const watched = Object.assign(new URL(url), { host: `127.0.0.1:${(proxy.address() as AddressInfo).port}` });
  const counter = redisCounter(watched.href);
  t.after(async () => {
    await counter.close();
    proxy.close();
  });
  return { counter, callCount: () => [...sent.matchAll(/\$\d+\r\neval(sha)?\r\n/g)].length };
}

describe('without Redis', () => {
  test('a hit fails instead of waiting, and so does another of its turn', async (t) => {
    const counter = redisCounter('redis://127.0.0.1:1');
    t.after(() => counter.close());
    const start = performance.now();

    const outcomes = await Promise.allSettled(['alice', 'bob'].map((key) => counter.hit(key, 60, 60)));

    for (const outcome of outcomes)
      assert.match(String('reason' in outcome && outcome.reason), /ECONNREFUSED/);
    assert.ok(performance.now() - start < 2_000);
  });

  test('a hit does not wait for a server that accepts connections and never answers', async (t) => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const counter = redisCounter(`redis://127.0.0.1:${(silent.address() as AddressInfo).port}`);
    t.after(async () => {
      await counter.close();
      silent.close();
    });
    const start = performance.now();

    await assert.rejects(async () => counter.hit('alice', 60, 60));

    assert.ok(performance.now() - start < 2_000);
  });
});
