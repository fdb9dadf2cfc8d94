// The context of the rules about posts. The composer makes it.

import type { Clock } from '../lib/clock.ts';
import type { CommunityReads, CommunityWrites } from './store.ts';

export interface Community {
  reads: CommunityReads;
  /** Only for the rules of this room. Doors don't use it. */
  writes: CommunityWrites;
  clock: Clock;
}
