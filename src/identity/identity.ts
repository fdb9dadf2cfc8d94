// The context of the identity room: its port, the clock and the mailer's alarm. compose.ts creates it.

import type { Clock } from '../lib/clock.ts';
import type { IdentityReads, IdentityWrites } from './store.ts';

export interface Identity {
  reads: IdentityReads;
  /** Only the rules of this room use the writes. */
  writes: IdentityWrites;
  clock: Clock;
  /** Called after a mail is added, so that this process sends it without delay. */
  onMail?: (() => void) | undefined;
}
