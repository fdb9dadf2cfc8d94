// One snapshot for the reads of one batch of events: beginning to read costs as much as reading a row.

import { performance } from 'node:perf_hooks';
import type { DatabaseSync } from 'node:sqlite';

export interface Snapshot {
  /**
   * Begins a snapshot unless the open one is still true. Returns the version of the database, a number that
   * changes with every commit by any process.
   */
  take(): number;
  /** Ends the open snapshot. The next read begins another. */
  drop(): void;
  /** Tells all connections of this process that this one has committed. */
  noteCommit(): void;
}

// Counts the commits of all connections of this process: no event tells one connection of another's commit.
let commits = 0;

// Equals no batch: the event loop counts its turns from 0.
const NO_BATCH = { turn: -1, handled: -1 };

/**
 * Opens snapshots, one for each batch of arrivals. The event loop counts its turns just before it asks for
 * arrivals, and the events of a batch after it has handled them. While both counts stand still, every request
 * that is being answered arrived before the snapshot began, so the snapshot holds each commit that its sender
 * may know of. A later request comes with another batch, or behind another request on the same connection.
 * The HTTP server answers the latter at the end of the turn, when the batch is counted and its snapshot over.
 */
export function snapshotOf(connection: DatabaseSync): Snapshot {
  const begin = connection.prepare('BEGIN');
  const end = connection.prepare('COMMIT');
  // Changes whenever another connection has committed, in this process or another.
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
