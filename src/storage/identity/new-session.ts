// Adding a session, as an effect of a sign-in.

import type { NewSession } from '../../identity/session-record.ts';
import { deleteOldestEventsOfSessions } from '../audit/security-events.ts';
import { type Bound, sql } from '../engine/sql.ts';
import { digestColumn } from '../oauth/digest-column.ts';

/** The effects of a new session. */
export function newSessionEffects(session: NewSession): Bound<unknown>[] {
  const { userId } = session;
  return [
    insertSession({ ...session, digest: digestColumn(session.digest) }),
    deleteOldestSessionsOf({ userId }),
    deleteOldestEventsOfSessions({ userId }),
  ];
}

const insertSession = sql<Omit<NewSession, 'digest'> & { digest: Uint8Array }>`
  INSERT INTO sessions (key, digest, user_id, authenticated_at, last_seen_at, expires_at)
  VALUES (:key, :digest, :userId, :authenticatedAt, :lastSeenAt, :expiresAt)`;

// Otherwise ending them all could take long. Keys grow with time.
const deleteOldestSessionsOf = sql<{ userId: number }>`
  DELETE FROM sessions WHERE key IN (
    SELECT key FROM sessions WHERE user_id = :userId ORDER BY key DESC LIMIT 100 OFFSET 100)`;
