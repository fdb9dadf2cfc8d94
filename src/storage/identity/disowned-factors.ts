// The second factors that go when a member says "This wasn't me": those that someone else may have added.

import type { SecurityEvent } from '../../audit/security-event.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { EVENT_ROW, INTO_EVENTS, recorded } from '../audit/security-events.ts';
import { type Bound, sql } from '../engine/sql.ts';
import { deleteUselessCodes, updateHasFactor } from './factors.ts';

interface Removal {
  userId: number;
  /** Factors from this moment on. Older ones stay. */
  since: Timestamp;
  at: Timestamp;
  address: string;
}

/** Remove a member's newer factors and recovery codes, with their events. The account must be locked. */
export function removeFactorsSince({ userId, since, at, address }: Removal): Bound<unknown>[] {
  return [
    recorded(insertAppRemoval({ userId, since, at, address })),
    recorded(insertPasskeyRemovals({ userId, since, at, address })),
    deleteAppSince({ userId, since }),
    deletePasskeysSince({ userId, since }),
    deleteCodesSince({ userId, since }),
    updateHasFactor({ userId }),
    deleteUselessCodes({ userId }),
  ];
}

const insertAppRemoval = sql<Removal, SecurityEvent>`
  ${INTO_EVENTS}
  SELECT :at, 'factor_removed', user_id, NULL, :address, NULL, 'app', NULL
  FROM authenticator_apps WHERE user_id = :userId AND confirmed_at >= :since
  ${EVENT_ROW}`;

const insertPasskeyRemovals = sql<Removal, SecurityEvent>`
  ${INTO_EVENTS}
  SELECT :at, 'factor_removed', user_id, NULL, :address, NULL, 'passkey', NULL
  FROM passkeys WHERE user_id = :userId AND created_at >= :since
  ${EVENT_ROW}`;

type Since = Pick<Removal, 'userId' | 'since'>;

const deleteAppSince = sql<Since>`
  DELETE FROM authenticator_apps WHERE user_id = :userId AND (confirmed_at IS NULL OR confirmed_at >= :since)`;

const deletePasskeysSince = sql<Since>`
  DELETE FROM passkeys WHERE user_id = :userId AND created_at >= :since`;

const deleteCodesSince = sql<Since>`
  DELETE FROM recovery_codes WHERE user_id = :userId AND created_at >= :since`;
