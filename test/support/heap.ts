// How much memory is in use, for tests of what is kept.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** The bytes of the heap that are in use after all garbage was collected. */
export function heapAtRest(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
