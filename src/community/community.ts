// What the rules about posts stand on: given by the composer, never reached for.

import type { Clock } from '../lib/clock.ts';
import type { CommunityStore } from './store.ts';

export interface Community {
  store: CommunityStore;
  clock: Clock;
}
