// Attempts, counted per subject in windows that open with the first attempt.

import type { IdentityStore } from '../../identity/store.ts';
import type { Attempts } from '../../lib/attempt.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { NO_ENTRY } from '../audit/audit-trail.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';

export function attemptRows(
  database: Database,
): Pick<IdentityStore, 'countAttempt' | 'findAttempts' | 'takeAttemptBack'> {
  return {
    async countAttempt(subject, most, now, closesAt) {
      const guard = upsertAttempt({ subject, most, now, closesAt });
      return runGuarded(database, { audit: NO_ENTRY, guard });
    },
    async findAttempts(subject) {
      return database.first(selectAttempts({ subject }));
    },
    async takeAttemptBack(subject) {
      await database.atomically({ audit: NO_ENTRY, guard: decrementAttempts({ subject }) });
    },
  };
}

// One statement opens a window, replaces a closed one, increments the count (`judged`), or changes nothing.
// Parallel attempts wait for the row's lock, so each sees the count that the attempt before it left.
export const upsertAttempt = sql<{ subject: string; most: number; now: Timestamp; closesAt: Timestamp }>`
  INSERT INTO attempts (subject, judged, closes_at)
  VALUES (:subject, 1, :closesAt)
  ON CONFLICT (subject) DO UPDATE SET
    judged = CASE WHEN attempts.closes_at <= :now THEN excluded.judged ELSE attempts.judged + 1 END,
    closes_at = CASE WHEN attempts.closes_at <= :now THEN excluded.closes_at ELSE attempts.closes_at END
  WHERE attempts.closes_at <= :now OR attempts.judged < :most`;

/**
 * The condition of an effect that may happen `:most` times in a window, after `upsertAttempt` with one more: an attempt
 * beyond the limit is counted once, which tells it from the last one within the limit.
 */
export const IS_WITHIN_LIMIT = fragment`
  EXISTS (SELECT 1 FROM attempts WHERE subject = :subject AND judged <= :most)`;

/**
 * Let a subject act at most once in `:pause`. A window begins with its act: now, or when the window before it closes.
 * Further calls share the act that still waits. It happens `:pause` before `closes_at`.
 */
export const upsertTurn = sql<{ subject: string; now: Timestamp; pause: number }>`
  INSERT INTO attempts (subject, judged, closes_at)
  VALUES (:subject, 1, cast(:now AS bigint) + cast(:pause AS bigint))
  ON CONFLICT (subject) DO UPDATE SET closes_at = CASE
    WHEN attempts.closes_at <= :now THEN excluded.closes_at
    WHEN attempts.closes_at <= excluded.closes_at THEN attempts.closes_at + cast(:pause AS bigint)
    ELSE attempts.closes_at END`;

const selectAttempts = sql<{ subject: string }, Attempts>`
  SELECT judged AS count, closes_at AS "closesAt" FROM attempts WHERE subject = :subject`;

const decrementAttempts = sql<{ subject: string }>`
  UPDATE attempts SET judged = judged - 1 WHERE subject = :subject AND judged > 0`;
