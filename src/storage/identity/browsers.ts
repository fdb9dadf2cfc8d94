// The browsers that a member is signed in with, as the member sees them, and ending their sessions.

import type { BrowserReads, BrowserWrites, SignedInBrowser } from '../../identity/browser-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { ownAct } from '../audit/audit-trail.ts';
import { securityEvent } from '../audit/security-events.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { sql } from '../engine/sql.ts';
import { addLogoutsOfSession } from '../oauth/event-additions.ts';
import { endOtherSessionsOf, endPublicSignInsOfSession, voidCodesOfSession } from './ended-sessions.ts';
import { lockActiveUser } from './users.ts';

export function browserRows(database: Database): BrowserReads & BrowserWrites {
  return {
    async browsersOf(userId, now, since) {
      return database.rows(selectBrowsers({ userId, now, since }));
    },
    async hasSignInsElsewhere(userId, key, now) {
      const seen = await database.first(selectSignInsElsewhere({ userId, key, now, most: MOST_LOOKED_AT }));
      return seen !== undefined && (seen.found > 0 || seen.lookedAt === MOST_LOOKED_AT);
    },
    async endOwnSession(by, { key, signedInAt: authenticatedAt }) {
      const { userId, at, address } = by;
      const of = { userId, at, authenticatedAt };
      return runGuarded(database, {
        audit: ownAct(by),
        guard: deleteOwnSession({ key, userId }),
        effects: [voidCodesOfSession(of), addLogoutsOfSession(of), endPublicSignInsOfSession(of)],
        events: [securityEvent({ event: 'session_ended', at, userId, address, detail: 'ended_by_member' })],
      });
    },
    async endOtherSessions(by, key) {
      const { userId, at } = by;
      const detail = 'ended_by_member';
      await database.atomically({
        audit: ownAct(by),
        // A sign-in takes the same lock, so none slips in between.
        guard: lockActiveUser({ userId }),
        effects: endOtherSessionsOf(database.dialect, { userId, at, key, mayHaveFactor: 1, detail }),
      });
    },
  };
}

const selectBrowsers = sql<{ userId: number; now: Timestamp; since: Timestamp }, SignedInBrowser>`
  SELECT key, program, network, last_network AS "lastNetwork", authenticated_at AS "signedInAt",
    last_seen_at AS "lastSeenAt"
  FROM sessions
  WHERE user_id = :userId AND expires_at > :now AND last_seen_at > :since
  ORDER BY last_seen_at DESC, key DESC`;

// A member who has more live sign-ins has hardly ever all of them from one session.
const MOST_LOOKED_AT = 1000;

const selectSignInsElsewhere = sql<
  { userId: number; key: string; now: Timestamp; most: number },
  { lookedAt: number; found: number }
>`
  SELECT count(*) AS "lookedAt",
    count(
      CASE WHEN EXISTS (SELECT 1 FROM clients WHERE clients.id = live.client_id AND clients.kind = 'public')
        AND authenticated_at IS DISTINCT FROM (SELECT authenticated_at FROM sessions WHERE sessions.key = :key)
      THEN 1 END) AS found
  FROM (
    SELECT client_id, authenticated_at FROM token_families
    WHERE user_id = :userId AND revoked_at IS NULL AND refresh_expires_at > :now
    LIMIT cast(:most AS bigint)
  ) AS live`;

const deleteOwnSession = sql<{ key: string; userId: number }>`
  DELETE FROM sessions WHERE key = :key AND user_id = :userId`;
