// Ending all sessions of a member, and statements that act only if the account has a given password hash. Both
// record security events, and send logout tokens to applications.

import type { SecurityEvent, SessionEndReason } from '../../audit/security-event.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { EVENT_ROW, INTO_EVENTS, recorded } from '../audit/security-events.ts';
import { type Bound, type Dialect, fragment, sql } from '../engine/sql.ts';
import { addLogouts, addLogoutsIfPasswordIs, addLogoutsOfOthers } from '../oauth/event-additions.ts';

interface Ending {
  userId: number;
  at: Timestamp;
  detail: SessionEndReason;
}

/** End every session of a member. */
export function endSessionsOf(dialect: Dialect, ending: Ending): Bound<unknown>[] {
  const { userId, at } = ending;
  return [recorded(insertEnds[dialect](ending)), addLogouts({ userId, at }), deleteSessionsOf({ userId })];
}

interface EndingOthers extends Ending {
  /** The session that stays. */
  key: string;
  /** 0: none ends if the account has a second factor already. */
  mayHaveFactor: number;
}

/**
 * End every session of a member but one, and all that began in another at public applications. Void the codes: one of
 * an ended session would start a sign-in.
 */
export function endOtherSessionsOf(dialect: Dialect, ending: EndingOthers): Bound<unknown>[] {
  const { userId, at, key, mayHaveFactor } = ending;
  return [
    recorded(insertOtherEnds[dialect](ending)),
    addLogoutsOfOthers({ userId, at, key, mayHaveFactor }),
    deleteOtherSessionsOf({ userId, key, mayHaveFactor }),
    voidCodesUnlessFactor({ userId, at, mayHaveFactor }),
    endPublicSignInsOfOthers({ userId, at, key, mayHaveFactor }),
  ];
}

/** The same as `endSessionsOf`, if the account has this password hash. */
export function endSessionsIfPasswordIs(
  dialect: Dialect,
  ending: Ending & { hash: string },
): Bound<unknown>[] {
  const { userId, hash, at } = ending;
  return [
    recorded(insertEndsIfPasswordIs[dialect](ending)),
    addLogoutsIfPasswordIs({ userId, hash, at }),
    deleteSessionsIfPasswordIs({ userId, hash }),
  ];
}

/** Selects no account if it has another password hash. */
export const ACCOUNT_WITH_PASSWORD = fragment`
  (SELECT id FROM users WHERE id = :userId AND password_hash = :hash)`;

interface NewHash {
  event: 'password_reset' | 'email_change_undone';
  at: Timestamp;
  userId: number;
  hash: string;
  address: string | undefined;
}

/** Record that the account has this password hash now. Records nothing if it has another. */
export function eventIfPasswordIs(change: NewHash): Bound<unknown> {
  return recorded(insertNewHash(change));
}

const insertNewHash = sql<NewHash, SecurityEvent>`
  ${INTO_EVENTS}
  SELECT :at, :event, id, NULL, :address, NULL, NULL, NULL
  FROM users WHERE id = :userId AND password_hash = :hash
  ${EVENT_ROW}`;

const SELECT_ENDS = fragment`
  SELECT :at, 'session_ended', user_id, NULL, NULL, NULL, :detail, NULL FROM sessions`;

const INSERT_ENDS = fragment`${INTO_EVENTS} ${SELECT_ENDS} WHERE user_id = :userId`;

// On PostgreSQL the lock waits for a member who signs out at this moment, so that a session ends only once.
const insertEnds = {
  sqlite: sql<Ending, SecurityEvent>`${INSERT_ENDS} ${EVENT_ROW}`,
  postgres: sql<Ending, SecurityEvent>`${INSERT_ENDS} FOR UPDATE OF sessions ${EVENT_ROW}`,
};

const MAY_END = fragment`EXISTS (
  SELECT 1 FROM users WHERE users.id = :userId AND users.has_factor <= :mayHaveFactor)`;
const IS_OTHER = fragment`key <> :key AND ${MAY_END}`;

const insertOtherEnds = {
  sqlite: sql<EndingOthers, SecurityEvent>`${INSERT_ENDS} AND ${IS_OTHER} ${EVENT_ROW}`,
  postgres: sql<EndingOthers, SecurityEvent>`
    ${INSERT_ENDS} AND ${IS_OTHER} FOR UPDATE OF sessions ${EVENT_ROW}`,
};

