// The port for consents to applications that stay deactivated. Each write is one atomic, durable step.

import type { SystemDoer } from '../audit/doer.ts';
import type { Timestamp } from '../lib/clock.ts';

/** A consent, by its member and its application. */
export interface GrantKey {
  userId: number;
  clientId: string;
}

export interface AbandonedGrantReads {
  /** Consents that are in force, to applications that are deactivated since before this moment. */
  abandonedGrants(deactivatedBefore: Timestamp, now: Timestamp, most: number): Promise<GrantKey[]>;
}

export interface AbandonedGrantWrites {
  /** As `withdrawGrant`, and the event says why. False if the application is active again. */
  withdrawAbandonedGrant(by: SystemDoer, grant: GrantKey): Promise<boolean>;
}
