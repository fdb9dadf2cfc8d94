// The work that the server does by itself: when it last ran, and why it last failed.

import { type Clock, MINUTE, type Timestamp } from '../lib/clock.ts';

export const BACKGROUND_WORK = [
  'purging',
  'rendering',
  'mails',
  'diary',
  'tokens',
  'events',
  'backups',
] as const;
export type BackgroundWorkName = (typeof BACKGROUND_WORK)[number];

export interface BackgroundWork {
  name: BackgroundWorkName;
  /** The last run that succeeded. */
  ranAt: Timestamp | undefined;
  failedAt: Timestamp | undefined;
  /** The message of the last failure. */
  error: string | undefined;
}

export interface BackgroundWorkReads {
  /** Each kind that ever ran, or failed. */
  backgroundWork(): Promise<BackgroundWork[]>;
}

export interface BackgroundWorkWrites {
  recordRun(name: BackgroundWorkName, at: Timestamp): Promise<void>;
  recordFailure(name: BackgroundWorkName, at: Timestamp, error: string): Promise<void>;
}

/** Whether the last run failed. */
export function isFailing({ ranAt, failedAt }: BackgroundWork): boolean {
  return failedAt !== undefined && failedAt > (ranAt ?? 0);
}

/** How old a record of work that goes on well may be. */
export const RECORDED_EVERY = 1 * MINUTE;
const MOST_ERROR_CHARACTERS = 200;

/** Wrap work, so that its runs are recorded, each failure and at most one success a minute. */
export function withRecord<T>(
  { writes, clock }: { writes: BackgroundWorkWrites; clock: Clock },
  name: BackgroundWorkName,
  work: () => Promise<T>,
): () => Promise<T> {
  let recordedAt = 0;
  return async () => {
    try {
      const result = await work();
      if (clock() - recordedAt >= RECORDED_EVERY) {
        recordedAt = clock();
        await writes.recordRun(name, recordedAt);
      }
      return result;
    } catch (error) {
      // After a failure, the next success is recorded at once.
      recordedAt = 0;
      const [firstLine = ''] = String((error as Error).message).split('\n');
      // If the database is the reason, it can't be told either.
      await writes.recordFailure(name, clock(), firstLine.slice(0, MOST_ERROR_CHARACTERS)).catch(() => {});
      throw error;
    }
  };
}
