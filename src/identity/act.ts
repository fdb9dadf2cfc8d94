// An operator's act: what is written down with whatever it changes.

import type { Clock, Timestamp } from '../lib/clock.ts';

/** Who does something to what is not theirs, and when. Storage writes it down in the same step. */
export interface Act {
  at: Timestamp;
  /** The operator's number; undefined: somebody at the command line. */
  actorId: number | undefined;
}

/** What is done now. */
export function actNow(clock: Clock, actorId?: number): Act {
  return { at: clock(), actorId };
}
