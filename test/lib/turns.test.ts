// Tasks of several callers, a few at once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { turnsOf } from '../../src/lib/turns.ts';

/** Tasks that end when they are told to. */
function open() {
  const inTurn = turnsOf({ atOnce: 2, waiting: 5, waitingOfCaller: 3 });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    begin: (caller: string, name: string) =>
      inTurn(caller, async () => {
        started.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
        return name;
      }),
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
  for (const caller of ['b', 'c', 'd']) void begin(caller, `${caller}1`);
  assert.equal(await begin('e', 'e1'), undefined);
});

test('a task that fails makes room', async () => {
  const inTurn = turnsOf({ atOnce: 1, waiting: 1, waitingOfCaller: 1 });
  const failing = inTurn('a', () => Promise.reject(new Error('too bad')));
  const next = inTurn('b', async () => 'done');

  await assert.rejects(failing, /too bad/);
  assert.equal(await next, 'done');
});
