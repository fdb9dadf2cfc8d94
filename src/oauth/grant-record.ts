// The record of a consent.

import type { Timestamp } from '../lib/clock.ts';
import type { Client } from './client-store.ts';
import type { ScopeSet } from './scope.ts';

/** How long a member allows access. `once`: for one sign-in, without a refresh token or a remembered consent. */
export type GrantDuration = 'until_removed' | '30_days' | '1_day' | 'once';

/** What a member allows an application: one record, however often the application asked. */
export interface Grant {
  userId: number;
  clientId: string;
  scopes: ScopeSet;
  /** What the application called itself when the member last allowed it. Undefined for old consents. */
  allowedAs: string | undefined;
  grantedAt: Timestamp;
  /** When the member last allowed it on the consent page. */
  consentedAt: Timestamp;
  lastAuthorizedAt: Timestamp;
  duration: GrantDuration;
  /** From then on, the consent counts as withdrawn. */
  endsAt: Timestamp | undefined;
  pausedAt: Timestamp | undefined;
  /** When the member withdrew it, or when it ended. */
  withdrawnAt: Timestamp | undefined;
}

/** The facts that an answer of a member changes. */
export type GrantState = Pick<Grant, 'scopes' | 'duration' | 'pausedAt'>;

/** An application that a member allows, with what it may read. */
export interface ConnectedClient {
  client: Pick<Client, 'id' | 'name' | 'status' | 'deactivation' | 'logo' | 'isLogoApproved'>;
  grant: Grant;
}
