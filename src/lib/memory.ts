// Holding no more memory than is needed.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects all garbage at once and hands the emptied pages back. Loading a program leaves behind a third of its
 * memory, which the runtime would keep for as long as nothing else asks for it. Takes some 50 ms: for a moment when
 * nobody waits.
 */
export function releaseMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: object) => void;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/**
 * From now on garbage is collected when the memory in use has grown by a tenth. By itself the runtime lets it grow by a
 * half and more, which for a process that keeps a hundred megabytes of records is a lot. Collecting goes on beside the
 * work; it costs some 1 % of the processor under full load.
 */
export function keepMemoryTight(): void {
  setFlagsFromString('--heap-growing-percent=10');
}
