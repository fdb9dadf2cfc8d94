// Whose request is answered first, when one caller sends many.

import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { type Answer, fairTurns } from '../../src/http/fair-turns.ts';

test('A caller who is alone never waits', () => {
  const inTurn = turnsOf(fairTurns());
  let done = 0;

  for (let count = 0; count < 100; count += 1) inTurn('flood', () => (done += 1));

  assert.equal(done, 100);
});

test('Callers take turns, and a newcomer comes before the rest of a flood', async () => {
  const inTurn = turnsOf(fairTurns());
  const order: string[] = [];
  inTurn('other', () => {});

  for (const caller of ['flood', 'flood', 'flood', 'other', 'flood', 'third']) {
    inTurn(caller, () => order.push(caller));
  }
  assert.deepEqual(order, []);
  while (order.length < 6) await nextTurn();

  assert.deepEqual(order, ['flood', 'other', 'third', 'flood', 'flood', 'flood']);
});

test('The callers of one IPv6 network of /48 have the turns of one caller, and take them in turn', async () => {
  const inTurn = turnsOf(fairTurns());
  const order: string[] = [];
  inTurn('other', () => {});
  const [first, second] = ['2001:db8:1:1::/64', '2001:db8:1:2::/64'];

  for (const caller of [first, first, second, '10.0.0.1', '2001:db8:2:1::/64', '10.0.0.1']) {
    inTurn(caller, () => order.push(caller));
  }
  while (order.length < 6) await nextTurn();

  assert.deepEqual(order, [first, '10.0.0.1', '2001:db8:2:1::/64', second, '10.0.0.1', first]);
});

test('While the database is busy, a network begins one request at a time, and others go on', async () => {
  const { take } = fairTurns(() => isBusy);
  let isBusy = false;
  const begun: string[] = [];
  const ask = (caller: string) => {
    const answer = new StillOpen();
    take(caller, () => begun.push(caller), answer);
    return answer;
  };
  const settled = () => pause(20);
  ask('10.0.0.1');
  const [first] = ['2001:db8:1:1::/64', '2001:db8:1:2::/64'].map(ask);
  await settled();
  isBusy = true;
  begun.length = 0;

  for (const caller of ['2001:db8:1:3::/64', '10.0.0.1', '10.0.0.2', '10.0.0.2', '10.0.0.3']) ask(caller);
  await settled();
  assert.deepEqual(begun, ['10.0.0.2', '10.0.0.3']);

  // The other answer of the network goes on.
  first?.close();
  await settled();
  assert.deepEqual(begun.splice(0), ['10.0.0.2', '10.0.0.3']);

  isBusy = false;
  await settled();
  assert.deepEqual(begun, ['2001:db8:1:3::/64', '10.0.0.1', '10.0.0.2']);
});

test('An answer that has begun or ended holds nothing back', async () => {
  const { take } = fairTurns(() => true);
  const begun: string[] = [];
  const ask = (name: string) => {
    const answer = new StillOpen();
    take('10.0.0.1', () => begun.push(name), answer);
    return answer;
  };

  const stream = ask('a stream');
  const page = ask('a page');
  ask('another page');
  await pause(20);
  assert.deepEqual(begun, ['a stream']);
  stream.headersSent = true;
  await pause(20);
  assert.deepEqual(begun, ['a stream', 'a page']);
  page.close();
  await pause(20);
  assert.deepEqual(begun, ['a stream', 'a page', 'another page']);
});

test('What a request awaits counts to its time slice', async () => {
  const inTurn = turnsOf(fairTurns());
  let done = 0;
  inTurn('other', () => {});
  for (let count = 0; count < 50; count += 1) {
    inTurn('flood', async () => {
      await undefined;
      done += 1;
      for (const end = performance.now() + 1; performance.now() < end; );
    });
  }

  await nextTurn();
  const doneFirst = done;
  while (done < 50) await nextTurn();

  assert.ok(doneFirst >= 1 && doneFirst <= 5, `${doneFirst} in the first time slice`);
});

test('Between two time slices the process reads what arrived, and all work is done in the end', async () => {
  const inTurn = turnsOf(fairTurns());
  let done = 0;
  inTurn('other', () => {});
  for (let count = 0; count < 50; count += 1) {
    inTurn('flood', () => {
      done += 1;
      for (const end = performance.now() + 1; performance.now() < end; );
    });
  }

  await nextTurn();
  const doneFirst = done;
  inTurn('other', () => {
    assert.ok(done < 50, 'the newcomer waited for the whole flood');
  });
  while (done < 50) await nextTurn();

  assert.ok(doneFirst >= 1 && doneFirst <= 5, `${doneFirst} in the first time slice`);
});

class StillOpen extends EventEmitter implements Answer {
  headersSent = false;
  closed = false;

  close(): void {
    this.closed = true;
    this.emit('close');
  }
}

function turnsOf({ take }: ReturnType<typeof fairTurns>): (caller: string, work: () => unknown) => void {
  return (caller, work) => take(caller, work, new StillOpen());
}
