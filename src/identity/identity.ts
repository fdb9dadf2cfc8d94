// What the rules about people stand on: given by the composer, never reached for.

import type { Clock } from '../lib/clock.ts';
import type { IdentityStore } from './store.ts';

export interface Identity {
  store: IdentityStore;
  clock: Clock;
  /** Called after a mail was added, for whoever sends them in this process. */
  onMail?: (() => void) | undefined;
}
