// Counting in another process, over messages.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Counter, processCounter } from '../../src/lib/counter.ts';
import { answerCountRequests, type CountRequests, remoteCounter } from '../../src/lib/remote-counter.ts';
import { TestClock } from '../support/app.ts';

function setUp(counter: Counter = processCounter(new TestClock().read)) {
  const sent: CountRequests[] = [];
  const open = () => {
    const remote = remoteCounter((requests) => {
      sent.push(requests);
      answerCountRequests(requests, counter).then(remote.receive);
    });
    return remote;
  };
  return { sent, open };
}

test('Several processes share one count, and each gets the result of its own hit', async () => {
  const { open } = setUp();
  const [one, other] = [open(), open()];

  const hits = await Promise.all([
    one.hit('a', 3, 60),
    other.hit('a', 3, 60),
    one.hit('b', 3, 60),
    one.hit('a', 3, 60),
    other.hit('a', 3, 60),
  ]);

  assert.deepEqual(
    hits.map(({ allowed, remaining }) => [allowed, remaining]),
    [
      [true, 2],
      [true, 0],
      [true, 2],
      [true, 1],
      [false, 0],
    ],
  );
});

test('The hits of one turn of the event loop are sent as one message', async () => {
  const { sent, open } = setUp();
  const counter = open();

  await Promise.all(Array.from({ length: 50 }, () => counter.hit('a', 60, 60)));
  await counter.hit('a', 60, 60);

  assert.deepEqual(
    sent.map(({ count }) => count.length),
    [50, 1],
  );
});

test('A hit fails if the other process is gone, or if the counter is closed before the result arrives', async () => {
  const gone = remoteCounter(() => {
    throw new Error('Channel closed');
  });
  const silent = remoteCounter(() => {});

  await assert.rejects(async () => gone.hit('a', 1, 60), /Channel closed/);
  const waiting = silent.hit('a', 1, 60);
  await silent.close();
  await assert.rejects(async () => waiting, /closed/);
});
