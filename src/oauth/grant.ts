// How long a member's consent is valid, and when it is asked for again. A consent is in force, paused, or withdrawn.
// One that has come to its end counts as withdrawn.

import { DAY, type Timestamp } from '../lib/clock.ts';
import { ACCESS_TOKEN_LIFETIME, CODE_LIFETIME } from './issued-tokens.ts';
import type { Grant, GrantDuration } from './store.ts';

/** How long a member can allow access, in the order in which pages offer it. */
export const GRANT_DURATIONS: readonly GrantDuration[] = ['until_removed', '30_days', '1_day', 'once'];

/** Read a duration. Undefined for anything else. */
export function readGrantDuration(text: string): GrantDuration | undefined {
  return GRANT_DURATIONS.find((duration) => duration === text);
}

// The code of a single sign-in can be redeemed at its last moment, and its access token is then valid for an hour.
const LENGTHS: Record<GrantDuration, number | undefined> = {
  until_removed: undefined,
  '30_days': 30 * DAY,
  '1_day': 1 * DAY,
  once: CODE_LIFETIME + ACCESS_TOKEN_LIFETIME,
};

/** The end of a consent that is given now. Undefined: it is valid until it is removed. */
export function endOfGrant(duration: GrantDuration, now: Timestamp): Timestamp | undefined {
  const length = LENGTHS[duration];
  return length === undefined ? undefined : now + length;
}

// A member should not find out after years that an application still signs in without a question.
const CONSENT_MEMORY = 180 * DAY;

/** Report whether the application may sign the member in without a question, for the scopes of the consent. */
export function isRemembered(grant: Grant, now: Timestamp): boolean {
  return grant.pausedAt === undefined && now - grant.consentedAt < CONSENT_MEMORY;
}
