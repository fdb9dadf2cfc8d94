// The counter in another process.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Counter, processCounter } from '../../src/lib/counter.ts';
import { answerQuestions, distantCounter, type Questions } from '../../src/lib/distant-counter.ts';
import { TestClock } from '../support/app.ts';

function setUp(counter: Counter = processCounter(new TestClock().read)) {
  const sent: Questions[] = [];
  const open = () => {
    const distant = distantCounter((questions) => {
      sent.push(questions);
      answerQuestions(questions, counter).then(distant.receive);
    });
    return distant;
  };
  return { sent, open };
}

test('Those who ask share one count, and each learns what its own hit was answered', async () => {
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

test('What is asked in one turn travels as one message', async () => {
  const { sent, open } = setUp();
  const counter = open();

  await Promise.all(Array.from({ length: 50 }, () => counter.hit('a', 60, 60)));
  await counter.hit('a', 60, 60);

  assert.deepEqual(
    sent.map(({ count }) => count.length),
    [50, 1],
  );
});

test('A hit fails when the other process is gone, and when this one closes before it was answered', async () => {
  const gone = distantCounter(() => {
    throw new Error('Channel closed');
  });
  const silent = distantCounter(() => {});

  await assert.rejects(async () => gone.hit('a', 1, 60), /Channel closed/);
  const waiting = silent.hit('a', 1, 60);
  await silent.close();
  await assert.rejects(async () => waiting, /closed/);
});
