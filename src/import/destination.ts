// The context of an import: the real storage, or the storage of a dry run.

import type { Identity } from '../identity/identity.ts';
import type { Clock } from '../lib/clock.ts';
import type { ImportReads, ImportWrites } from './store.ts';

export interface Destination {
  reads: ImportReads;
  /** Only for src/import. The HTTP and command-line code must not use it. */
  writes: ImportWrites;
  clock: Clock;
  guestRules: Identity['guestRules'];
}
