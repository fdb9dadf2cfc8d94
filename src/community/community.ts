// What the rules about posts stand on: given by the composer, never reached for.

import type { Clock } from '../lib/clock.ts';
import type { CommunityReads, CommunityWrites } from './store.ts';

export interface Community {
  reads: CommunityReads;
  /** For the rules of this room alone; no door uses them. */
  writes: CommunityWrites;
  clock: Clock;
}
