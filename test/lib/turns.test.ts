// Tasks of several callers, a few at once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { turnsOf } from '../../src/lib/turns.ts';

/** Tasks that end when they are told to. */
function open() {
  const inTurn = turnsOf({ atOnce: 2, waiting: 5, waitingOfCaller: 3 });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    begin(caller: string, name: string, signal?: AbortSignal) {
      const task = async () => {
        started.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
        return name;
      };
      return inTurn(caller, task, signal);
    },
    async end(name: string) {
      ends.get(name)?.();
      await new Promise(setImmediate);
    },
  };
}

test('two tasks are under way, one of each caller, and callers take turns', async () => {
  const { started, begin, end } = open();
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void begin(name.slice(0, 1), name);
  await new Promise(setImmediate);

  assert.deepEqual(started, ['a1', 'b1']);
  for (const name of ['a1', 'b1', 'a2', 'b2', 'c1']) await end(name);
  assert.deepEqual(started, ['a1', 'b1', 'a2', 'b2', 'c1', 'a3']);
});

test('a task is refused if three of its caller wait, or five in all', async () => {
  const { begin } = open();
  for (const name of ['a1', 'a2', 'a3', 'a4']) void begin('a', name);

  assert.equal(await begin('a', 'a5'), undefined);
  for (const caller of ['b', 'c', 'd', 'e', 'f']) void begin(caller, `${caller}1`);
  assert.equal(await begin('g', 'g1'), undefined);
});

test('when all places are taken, the caller with the most gives up its last one for one with fewer', async () => {
  const { started, begin, end } = open();
  const tasks = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'b3'].map((name) => begin(name.slice(0, 1), name));
  tasks.push(begin('c', 'c1'), begin('d', 'd1'), begin('c', 'c2'));
  await new Promise(setImmediate);

  for (const name of ['a1', 'b1', 'a2', 'b2', 'c1', 'd1', 'b3']) await end(name);
  assert.deepEqual(started, ['a1', 'b1', 'a2', 'b2', 'c1', 'd1', 'b3']);
  const done = (await Promise.all(tasks)).filter((name) => name !== undefined);
  assert.deepEqual(done, ['a1', 'a2', 'b1', 'b2', 'b3', 'c1', 'd1']);
});

test('a task that fails makes room', async () => {
  const inTurn = turnsOf({ atOnce: 1, waiting: 1, waitingOfCaller: 1 });
  const failing = inTurn('a', () => Promise.reject(new Error('too bad')));
  const next = inTurn('b', async () => 'done');

  await assert.rejects(failing, /too bad/);
  assert.equal(await next, 'done');
});

test('a task that is given up while it waits makes room; one that has started goes on', async () => {
  const { started, begin, end } = open();
  const [first, others] = [new AbortController(), new AbortController()];
  const goesOn = begin('a', 'a1', first.signal);
  const givenUp = ['a2', 'a3', 'a4'].map((name) => begin('a', name, others.signal));
  const waiting = ['b1', 'b2', 'c1'].map((name) => begin(name.slice(0, 1), name));

  first.abort();
  others.abort();
  assert.deepEqual(await Promise.all(givenUp), [undefined, undefined, undefined]);
  assert.equal(await begin('a', 'a5', others.signal), undefined);
  waiting.push(...['a6', 'd1', 'e1'].map((name) => begin(name.slice(0, 1), name)));

  for (const name of ['a1', 'b1', 'c1', 'b2', 'a6', 'd1', 'e1']) await end(name);
  assert.equal(await goesOn, 'a1');
  assert.deepEqual(await Promise.all(waiting), ['b1', 'b2', 'c1', 'a6', 'd1', 'e1']);
  assert.deepEqual(started, ['a1', 'b1', 'c1', 'b2', 'a6', 'd1', 'e1']);
});

/** Tasks that take so many milliseconds, and the names of those that are done. */
function timedTasks() {
  const done: string[] = [];
  const taking = (time: number, name: string) => async () => {
    await setTimeout(time);
    done.push(name);
  };
  return { done, taking };
}

test('a caller whose tasks took long comes last, and gives up its place', async () => {
  const inTurn = turnsOf({ atOnce: 1, waiting: 2, waitingOfCaller: 1, aboutAsLong: 10 });
  const { done, taking } = timedTasks();
  await Promise.all([inTurn('slow', taking(30, 'slow1')), inTurn('slower', taking(60, 'slower1'))]);

  const begun = inTurn('a', taking(0, 'a1'));
  const places = [
    inTurn('slower', taking(0, 'slower2')),
    inTurn('slow', taking(0, 'slow2')),
    inTurn('b', taking(0, 'b1')),
    inTurn('slower', taking(0, 'slower3')),
  ];
  await Promise.all([begun, ...places]);

  assert.deepEqual(done, ['slow1', 'slower1', 'a1', 'b1', 'slow2']);
});

test('callers whose tasks took long leave one of two places to others, also when they alone wait', async () => {
  const inTurn = turnsOf({ atOnce: 2, waiting: 9, waitingOfCaller: 3, aboutAsLong: 10 });
  const { done, taking } = timedTasks();
  await Promise.all(['slow', 'slower'].map((name) => inTurn(name, taking(30, name))));

  const tasks = [
    inTurn('slow', taking(80, 'slow1')),
    inTurn('slower', taking(0, 'slower1')),
    inTurn('a', taking(0, 'a1')),
    inTurn('b', taking(10, 'b1')),
  ];
  await Promise.all(tasks);

  assert.deepEqual(done.slice(2), ['a1', 'b1', 'slow1', 'slower1']);
});
