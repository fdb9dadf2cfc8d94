// Adding a session, as part of a sign-in.

import type { SessionStart } from '../../audit/security-event.ts';
import type { NewSession } from '../../identity/session-record.ts';
import { networkToShow } from '../../lib/network.ts';
import { deleteOldestEventsOfSessions, securityEvent } from '../audit/security-events.ts';
import { type Bound, sql } from '../engine/sql.ts';
import { digestColumn } from '../oauth/digest-column.ts';
import { voidCodesBeforeSessionsOf } from './ended-sessions.ts';

/** The effects of a new session. */
export function newSessionEffects(session: NewSession, { browser, address }: SessionStart): Bound<unknown>[] {
  const network = address === undefined ? undefined : networkToShow(address);
  const digest = digestColumn(session.digest);
  return [
    insertSession({ ...session, digest, program: browser?.program ?? '', network }),
    deleteOldestSessionsOf({ userId: session.userId }),
    voidCodesBeforeSessionsOf({ userId: session.userId, at: session.authenticatedAt }),
    deleteOldestEventsOfSessions({ userId: session.userId }),
  ];
}

/** The events of a new session. */
export function newSessionEvents(
  { userId, authenticatedAt: at }: NewSession,
  { method: detail, address, browser }: SessionStart,
): Bound<unknown>[] {
  const subject = browser?.program || undefined;
  const isNew = browser?.isNew ?? false;
  return [
    securityEvent({ event: 'signed_in', at, userId, address, detail }),
    ...(isNew
      ? [
          securityEvent({
            event: 'new_browser',
            at,
            userId,
            address,
            ...(subject !== undefined && { subject }),
          }),
        ]
      : []),
  ];
}

type SessionRow = Omit<NewSession, 'digest'> & {
  digest: Uint8Array;
  program: string;
  network: string | undefined;
};

const insertSession = sql<SessionRow>`
  INSERT INTO sessions (key, digest, user_id, authenticated_at, last_seen_at, expires_at,
    program, network, last_network)
  VALUES (:key, :digest, :userId, :authenticatedAt, :lastSeenAt, :expiresAt, :program, :network, :network)`;

// Otherwise ending them all could take long. Keys grow with time.
// MATERIALIZED, here and at other oldest rows: PostgreSQL would read them again for each row of a table that was empty
// when it last counted, as the purging leaves some.
const deleteOldestSessionsOf = sql<{ userId: number }>`
  WITH oldest AS MATERIALIZED (
    SELECT key FROM sessions WHERE user_id = :userId ORDER BY key DESC LIMIT 100 OFFSET 100)
  DELETE FROM sessions WHERE key IN (SELECT key FROM oldest)`;
