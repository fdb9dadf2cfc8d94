// One snapshot for the reads of one batch of events: beginning to read costs as much as reading a row.

import { performance } from 'node:perf_hooks';
import type { DatabaseSync } from 'node:sqlite';

export interface Snapshot {
  /**
   * Makes sure that the next read is true now. Returns the version of the database: while it stays the same, nothing
   * has been committed.
   */
  take(): number;
  /** Ends the open snapshot, so that the next read begins another. */
  drop(): void;
  /** Tells all connections of this process that this one has committed. */
  noteCommit(): void;
}

// The commits of all connections of this process, which learn of them without an event.
let commits = 0;

// No turn of the event loop is negative.
const NO_BATCH = { turn: -1, handled: -1 };

/**
 * The event loop learns of arrivals in batches. It counts its turns just before it asks for arrivals, and counts a
 * batch's events after it has handled them. While both counts stand still, every request that is being answered
 * arrived before the snapshot was taken, so the snapshot holds each commit that anyone was told of before. Later
 * requests come with another batch, or behind another request of their connection: the HTTP server answers those at
 * the end of the turn, when the events are counted and the snapshot is over.
 */
export function snapshotOf(connection: DatabaseSync): Snapshot {
  const begin = connection.prepare('BEGIN');
  const end = connection.prepare('COMMIT');
  // Changes whenever another connection has committed, also one of another process.
  const dataVersion = connection.prepare('PRAGMA data_version');
  let batch = NO_BATCH;
  let seen: { dataVersion: unknown; commits: number } = { dataVersion: undefined, commits: -1 };
  let version = 0;
  let endsSoon = false;

  function drop(): void {
    batch = NO_BATCH;
    if (connection.isOpen && connection.isTransaction) end.run();
  }

  function take(): number {
    const { loopCount: turn, events: handled } = performance.nodeTiming.uvMetricsInfo;
    if (turn === batch.turn && handled === batch.handled && commits === seen.commits) return version;
    drop();
    begin.run();
    noteVersion();
    batch = { turn, handled };
    endSoon();
    return version;
  }

  function noteVersion(): void {
    const current = dataVersion.get()?.data_version;
    if (current === seen.dataVersion && commits === seen.commits) return;
    seen = { dataVersion: current, commits };
    version += 1;
  }

  // An idle server must not hold an old snapshot, which would let the log of the database grow.
  function endSoon(): void {
    if (endsSoon) return;
    endsSoon = true;
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
