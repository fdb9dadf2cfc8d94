// Statements that add events for applications, in the transaction of the act. They add nothing for applications
// without an endpoint.

import type { Timestamp } from '../../lib/clock.ts';
import type { WebhookType } from '../../oauth/event-store.ts';
import { fragment, sql } from '../engine/sql.ts';

const INTO_EVENTS_TO_SEND = fragment`
  INSERT INTO application_events (client_id, kind, user_id, type, scopes, deletes_data, at, next_attempt_at)`;

const WEBHOOKS_OF_GRANTS = fragment`
  FROM grants JOIN event_endpoints ON event_endpoints.client_id = grants.client_id
    AND event_endpoints.kind = 'webhook' AND event_endpoints.disabled_at IS NULL`;

interface OfUser {
  userId: number;
  at: Timestamp;
}

/** Tell the application of a change of the member's consent. Runs after the change, whose scopes it sends. */
export const addConsentEvent = sql<OfUser & { clientId: string; type: WebhookType }>`
  ${INTO_EVENTS_TO_SEND}
  SELECT grants.client_id, 'webhook', grants.user_id, :type, grants.scopes, 0, :at, :at
  ${WEBHOOKS_OF_GRANTS}
  WHERE grants.user_id = :userId AND grants.client_id = :clientId`;

/**
 * Tell all applications that the member allows now. To those that the member has paused, nothing changes: from
 * a pause in a pause, they could learn that the account was suspended.
 */
export const addAccountEvents = sql<OfUser & { type: 'access.paused' | 'access.resumed' }>`
  ${INTO_EVENTS_TO_SEND}
  SELECT grants.client_id, 'webhook', grants.user_id, :type, grants.scopes, 0, :at, :at
  ${WEBHOOKS_OF_GRANTS}
  WHERE grants.user_id = :userId AND grants.withdrawn_at IS NULL AND grants.paused_at IS NULL
    AND (grants.ends_at IS NULL OR grants.ends_at > :at)`;

/** Tell every application that the member ever allowed to delete what it keeps about the member. */
export const addDataDeletions = sql<OfUser>`
  ${INTO_EVENTS_TO_SEND}
  SELECT grants.client_id, 'webhook', grants.user_id, 'access.ended', '', 1, :at, :at
  ${WEBHOOKS_OF_GRANTS}
  WHERE grants.user_id = :userId`;

/** Tell the application of consents that ended by themselves. */
export const addEndedConsentEvents = sql<{ clientId: string; after: Timestamp; until: Timestamp }>`
  ${INTO_EVENTS_TO_SEND}
  SELECT grants.client_id, 'webhook', grants.user_id, 'access.ended', '', 0, :until, :until
  ${WEBHOOKS_OF_GRANTS}
  WHERE grants.client_id = :clientId AND grants.ends_at > :after AND grants.ends_at <= :until
    AND grants.withdrawn_at IS NULL`;

const LOGOUTS = fragment`
  SELECT event_endpoints.client_id, 'logout', users.id, 'logout', '', 0, :at, :at
  FROM users JOIN event_endpoints ON event_endpoints.kind = 'logout' AND event_endpoints.disabled_at IS NULL`;

const SIGN_INS = fragment`
  SELECT 1 FROM token_families
  WHERE token_families.user_id = users.id AND token_families.client_id = event_endpoints.client_id
    AND ' ' || token_families.scopes || ' ' LIKE '% openid %'`;

// An application that the member has paused or removed must not learn what happens to the account.
const IS_CONNECTED = fragment`
  EXISTS (
    SELECT 1 FROM grants
    WHERE grants.user_id = users.id AND grants.client_id = event_endpoints.client_id AND grants.paused_at IS NULL
      AND grants.withdrawn_at IS NULL AND (grants.ends_at IS NULL OR grants.ends_at > :at))`;

/** Send logout tokens to the applications to which the member signed in. */
export const addLogouts = sql<OfUser>`
  ${INTO_EVENTS_TO_SEND} ${LOGOUTS} WHERE users.id = :userId AND ${IS_CONNECTED} AND EXISTS (${SIGN_INS})`;

/** Send one to this application. A pause does, so that it looks like a suspension of the account. */
export const addLogoutsOfClient = sql<OfUser & { clientId: string }>`
  ${INTO_EVENTS_TO_SEND} ${LOGOUTS}
  WHERE users.id = :userId AND event_endpoints.client_id = :clientId AND EXISTS (${SIGN_INS})`;

/** The same, if the account has this password hash. */
export const addLogoutsIfPasswordIs = sql<OfUser & { hash: string }>`
  ${INTO_EVENTS_TO_SEND} ${LOGOUTS}
  WHERE users.id = :userId AND users.password_hash = :hash AND ${IS_CONNECTED} AND EXISTS (${SIGN_INS})`;

/** The same, for the sign-ins of one session only. Like `auth_time`, its time tells it apart. */
export const addLogoutsOfSession = sql<OfUser & { authenticatedAt: Timestamp }>`
  ${INTO_EVENTS_TO_SEND} ${LOGOUTS}
  WHERE users.id = :userId AND ${IS_CONNECTED}
    AND EXISTS (${SIGN_INS} AND token_families.authenticated_at = :authenticatedAt)`;

/** The same, for the sign-ins of all sessions but one, if the account has no factor or may have one. */
export const addLogoutsOfOthers = sql<OfUser & { key: string; mayHaveFactor: number }>`
  ${INTO_EVENTS_TO_SEND} ${LOGOUTS}
  WHERE users.id = :userId AND users.has_factor <= :mayHaveFactor AND ${IS_CONNECTED}
    AND EXISTS (${SIGN_INS} AND token_families.authenticated_at IN (
      SELECT authenticated_at FROM sessions WHERE sessions.user_id = :userId AND sessions.key <> :key))`;
