// Garbage collection on demand, for tests that measure memory or look at weak references.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Collect all garbage now. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: object) => void;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
