// Browsers' sign-ins, as rows. Ending a session deletes it.

import type { IdentityStore, NewSession, Session } from '../../identity/store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { NO_PERSON } from '../audit/audit-trail.ts';
import type { Database } from '../engine/database.ts';
import { sql } from '../engine/sql.ts';
import { digestColumn, digestOfColumn } from '../oauth/digest-column.ts';
import { lockActiveUser, lockUserWithPassword, USER_COLUMNS, type UserRow, userOf } from './users.ts';

export function sessionRows(
  database: Database,
): Pick<IdentityStore, 'addSession' | 'findSession' | 'touchSession' | 'endSession'> {
  return {
    async addSession(session, passwordHash) {
      const { userId } = session;
      const outcome = await database.atomically({
        audit: NO_PERSON,
        // A suspension or a new password ends every session. The lock keeps either from slipping in between.
        guard:
          passwordHash === undefined
            ? lockActiveUser({ userId })
            : lockUserWithPassword({ userId, passwordHash }),
        effects: [insertSession(sessionRow(session))],
      });
      return outcome.happened;
    },
    async findSession(key) {
      const row = await database.first(selectSession({ key }));
      return row && { session: sessionOf(row), user: userOf(row) };
    },
    async touchSession(key, at) {
      await database.atomically({ audit: NO_PERSON, guard: touchSessionByKey({ key, at }) });
    },
    async endSession(key) {
      await database.atomically({ audit: NO_PERSON, guard: deleteSession({ key }) });
    },
  };
}

interface SessionRow {
  key: string;
  digest: Uint8Array;
  user_id: number;
  authenticated_at: Timestamp;
  last_seen_at: Timestamp;
  expires_at: Timestamp;
}

const insertSession = sql<SessionRow>`
  INSERT INTO sessions (key, digest, user_id, authenticated_at, last_seen_at, expires_at)
  VALUES (:key, :digest, :user_id, :authenticated_at, :last_seen_at, :expires_at)`;

const selectSession = sql<{ key: string }, SessionRow & UserRow>`
  SELECT sessions.key, sessions.digest, sessions.authenticated_at, sessions.last_seen_at, sessions.expires_at,
    ${USER_COLUMNS}
  FROM sessions JOIN users ON users.id = sessions.user_id
  WHERE sessions.key = :key`;

const touchSessionByKey = sql<{ key: string; at: Timestamp }>`
  UPDATE sessions SET last_seen_at = :at WHERE key = :key AND last_seen_at < :at`;

const deleteSession = sql<{ key: string }>`
  DELETE FROM sessions WHERE key = :key`;

function sessionRow(session: NewSession): SessionRow {
  return {
    key: session.key,
    digest: digestColumn(session.digest),
    user_id: session.userId,
    authenticated_at: session.authenticatedAt,
    last_seen_at: session.lastSeenAt,
    expires_at: session.expiresAt,
  };
}

function sessionOf(row: SessionRow): Session {
  return {
    key: row.key,
    digest: digestOfColumn(row.digest),
    userId: row.user_id,
    authenticatedAt: row.authenticated_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
  };
}
