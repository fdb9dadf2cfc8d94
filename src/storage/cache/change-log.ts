// Lets the embedded database itself say which of the kept records no longer hold: its triggers write down what changes,
// whichever process changes it, and no statement can forget to.

import type { DatabaseSync } from 'node:sqlite';
import type { Kind, Memory } from './recollection.ts';

export interface ChangeLog {
  /** Forgets what has changed up to the snapshot that is being read. */
  follow(): void;
}

/** Lets records be kept, and forgotten as the log tells from now on. The tables must be there. */
export function changeLogOf(connection: DatabaseSync, memory: Memory): ChangeLog {
  // The change before is asked for too: it is missing where some between may be.
  const since = connection.prepare('SELECT seq, kind, key FROM changes WHERE seq >= ? ORDER BY seq');
  since.setReturnArrays(true);
  const newest = connection.prepare('SELECT max(seq) AS seq FROM changes');
  let last = readNewest();
  memory.begin();

  function readNewest(): number {
    return newest.get()?.seq as number;
  }

  function forget(kind: string, key: string | number): void {
    if (kind === 'all') memory.forgetAll();
    else memory.forget(kind as Kind, key);
    if (kind === 'posts') memory.forgetKind('newest');
  }

  return {
    follow() {
      const [known, ...changes] = since.all(last) as unknown as [number, string, string | number][];
      if (known?.[0] !== last) {
        memory.forgetAll();
        last = readNewest();
        return;
      }
      for (const [seq, kind, key] of changes) {
        forget(kind, key);
        last = seq;
      }
    },
  };
}
