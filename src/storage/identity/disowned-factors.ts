// The second factors that go when a member says "This wasn't me", or undoes a change of address: those that someone
// else may have added.

import type { SecurityEvent } from '../../audit/security-event.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { EVENT_ROW, INTO_EVENTS, recorded } from '../audit/security-events.ts';
import { type Bound, sql } from '../engine/sql.ts';
import { ACCOUNT_WITH_PASSWORD } from './ended-sessions.ts';
import { deleteUselessCodes, updateHasFactor } from './factors.ts';

interface Removal {
  userId: number;
  /** Nothing is removed from an account with another password hash. */
  hash: string;
  /** Factors from this moment on. Older ones stay. */
  since: Timestamp;
  at: Timestamp;
  address: string | undefined;
}

/** Remove a member's newer factors and recovery codes, with their events. The account must be locked. */
export function removeFactorsSince({ userId, hash, since, at, address }: Removal): Bound<unknown>[] {
  return [
    recorded(insertAppRemoval({ userId, hash, since, at, address })),
    recorded(insertPasskeyRemovals({ userId, hash, since, at, address })),
    deleteAppSince({ userId, hash, since }),
    deletePasskeysSince({ userId, hash, since }),
    deleteCodesSince({ userId, hash, since }),
    updateHasFactor({ userId }),
    deleteUselessCodes({ userId }),
  ];
}

const insertAppRemoval = sql<Removal, SecurityEvent>`
  ${INTO_EVENTS}
  SELECT :at, 'factor_removed', user_id, NULL, :address, NULL, 'app', NULL
  FROM authenticator_apps WHERE user_id = ${ACCOUNT_WITH_PASSWORD} AND confirmed_at >= :since
  ${EVENT_ROW}`;

const insertPasskeyRemovals = sql<Removal, SecurityEvent>`
  ${INTO_EVENTS}
  SELECT :at, 'factor_removed', user_id, NULL, :address, NULL, 'passkey', NULL
  FROM passkeys WHERE user_id = ${ACCOUNT_WITH_PASSWORD} AND created_at >= :since
  ${EVENT_ROW}`;

type Since = Pick<Removal, 'userId' | 'hash' | 'since'>;

const deleteAppSince = sql<Since>`
  DELETE FROM authenticator_apps
  WHERE user_id = ${ACCOUNT_WITH_PASSWORD} AND (confirmed_at IS NULL OR confirmed_at >= :since)`;

const deletePasskeysSince = sql<Since>`
  DELETE FROM passkeys WHERE user_id = ${ACCOUNT_WITH_PASSWORD} AND created_at >= :since`;

const deleteCodesSince = sql<Since>`
  DELETE FROM recovery_codes WHERE user_id = ${ACCOUNT_WITH_PASSWORD} AND created_at >= :since`;
