// What the bounds on how often a member may do a thing ask of storage: counts that outlive a restart.

import type { Timestamp } from '../lib/clock.ts';

export interface PaceStore {
  /** As in the people's room: false, and nothing counted, if `most` were counted in the window that is open. */
  countAttempt(subject: string, most: number, now: Timestamp, closesAt: Timestamp): Promise<boolean>;
  /** When the window of a subject closes, undefined if none is open. */
  attemptsCloseAt(subject: string): Promise<Timestamp | undefined>;
}
