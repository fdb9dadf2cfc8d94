// One snapshot for all reads of a batch of events, since beginning a snapshot takes as long as reading a row.

import { performance } from 'node:perf_hooks';
import type { DatabaseSync } from 'node:sqlite';

export interface Snapshot {
  /**
   * Begins a snapshot unless the open one is up to date. Returns the version of the database, a number that
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

// Not equal to any batch: the event loop counts its turns from 0.
const NO_BATCH = { turn: -1, handled: -1 };

/**
 * Open snapshots, one for each batch of events that the event loop takes from the system. The loop's count of
 * turns rises before a batch, and its count of events after it. While both counts are unchanged, every request
 * in progress arrived before the snapshot began, so the snapshot has every commit that its sender can know of.
 * A later request comes in another batch, or waits behind an earlier request on its connection. The HTTP server
 * answers such a waiting request at the end of the turn, when the snapshot of the batch has ended.
 */
export function snapshotOf(connection: DatabaseSync): Snapshot {
  const begin = connection.prepare('BEGIN');
  const end = connection.prepare('COMMIT');
  // Changes whenever another connection has committed, in this process or another.
  const dataVersion = connection.prepare('PRAGMA data_version');
  let batch = NO_BATCH;
  let previous: { dataVersion: unknown; commits: number } = { dataVersion: undefined, commits: -1 };
  let version = 0;
  let endsSoon = false;

  function drop(): void {
    batch = NO_BATCH;
    if (connection.isOpen && connection.isTransaction) end.run();
  }

  function take(): number {
    const { loopCount: turn, events: handled } = performance.nodeTiming.uvMetricsInfo;
    if (turn === batch.turn && handled === batch.handled && commits === previous.commits) return version;
    drop();
    begin.run();
    noteVersion();
    batch = { turn, handled };
    endSoon();
    return version;
  }

  function noteVersion(): void {
    const current = dataVersion.get()?.data_version;
    if (current === previous.dataVersion && commits === previous.commits) return;
    previous = { dataVersion: current, commits };
    version += 1;
  }

  // An idle server must not hold an old snapshot, because SQLite's log would grow as long as it is open.
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
