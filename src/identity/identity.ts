// What the rules about people stand on: given by the composer, never reached for.

import type { Clock } from '../lib/clock.ts';
import type { IdentityReads, IdentityWrites } from './store.ts';

export interface Identity {
  reads: IdentityReads;
  /** For the rules of this room alone; no door uses them. */
  writes: IdentityWrites;
  clock: Clock;
  /** Called after a mail was added, for whoever sends them in this process. */
  onMail?: (() => void) | undefined;
}
