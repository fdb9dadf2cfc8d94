// Whether the session in which a member signs in to an application is open.

import { fragment, sql } from '../engine/sql.ts';

export interface OfSession {
  /** Undefined: without a browser. */
  sessionKey: string | undefined;
}

export const selectSession = sql<{ key: string }, { key: string }>`
  SELECT key FROM sessions WHERE key = :key`;

const SESSION = fragment`SELECT sessions.key FROM sessions WHERE sessions.key = :sessionKey`;

/**
 * A condition. Whoever ends a session deletes its row and then voids the codes. On PostgreSQL the lock makes that wait
 * for a code in progress, so that it is voided too. SQLite has one writer.
 */
export const IS_SIGNED_IN = {
  sqlite: fragment`(cast(:sessionKey AS text) IS NULL OR EXISTS (${SESSION}))`,
  postgres: fragment`(cast(:sessionKey AS text) IS NULL OR EXISTS (${SESSION} FOR KEY SHARE))`,
};
