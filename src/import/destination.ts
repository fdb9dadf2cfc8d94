// The rooms that records are imported into: the real ones, or those of a dry run.

import type { Community } from '../community/community.ts';
import type { Identity } from '../identity/identity.ts';
import type { Clock } from '../lib/clock.ts';

export interface Destination {
  identity: Identity;
  community: Community;
  clock: Clock;
}
