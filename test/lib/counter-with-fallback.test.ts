// The counter that goes on counting while the shared one is unavailable.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Counter, processCounter } from '../../src/lib/counter.ts';
import { counterWithFallback } from '../../src/lib/counter-with-fallback.ts';
import { TestClock } from '../support/app.ts';

function setUp() {
  const clock = new TestClock();
  const shared = processCounter(clock.read);
  let away = false;
  const failing: Counter = {
    hit: (...hit) => (away ? Promise.reject(new Error('Connection is closed.')) : shared.hit(...hit)),
    close: () => shared.close(),
  };
  const reasons: string[] = [];
  const fallbackHits: string[] = [];
  const counter = counterWithFallback(
    failing,
    processCounter(clock.read),
    clock.read,
    (error) => reasons.push((error as Error).message),
    () => fallbackHits.push('one'),
  );
  return { clock, counter, reasons, fallbackHits, setAway: (value: boolean) => (away = value) };
}

test('The shared counter counts hits while it is available', async () => {
  const { counter, reasons } = setUp();

  const hits = [await counter.hit('a', 1, 60), await counter.hit('a', 1, 60)];

  assert.deepEqual(
    hits.map(({ allowed }) => allowed),
    [true, false],
  );
  assert.deepEqual(reasons, []);
});

test('While the shared counter is unavailable each process counts alone, and reports that at most once a minute', async () => {
  const { clock, counter, reasons, setAway } = setUp();
  setAway(true);

  const hits = [
    await counter.hit('a', 2, 600),
    await counter.hit('a', 2, 600),
    await counter.hit('a', 2, 600),
  ];
  clock.advance(60_000);
  await counter.hit('a', 2, 600);

  assert.deepEqual(
    hits.map(({ allowed }) => allowed),
    [true, true, false],
  );
  assert.deepEqual(reasons, ['Connection is closed.', 'Connection is closed.']);
});

test('When the shared counter is back, its counts apply again', async () => {
  const { counter, setAway } = setUp();
  await counter.hit('a', 1, 60);
  setAway(true);
  await counter.hit('a', 1, 60);
  setAway(false);

  assert.equal((await counter.hit('a', 1, 60)).allowed, false);
});

test('onFallback is called for exactly those hits that this process counts alone', async () => {
  const { counter, fallbackHits, setAway } = setUp();

  await counter.hit('a', 1, 60);
  const before = fallbackHits.length;
  setAway(true);
  for (let sent = 0; sent < 3; sent += 1) await counter.hit('a', 1, 60);

  assert.deepEqual([before, fallbackHits.length], [0, 3]);
});
