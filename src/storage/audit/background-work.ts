// When background work last ran and last failed: a row for each kind.

import type {
  BackgroundWork,
  BackgroundWorkName,
  BackgroundWorkReads,
  BackgroundWorkWrites,
} from '../../audit/background-work.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { sql } from '../engine/sql.ts';
import { NO_ENTRY } from './audit-trail.ts';

export function backgroundWorkReads(database: Database): BackgroundWorkReads {
  return { backgroundWork: async () => database.rows(selectWork()) };
}

export function backgroundWorkWrites(database: Database): BackgroundWorkWrites {
  return {
    async recordRun(name, at) {
      await database.atomically({ audit: NO_ENTRY, guard: upsertRun({ name, at }) });
    },
    async recordFailure(name, at, error) {
      await database.atomically({ audit: NO_ENTRY, guard: upsertFailure({ name, at, error }) });
    },
  };
}

const selectWork = sql<void, BackgroundWork>`
  SELECT name, ran_at AS "ranAt", failed_at AS "failedAt", error FROM background_work ORDER BY name`;

const upsertRun = sql<{ name: BackgroundWorkName; at: Timestamp }>`
  INSERT INTO background_work (name, ran_at) VALUES (:name, :at)
  ON CONFLICT (name) DO UPDATE SET ran_at = excluded.ran_at`;

const upsertFailure = sql<{ name: BackgroundWorkName; at: Timestamp; error: string }>`
  INSERT INTO background_work (name, failed_at, error) VALUES (:name, :at, :error)
  ON CONFLICT (name) DO UPDATE SET failed_at = excluded.failed_at, error = excluded.error`;
