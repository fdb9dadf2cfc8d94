// Browsers' sign-ins, as rows. Ending a session deletes it.

import type { Session } from '../../identity/session-record.ts';
import type { IdentityStore } from '../../identity/store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { entry, NO_ENTRY } from '../audit/audit-trail.ts';
import { securityEvent } from '../audit/security-events.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { sql } from '../engine/sql.ts';
import { digestOfColumn } from '../oauth/digest-column.ts';
import { addLogoutsOfSession } from '../oauth/event-additions.ts';
import { revokeAllFamiliesOf } from './closed-account.ts';
import {
  endSessionsOf,
  voidCodesOf,
  voidCodesOfSession,
  voidCodesUnlessContinued,
} from './ended-sessions.ts';
import { newSessionEffects, newSessionEvents } from './new-session.ts';
import {
  lockActiveUser,
  lockOpenUser,
  lockUserWithPassword,
  USER_COLUMNS,
  type UserRow,
  userOf,
} from './users.ts';

export function sessionRows(
  database: Database,
): Pick<
  IdentityStore,
  'addSession' | 'findSession' | 'countSessions' | 'touchSession' | 'endSession' | 'endSignIns'
> {
  return {
    async addSession(session, start, passwordHash) {
      const { userId } = session;
      return runGuarded(database, {
        audit: NO_ENTRY,
        // A suspension or a new password ends every session. The lock keeps either from slipping in between.
        guard:
          passwordHash === undefined
            ? lockActiveUser({ userId })
            : lockUserWithPassword({
                userId,
                passwordHash,
                mayHaveFactor: start.method === 'password' || start.isWithoutFactor ? 0 : 1,
              }),
        effects: newSessionEffects(session, start),
        events: newSessionEvents(session, start),
      });
    },
    async findSession(key) {
      const row = await database.first(selectSession({ key }));
      return row && { session: sessionOf(row), user: userOf(row) };
    },
    async countSessions(userId, now, since) {
      return (await database.first(countSessionsOf({ userId, now, since })))?.count ?? 0;
    },
    async touchSession(key, at, network) {
      await database.atomically({ audit: NO_ENTRY, guard: touchSessionByKey({ key, at, network }) });
    },
    async endSession({ key, authenticatedAt }, event, nextKey = '') {
      const { userId, at } = event;
      const of = { userId, at, authenticatedAt };
      await database.atomically({
        audit: NO_ENTRY,
        guard: deleteSession({ key }),
        // A browser whose session is replaced doesn't sign out.
        effects:
          event.event === 'signed_out'
            ? [voidCodesOfSession(of), addLogoutsOfSession(of)]
            : [voidCodesUnlessContinued({ ...of, nextKey })],
        events: [securityEvent(event)],
      });
    },
    async endSignIns(by, userId) {
      const { at } = by;
      return runGuarded(database, {
        audit: entry(by, { action: 'user.sign_out', subject: { kind: 'user', id: String(userId) } }),
        guard: lockOpenUser({ userId }),
        effects: [
          ...endSessionsOf(database.dialect, { userId, at, detail: 'ended_by_operator' }),
          // A code from before would start a new sign-in. The codes first: this waits for a redemption in progress,
          // so the next statement sees its sign-in.
          voidCodesOf({ userId, at }),
          revokeAllFamiliesOf({ userId, at }),
        ],
      });
    },
  };
}

type SessionRow = Omit<Session, 'digest'> & { digest: Uint8Array };

const selectSession = sql<{ key: string }, SessionRow & UserRow>`
  SELECT sessions.key, sessions.digest, sessions.user_id AS "userId",
    sessions.authenticated_at AS "authenticatedAt", sessions.last_seen_at AS "lastSeenAt",
    sessions.expires_at AS "expiresAt", sessions.last_network AS "lastNetwork",
    coalesce(sessions.proven_at, sessions.authenticated_at) AS "provenAt", ${USER_COLUMNS}
  FROM sessions JOIN users ON users.id = sessions.user_id
  WHERE sessions.key = :key`;

const touchSessionByKey = sql<{ key: string; at: Timestamp; network: string | undefined }>`
  UPDATE sessions SET last_seen_at = :at, last_network = coalesce(cast(:network AS text), last_network)
  WHERE key = :key AND last_seen_at < :at`;

const countSessionsOf = sql<{ userId: number; now: Timestamp; since: Timestamp }, { count: number }>`
  SELECT count(*) AS count FROM sessions
  WHERE user_id = :userId AND expires_at > :now AND last_seen_at > :since`;

const deleteSession = sql<{ key: string }>`
  DELETE FROM sessions WHERE key = :key`;

// Property by property, because the row has the member's columns too.
function sessionOf(row: SessionRow): Session {
  const { key, digest, userId, authenticatedAt, lastSeenAt, expiresAt, lastNetwork, provenAt } = row;
  const times = { authenticatedAt, lastSeenAt, expiresAt, provenAt };
  return { key, digest: digestOfColumn(digest), userId, ...times, lastNetwork };
}
