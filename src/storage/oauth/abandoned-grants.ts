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
import { sql } from '../engine/sql.ts';
import { addConsentEvent } from './event-additions.ts';
import { endAccess, type GrantChange } from './grant-effects.ts';

export function abandonedGrantRows(database: Database): AbandonedGrantReads & AbandonedGrantWrites {
  return {
    async abandonedGrants(deactivatedBefore, now, most) {
      return database.rows(selectAbandonedGrants({ deactivatedBefore, now, most }));
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

const selectAbandonedGrants = sql<{ deactivatedBefore: Timestamp; now: Timestamp; most: number }, GrantKey>`
  SELECT grants.user_id AS "userId", grants.client_id AS "clientId"
  FROM clients JOIN grants ON grants.client_id = clients.id AND grants.withdrawn_at IS NULL
  WHERE clients.deactivated_at <= :deactivatedBefore AND (grants.ends_at IS NULL OR grants.ends_at > :now)
  LIMIT cast(:most AS bigint)`;

const withdrawGrantIfDeactivated = sql<GrantChange>`
  UPDATE grants SET withdrawn_at = :at, paused_at = NULL
  WHERE user_id = :userId AND client_id = :clientId AND withdrawn_at IS NULL
    AND (ends_at IS NULL OR ends_at > :at)
    AND EXISTS (SELECT 1 FROM clients WHERE clients.id = :clientId AND clients.deactivated_at IS NOT NULL)`;
