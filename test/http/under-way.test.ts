// How many requests of a network are under way, and what has a turn again.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { afterBody, fairTurns } from '../../src/http/fair-turns.ts';
import { setAside } from '../../src/http/under-way.ts';
import { StillOpen } from './still-open.ts';

describe('With a database, a network has at most so many requests under way:', () => {
  for (const [calls, waitingPerConnection, most] of [
    ['few calls wait', 0, 4],
    ['many calls wait', 2, 1],
  ] as const) {
    test(`${most} while ${calls}; others go on`, async () => {
      const { ask, begun, settled } = open(() => waitingPerConnection);
      const [first] = Array.from({ length: 70 }, (_, number) => ask(`2001:db8:1:${number % 4}::/64`));
      await settled();
      assert.equal(begun.splice(0).length, most);

      for (const caller of ['10.0.0.1', '10.0.0.2']) ask(caller);
      await settled();
      assert.deepEqual(begun.splice(0), ['10.0.0.1', '10.0.0.2']);

      first?.finish();
      await settled();
      assert.equal(begun.length, 1);
    });
  }

  test('all networks together begin more than their first while there are fewer than 6, or no call waits', async () => {
    let waitingPerConnection = 0.1;
    const { ask, begun, settled } = open(() => waitingPerConnection);
    for (let count = 0; count < 8; count += 1) for (const caller of ['10.0.0.1', '10.0.0.2']) ask(caller);
    await settled();
    assert.equal(begun.splice(0).length, 6);

    const others = ['10.0.0.3', '10.0.0.4', '10.0.0.5'];
    for (let count = 0; count < 2; count += 1) for (const caller of others) ask(caller);
    await settled();
    assert.deepEqual(begun.splice(0), others);

    waitingPerConnection = 0;
    await settled();
    assert.equal(begun.length, 2 + others.length);
  });

  test('more as soon as fewer calls wait', async () => {
    let waitingPerConnection = 3;
    const { ask, begun, settled } = open(() => waitingPerConnection);
    ask('10.0.0.2').finish();
    for (let count = 0; count < 70; count += 1) ask('10.0.0.1');

    for (const [waiting, most] of [
      [3, 1],
      [1, 4],
      [3, 4],
    ] as const) {
      waitingPerConnection = waiting;
      await settled();
      assert.equal(begun.length, 1 + most);
    }
  });

  test('64 if there is no other caller', async () => {
    const { ask, begun, settled } = open(() => 0.1);
    for (let count = 0; count < 70; count += 1) ask('10.0.0.1');

    await settled();

    assert.equal(begun.length, 64);
  });

  test('4 if there is no other caller, but a turn of the event loop took long', async () => {
    const { ask, begun, settled } = open(() => 0);
    ask('10.0.0.1').finish();
    for (const end = performance.now() + 100; performance.now() < end; );
    await nextTurn();

    for (let count = 0; count < 70; count += 1) ask('10.0.0.1');
    await settled();

    assert.equal(begun.length, 1 + 4);
  });

  test('one that was closed counts until its work has ended', async () => {
    const { ask, begun, settled } = open(() => 2);
    const first = ask('10.0.0.1');
    ask('10.0.0.1');

    first.close();
    await settled();
    assert.equal(begun.length, 1);

    first.finish();
    await settled();
    assert.equal(begun.length, 2);
  });

  test('one that is closed while it waits is not begun, and keeps no other from its turn', async () => {
    const { ask, begun, settled } = open(() => 2);
    const first = ask('10.0.0.1');
    const waiting = Array.from({ length: 20 }, (_, number) => ask('10.0.0.1', `closed ${number}`));
    const last = ask('10.0.0.1', 'last');
    await settled();

    for (const request of waiting) request.close();
    ask('10.0.0.2', 'of another');
    await settled();
    first.finish();
    await settled();
    last.finish();
    await settled();

    assert.deepEqual(begun, ['10.0.0.1', 'of another', 'last']);
  });

  test('answers that have begun and bodies that arrive don’t count', async () => {
    const { ask, begun, settled } = open(() => 2);
    const stream = ask('10.0.0.1', 'a stream');
    const form = ask('10.0.0.1', 'a form');
    ask('10.0.0.1', 'a page');
    await settled();
    assert.deepEqual(begun, ['a stream']);

    stream.headersSent = true;
    await settled();
    assert.deepEqual(begun, ['a stream', 'a form']);
    Object.assign(form.req, { complete: false, readableFlowing: true });
    await settled();
    assert.deepEqual(begun, ['a stream', 'a form', 'a page']);
  });

  test('one that waits for a turn of its kind doesn’t count meanwhile', async () => {
    const { ask, begun, settled } = open(() => 2);
    const first = ask('10.0.0.1');
    for (let count = 0; count < 2; count += 1) ask('10.0.0.1');
    await settled();
    const { promise, resolve } = Promise.withResolvers<void>();

    const waiting = setAside({ outgoing: first as never }, promise);
    await settled();
    assert.equal(begun.length, 2);

    resolve();
    await waiting;
    begun.length = 0;
    ask('10.0.0.1').finish();
    await settled();
    assert.equal(begun.length, 0);
  });

  test('a body that nobody reads, or whose connection was closed, is none that arrives', async () => {
    const { ask, begun, settled } = open(() => 2);
    const first = ask('10.0.0.1');
    ask('10.0.0.1');

    for (const body of [
      { readableFlowing: null, destroyed: false },
      { readableFlowing: true, destroyed: true },
    ]) {
      Object.assign(first.req, { complete: false, ...body });
      await settled();
      assert.equal(begun.length, 1);
    }
  });
});

/** Turns with a database. Each request goes on until it is told to finish. */
test('What follows a body has a turn too, however many end at one moment', async () => {
  const { ask, askWithBody, begun, settled } = open(() => 0);
  const ends = Array.from({ length: 20 }, () => askWithBody('flood'));
  await settled();

  for (const end of ends) {
    end();
    if (end === ends[0]) ask('other');
  }
  await settled();

  assert.deepEqual(begun, ['flood', 'other', ...Array(19).fill('flood')]);
});

function open(waitingPerConnection: () => number) {
  const { take, takeAgainAfterBody } = fairTurns(waitingPerConnection);
  const begun: string[] = [];
  return {
    begun,
    ask(caller: string, name = caller) {
      const request = new StillOpen();
      const work = () => {
        begun.push(name);
        return request.work;
      };
      take(caller, work, request);
      return request;
    },
    /** Ask with a form. Returns what happens when its body has arrived. */
    askWithBody(caller: string) {
      const request = new StillOpen();
      takeAgainAfterBody(caller, request);
      take(caller, () => request.work, request);
      const answer = () => {
        begun.push(caller);
        request.finish();
      };
      return () => afterBody(request, answer);
    },
    /** Returns when all that may begin has begun: in many turns of the event loop nothing else did. */
    async settled() {
      for (let [before, quiet] = [begun.length, 0]; quiet < 10; before = begun.length) {
        await pause(2);
        quiet = begun.length === before ? quiet + 1 : 0;
      }
    },
  };
}
