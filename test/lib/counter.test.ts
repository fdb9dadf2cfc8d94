// The counter inside a process: windows that open with their first hit, exact to the hit.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { SECOND } from '../../src/lib/clock.ts';
import { processCounter } from '../../src/lib/counter.ts';

function openCounter() {
  let now = 1_000_000;
  const start = now;
  const counter = processCounter(() => now);
  return {
    counter,
    setClock(sinceStart: number): void {
      now = start + sinceStart;
    },
    async hits(times: number, key = 'alice'): Promise<number> {
      let allowed = 0;
      for (let count = 0; count < times; count += 1) {
        if ((await counter.hit(key, 60, 60)).allowed) allowed += 1;
      }
      return allowed;
    },
  };
}

describe('a counter in a process', () => {
  test('allows 60 hits in a window of 60 seconds and refuses the 61st', async () => {
    const { counter, hits } = openCounter();

    const allowed = await hits(60);
    const sixtyFirst = await counter.hit('alice', 60, 60);

    assert.equal(allowed, 60);
    assert.deepEqual(sixtyFirst, { allowed: false, remaining: 0, resetSeconds: 60 });
  });

  test('returns how many hits remain and when the window closes', async () => {
    const { counter, setClock } = openCounter();

    const first = await counter.hit('alice', 3, 60);
    setClock(59_001);
    const second = await counter.hit('alice', 3, 60);

    assert.deepEqual(first, { allowed: true, remaining: 2, resetSeconds: 60 });
    assert.deepEqual(second, { allowed: true, remaining: 1, resetSeconds: 1 });
  });

  test('opens a window with the first hit, not with the clock’s minute or the last hit', async () => {
    const { hits, setClock } = openCounter();
    await hits(1);
    setClock(59 * SECOND);
    await hits(59);

    setClock(60 * SECOND - 1);
    const before = await hits(1);
    setClock(60 * SECOND);
    const after = await hits(61);

    assert.deepEqual([before, after], [0, 60]);
  });

  test('does not count a refused hit', async () => {
    const { hits, setClock } = openCounter();
    await hits(500);

    setClock(60 * SECOND);

    assert.equal(await hits(60), 60);
  });

  test('counts each key separately', async () => {
    const { hits } = openCounter();
    await hits(60, 'alice');

    assert.equal(await hits(60, 'bob'), 60);
    assert.equal(await hits(1, 'alice'), 0);
  });

  test('follows the rule for any sequence of hits', async () => {
    const sequence = fc.array(fc.tuple(fc.constantFrom('alice', 'bob'), fc.nat({ max: 30_000 })), {
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(sequence, async (steps) => {
        const { counter, setClock } = openCounter();
        const windows = new Map<string, { opened: number; count: number }>();
        let now = 0;
        for (const [key, pause] of steps) {
          now += pause;
          setClock(now);
          const open = windows.get(key);
          const window = open !== undefined && now < open.opened + 60_000 ? open : { opened: now, count: 0 };
          windows.set(key, window);
          const expected = window.count < 5;
          if (expected) window.count += 1;

          const { allowed, remaining } = await counter.hit(key, 5, 60);

          assert.deepEqual({ allowed, remaining }, { allowed: expected, remaining: 5 - window.count });
        }
      }),
    );
  });
});