const INSERT_ENDS_IF_PASSWORD_IS = fragment`
  ${INTO_EVENTS} ${SELECT_ENDS} WHERE user_id = ${ACCOUNT_WITH_PASSWORD}`;

const insertEndsIfPasswordIs = {
  sqlite: sql<Ending & { hash: string }, SecurityEvent>`${INSERT_ENDS_IF_PASSWORD_IS} ${EVENT_ROW}`,
  postgres: sql<Ending & { hash: string }, SecurityEvent>`
    ${INSERT_ENDS_IF_PASSWORD_IS} FOR UPDATE OF sessions ${EVENT_ROW}`,
};

const deleteSessionsOf = sql<{ userId: number }>`
  DELETE FROM sessions WHERE user_id = :userId`;

const deleteOtherSessionsOf = sql<Pick<EndingOthers, 'userId' | 'key' | 'mayHaveFactor'>>`
  DELETE FROM sessions WHERE user_id = :userId AND ${IS_OTHER}`;

const deleteSessionsIfPasswordIs = sql<{ userId: number; hash: string }>`
  DELETE FROM sessions WHERE user_id = ${ACCOUNT_WITH_PASSWORD}`;

interface OfSession {
  userId: number;
  at: Timestamp;
  authenticatedAt: Timestamp;
}

const VOID_CODES = fragment`
  UPDATE authorization_codes SET voided_at = :at
  WHERE redeemed_at IS NULL AND voided_at IS NULL AND user_id = :userId`;

/** A code from before would start a new sign-in. */
export const voidCodesOf = sql<{ userId: number; at: Timestamp }>`${VOID_CODES}`;

/**
 * The same for one session. Like `auth_time`, its time tells it apart. This waits for a redemption in progress, so a
 * statement after it sees the sign-in.
 */
export const voidCodesOfSession = sql<OfSession>`${VOID_CODES} AND authenticated_at = :authenticatedAt`;

/** The same, unless this other session is the same member's, who signed in again in the middle of a flow. */
export const voidCodesUnlessContinued = sql<OfSession & { nextKey: string }>`
  ${VOID_CODES} AND authenticated_at = :authenticatedAt AND NOT EXISTS (
    SELECT 1 FROM sessions WHERE sessions.key = :nextKey AND sessions.user_id = :userId)`;

/** The same for codes from before the oldest session that stays, if the member has as many sessions as one can have. */
export const voidCodesBeforeSessionsOf = sql<{ userId: number; at: Timestamp }>`
  ${VOID_CODES} AND authenticated_at < (
    SELECT oldest.authenticated_at FROM sessions AS oldest
    WHERE oldest.user_id = :userId ORDER BY oldest.key DESC LIMIT 1 OFFSET 99)`;

const voidCodesUnlessFactor = sql<Pick<EndingOthers, 'userId' | 'at' | 'mayHaveFactor'>>`
  ${VOID_CODES} AND ${MAY_END}`;

// A public application has no secret, so a stranger could have begun a sign-in with nothing but the member's session,
// and would keep it.
const END_PUBLIC_SIGN_INS = fragment`
  UPDATE token_families SET revoked_at = :at
  WHERE revoked_at IS NULL AND EXISTS (
    SELECT 1 FROM clients WHERE clients.id = token_families.client_id AND clients.kind = 'public')`;

/**
 * End a member's sign-ins at public applications, because the member distrusts the sessions. The codes must be void, so
 * that a redemption in progress is seen. Sessions that have ended earlier count too.
 */
export const endPublicSignInsOf = sql<{ userId: number; at: Timestamp }>`
  ${END_PUBLIC_SIGN_INS} AND user_id = :userId`;

/** The same, if the account has this password hash. */
export const endPublicSignInsIfPasswordIs = sql<{ userId: number; hash: string; at: Timestamp }>`
  ${END_PUBLIC_SIGN_INS} AND user_id = ${ACCOUNT_WITH_PASSWORD}`;

/** The same for one session. Like `auth_time`, its time tells it apart. */
export const endPublicSignInsOfSession = sql<OfSession>`
  ${END_PUBLIC_SIGN_INS} AND user_id = :userId AND authenticated_at = :authenticatedAt`;

const endPublicSignInsOfOthers = sql<Omit<EndingOthers, 'detail'>>`
  ${END_PUBLIC_SIGN_INS} AND user_id = :userId AND ${MAY_END}
    AND authenticated_at IS DISTINCT FROM (SELECT authenticated_at FROM sessions WHERE sessions.key = :key)`;
