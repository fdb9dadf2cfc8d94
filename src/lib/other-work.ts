// What goes on for long lets others have their turns in between.

import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';

// The runtime accepts one connection in each turn of the event loop. With one turn between pieces of some milliseconds,
// a caller who opens connections would keep all new callers outside.
const TURNS = 32;
// Milliseconds. Turns with work of others take longer.
const LONGEST = 20;

/** Wait for some turns of the event loop, or until they have taken long. */
export async function otherWork(): Promise<void> {
  const end = performance.now() + LONGEST;
  for (let turn = 0; turn < TURNS && performance.now() < end; turn += 1) await setImmediate();
}
