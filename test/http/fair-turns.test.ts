// Whose request is answered first, when one caller sends many.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fairTurns } from '../../src/http/fair-turns.ts';
import { StillOpen } from './still-open.ts';

test('A caller who is alone never waits', () => {
  const inTurn = turnsOf(fairTurns());
  let done = 0;

  for (let count = 0; count < 100; count += 1) inTurn('flood', () => (done += 1));

  assert.equal(done, 100);
});

test('A caller who is alone waits after 10 ms, so that others can come', async () => {
  const inTurn = turnsOf(fairTurns());
  let done = 0;
  const work = () => {
    done += 1;
    workFor(1);
  };
  await nextTurn();

  for (let count = 0; count < 50; count += 1) inTurn('flood', work);
  const atOnce = done;
  let before: number | undefined;
  inTurn('other', () => (before = done));
  while (before === undefined || done < 50) await nextTurn();

  assert.ok(atOnce >= 1 && atOnce <= 12, `${atOnce} at once`);
  assert.ok(before <= atOnce + 4, `${before} before the other`);
});

test('What then waits is done in slices of 10 ms, and of 2 ms for several callers', async () => {
  const inTurn = turnsOf(fairTurns());
  let done = 0;
  const work = () => {
    done += 1;
    workFor(0.5);
  };
  const doneInOneTurn = async () => {
    const before = done;
    await nextTurn();
    return done - before;
  };
  await nextTurn();

  for (let count = 0; count < 100; count += 1) inTurn('flood', work);
  const alone = Math.max(await doneInOneTurn(), await doneInOneTurn(), await doneInOneTurn());
  inTurn('other', () => {});
  const beside = await doneInOneTurn();

  assert.ok(alone > 6 && alone <= 20, `${alone} alone`);
  assert.ok(beside <= 5, `${beside} beside the other`);
});

test('Beside others, callers with costly requests rest as long as these took, and the others go on', async () => {
  const inTurn = turnsOf(fairTurns());
  const order: string[] = [];
  let end = 0;
  const rests: number[] = [];
  const costly = async () => {
    if (end > 0) rests.push(performance.now() - end);
    await undefined;
    workFor(30);
    end = performance.now();
    order.push('costly');
  };
  const other = () => {
    order.push('other');
    if (rests.length < 3) inTurn('other', other);
  };
  inTurn('first', () => {});
  inTurn('other', other);

  for (let count = 0; count < 4; count += 1) inTurn(`10.0.0.${count % 2}`, costly);
  while (rests.length < 3) await nextTurn();

  // The second of them was not known to be costly.
  assert.ok(
    rests.slice(1).every((rest) => rest >= 29),
    `${rests}`,
  );
  assert.ok(order.length > 50, `${order.length} requests`);
});

test('Alone, a caller with costly requests does not rest', async () => {
  const inTurn = turnsOf(fairTurns());
  let done = 0;
  const rests: number[] = [];
  let end = 0;
  const costly = () => {
    if (end > 0) rests.push(performance.now() - end);
    workFor(20);
    end = performance.now();
    done += 1;
  };

  for (let count = 0; count < 6; count += 1) inTurn('10.0.0.1', costly);
  while (done < 6) await nextTurn();

  assert.ok(Math.min(...rests.slice(1)) < 10, `${rests}`);
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

test('One whose last turn is longer ago comes before a flood that always waits', async () => {
  const inTurn = turnsOf(fairTurns());
  const order: string[] = [];
  const other = () => inTurn('other', () => order.push('other'));
  inTurn('other', () => {});

  for (const next of [other, other, () => {}]) {
    inTurn('flood', () => {
      order.push('flood');
      next();
    });
  }
  while (order.length < 5) await nextTurn();

  assert.deepEqual(order, ['flood', 'other', 'flood', 'other', 'flood']);
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

test('What a request awaits counts to its time slice', async () => {
  const inTurn = turnsOf(fairTurns());
  let done = 0;
  inTurn('other', () => {});
  for (let count = 0; count < 50; count += 1) {
    inTurn('flood', async () => {
      await undefined;
      done += 1;
      workFor(1);
    });
  }

  await nextTurn();
  const doneFirst = done;
  while (done < 50) await nextTurn();

  assert.ok(doneFirst >= 1 && doneFirst <= 5, `${doneFirst} in the first time slice`);
});

test('Of many requests that wait, few are put off in a turn that accepts connections, and all have theirs', async (t) => {
  const turns = fairTurns();
  const inTurn = turnsOf(turns);
  const putOff = t.mock.method(globalThis, 'setImmediate');
  let done = 0;
  inTurn('other', () => {});

  for (let count = 0; count < 300; count += 1) inTurn('flood', () => (done += 1));
  const atFirst = putOff.mock.callCount();
  await nextTurn();
  putOff.mock.resetCalls();
  turns.noteConnection();
  await nextTurn();
  const later = putOff.mock.callCount();
  while (done < 300) await nextTurn();

  assert.ok(atFirst > 0 && atFirst <= 64, `${atFirst} at first`);
  assert.ok(later <= 64, `${later} later`);
});

test('Between two time slices the process reads what arrived, and all work is done in the end', async () => {
  const inTurn = turnsOf(fairTurns());
  let done = 0;
  inTurn('other', () => {});
  for (let count = 0; count < 50; count += 1) {
    inTurn('flood', () => {
      done += 1;
      workFor(1);
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

function workFor(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}

function turnsOf({ take }: ReturnType<typeof fairTurns>): (caller: string, work: () => unknown) => void {
  return (caller, work) => take(caller, work, new StillOpen());
}
