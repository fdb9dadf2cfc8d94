// Consents to applications that stay deactivated, as rows.

import type { Timestamp } from '../../lib/clock.ts';
import type {
  AbandonedGrantReads,
  AbandonedGrantWrites,
  GrantKey,
} from '../../oauth/abandoned-grant-store.ts';
import { NO_ENTRY } from '../audit/audit-trail.ts';
import { securityEvent } from '../audit/security-events.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { type Fragment, fragment, sql } from '../engine/sql.ts';
import { addConsentEvent } from './event-additions.ts';
import { endAccess, type GrantChange } from './grant-effects.ts';

export function abandonedGrantRows(database: Database): AbandonedGrantReads & AbandonedGrantWrites {
  return {
    async abandonedGrants(deactivatedBefore, now, most) {
      return database.rows(selectAbandonedGrants[database.dialect]({ deactivatedBefore, now, most }));
    },
    async withdrawAbandonedGrant({ kind: by, at }, { userId, clientId }) {
      const change = { userId, clientId, at };
      return runGuarded(database, {
        audit: NO_ENTRY,
        guard: withdrawGrantIfDeactivated(change),
        effects: endAccess(change),
        events: [
          securityEvent({
            event: 'consent_withdrawn',
            ...change,
            address: undefined,
            by,
            detail: 'deactivated',
          }),
          addConsentEvent({ ...change, type: 'access.ended' }),
        ],
      });
    },
  };
}

interface Abandoned {
  deactivatedBefore: Timestamp;
  now: Timestamp;
  most: number;
}

function abandonedGrantsOf(deactivatedClients: Fragment): Fragment {
  return fragment`
    SELECT user_id AS "userId", client_id AS "clientId" FROM grants
    WHERE client_id ${deactivatedClients} AND withdrawn_at IS NULL AND (ends_at IS NULL OR ends_at > :now)
    LIMIT cast(:most AS bigint)`;
}

const DEACTIVATED = fragment`SELECT id FROM clients WHERE deactivated_at <= :deactivatedBefore`;

// With a list, PostgreSQL would read all grants until it finds enough; of an array, it looks up each application.
const selectAbandonedGrants = {
  sqlite: sql<Abandoned, GrantKey>`${abandonedGrantsOf(fragment`IN (${DEACTIVATED})`)}`,
  postgres: sql<Abandoned, GrantKey>`${abandonedGrantsOf(fragment`= ANY (ARRAY(${DEACTIVATED}))`)}`,
};

const withdrawGrantIfDeactivated = sql<GrantChange>`
  UPDATE grants SET withdrawn_at = :at, paused_at = NULL
  WHERE user_id = :userId AND client_id = :clientId AND withdrawn_at IS NULL
    AND (ends_at IS NULL OR ends_at > :at)
    AND EXISTS (SELECT 1 FROM clients WHERE clients.id = :clientId AND clients.deactivated_at IS NOT NULL)`;
