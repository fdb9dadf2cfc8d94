// One snapshot for reads that come of one batch of events: beginning to read costs as much as reading a row.

import { performance } from 'node:perf_hooks';
import type { DatabaseSync } from 'node:sqlite';

export interface Snapshot {
  /** Makes sure that what is read next is true now. */
  take(): void;
  /** Lets the next read look anew. */
  drop(): void;
  /** Tells all connections of this process that one has committed: they learn it without an event. */
  noteCommit(): void;
}

let commits = 0;

/**
 * The event loop learns of arrivals in batches. It counts its turns just before it asks for what has arrived, and what
 * it took up after that has been handled. While both counts stand still, everything that is being answered had arrived
 * before the snapshot was taken: a commit that anyone was told of before that is in it. What comes later comes with
 * another batch. `onCommits` is called in a snapshot before which anyone has committed since the one before.
 */
export function snapshotOf(connection: DatabaseSync, onCommits: () => void): Snapshot {
  const begin = connection.prepare('BEGIN');
  const end = connection.prepare('COMMIT');
  // Changes whenever another connection has committed, also one of another process.
  const dataVersion = connection.prepare('PRAGMA data_version');
  let version: unknown;
  let turn = -1;
  let handled = -1;
  let seen = -1;
  let endsSoon = false;

  function drop(): void {
    turn = -1;
    if (connection.isOpen && connection.isTransaction) end.run();
  }

  function take(): void {
    const { loopCount, events } = performance.nodeTiming.uvMetricsInfo;
    if (loopCount === turn && events === handled && commits === seen) return;
    drop();
    begin.run();
    const current = dataVersion.get()?.data_version;
    // Noted only then: should it fail, the next snapshot calls it again.
    if (current !== version || commits !== seen) onCommits();
    version = current;
    turn = loopCount;
    handled = events;
    seen = commits;
    if (endsSoon) return;
    endsSoon = true;
    // An idle server must not keep an old snapshot, which would let the log of the database grow.
    setImmediate(() => {
      endsSoon = false;
      drop();
    });
  }

  return {
    take,
    drop,
    noteCommit() {
      commits += 1;
    },
  };
}
