// Events for applications and their endpoints, as rows. An event that is delivered is deleted.

import type { AuditAction } from '../../audit/audit-log.ts';
import type { Doer } from '../../audit/doer.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type {
  ApplicationEvent,
  EndedConsents,
  EndpointKind,
  EndpointState,
  EventEndpoint,
  EventReads,
  EventWrites,
  FailedDelivery,
} from '../../oauth/event-store.ts';
import { entryOfAnyone, NO_ENTRY } from '../audit/audit-trail.ts';
import { type AuditTrail, type Database, runGuarded } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';
import { changeEvents, IS_OWNED, type OwnedBy, ownedBy } from './clients.ts';
import { addEndedConsentEvents } from './event-additions.ts';
import { noticeToOwner } from './owner-notices.ts';
import { scopesOf } from './scopes-column.ts';

export function eventRows(database: Database): EventReads & EventWrites {
  return {
    eventEndpoint: async (clientId, kind) => database.first(selectEndpoint({ clientId, kind })),
    endpointStates: async (clientId) => database.rows(selectEndpointStates({ clientId })),
    endpointsDue: async (now) => database.rows(selectEndpointsDue({ now })),
    async eventsDue({ clientId, kind }, now, most) {
      const due = { clientId, kind, now, most };
      const soonest = await database.rows(selectEventsDue(due));
      const rows = soonest.length === most ? soonest : await database.rows(selectFirstEventsDue(due));
      return rows.map(({ scopes, deletesData, ...event }) => ({
        ...event,
        scopes: scopesOf(scopes),
        deletesData: deletesData === 1,
      }));
    },
    endedConsents: async (now) => database.rows(selectEndedConsents({ now })),
    async setEventEndpoint(by, endpoint) {
      const audit = endpointEntry(by, 'client.set_endpoint', endpoint);
      const events = changeEvents(by, endpoint.clientId, 'endpoint_set');
      const values = { ...endpoint, ...ownedBy(by, endpoint.clientId), at: by.at };
      return runGuarded(database, { audit, events, guard: upsertEndpoint[database.dialect](values) });
    },
    async removeEventEndpoint(by, clientId, kind) {
      return runGuarded(database, {
        audit: endpointEntry(by, 'client.remove_endpoint', { clientId, kind }),
        guard: deleteEndpoint({ ...ownedBy(by, clientId), kind }),
        effects: [deleteEventsOf({ clientId, kind })],
        events: changeEvents(by, clientId, 'endpoint_removed'),
      });
    },
    async replaceWebhookSecret(by, clientId, secret, previousUntil) {
      const audit = endpointEntry(by, 'client.rotate_webhook_secret', { clientId, kind: 'webhook' });
      const events = changeEvents(by, clientId, 'webhook_secret');
      return runGuarded(database, {
        audit,
        events,
        guard: updateSecret({ ...ownedBy(by, clientId), secret, previousUntil }),
      });
    },
    async claimEvent({ id, nextAttemptAt }, until) {
      return runGuarded(database, { audit: NO_ENTRY, guard: updateClaimed({ id, nextAttemptAt, until }) });
    },
    async removeEvent({ id, clientId, kind }) {
      await database.atomically({
        audit: NO_ENTRY,
        guard: deleteEvent({ id }),
        effects: [updateHealthy({ clientId, kind })],
      });
    },
    async postponeEvent(failure, until) {
      const { id, clientId, kind, userId } = failure.event;
      await database.atomically({
        audit: NO_ENTRY,
        guard: updatePostponed({ id, clientId, kind, userId, until }),
        effects: [updateFailing(failureOf(failure))],
      });
    },
    async giveUpEvent(failure) {
      await database.atomically({
        audit: NO_ENTRY,
        guard: updateGivenUp({ id: failure.event.id, at: failure.at }),
        effects: [updateFailing(failureOf(failure)), deleteOldestGivenUp(failureOf(failure))],
      });
    },
    async disableEndpoint(failure) {
      const change = failureOf(failure);
      const { clientId, kind, at } = change;
      await database.atomically({
        audit: NO_ENTRY,
        guard: updateDisabled(change),
        effects: [
          giveUpEventsOf({ clientId, kind, at }),
          deleteOldestGivenUp({ clientId, kind }),
          ...noticeToOwner(database.dialect, { purpose: 'endpoint_disabled', clientId, at }),
        ],
      });
    },
    async addEndsOfConsents(ended) {
      await database.atomically({
        audit: NO_ENTRY,
        guard: updateToldUntil(ended),
        effects: [addEndedConsentEvents(ended)],
      });
    },
  };
}

function endpointEntry(by: Doer, action: AuditAction, { clientId, kind }: OfEndpoint): AuditTrail {
  return entryOfAnyone(by, { action, subject: { kind: 'client', id: clientId }, detail: { endpoint: kind } });
}

function failureOf({ event: { clientId, kind }, at, problem }: FailedDelivery): Failure {
  return { clientId, kind, at, problem };
}

interface OfEndpoint {
  clientId: string;
  kind: EndpointKind;
}

interface Failure extends OfEndpoint {
  at: Timestamp;
  problem: string;
}

const ENDPOINT_COLUMNS = fragment`
  client_id AS "clientId", kind, url, secret, previous_secret AS "previousSecret",
  previous_until AS "previousUntil", failing_since AS "failingSince", problem, disabled_at AS "disabledAt"`;

const EVENTS_OF_ENDPOINT = fragment`
  FROM application_events
  WHERE application_events.client_id = event_endpoints.client_id
    AND application_events.kind = event_endpoints.kind`;

const selectEndpoint = sql<OfEndpoint, EventEndpoint>`
  SELECT ${ENDPOINT_COLUMNS} FROM event_endpoints WHERE client_id = :clientId AND kind = :kind`;

const selectEndpointStates = sql<{ clientId: string }, EndpointState>`
  SELECT ${ENDPOINT_COLUMNS},
    (SELECT count(*) ${EVENTS_OF_ENDPOINT} AND given_up_at IS NULL) AS waiting,
    (SELECT count(*) ${EVENTS_OF_ENDPOINT} AND given_up_at IS NOT NULL) AS "givenUp"
  FROM event_endpoints
  WHERE client_id = :clientId
  ORDER BY kind DESC`;

const selectEndpointsDue = sql<{ now: Timestamp }, EventEndpoint>`
  SELECT ${ENDPOINT_COLUMNS} FROM event_endpoints
  WHERE disabled_at IS NULL
    AND EXISTS (SELECT 1 ${EVENTS_OF_ENDPOINT} AND given_up_at IS NULL AND next_attempt_at <= :now)`;

type EventRow = Omit<ApplicationEvent, 'scopes' | 'deletesData'> & { scopes: string; deletesData: number };

const EVENT_COLUMNS = fragment`
  events.id, events.client_id AS "clientId", events.kind, events.user_id AS "userId", events.type, events.scopes,
  events.deletes_data AS "deletesData", events.at, events.attempts, events.next_attempt_at AS "nextAttemptAt"`;

type EventsDue = OfEndpoint & { now: Timestamp; most: number };

// Thousands of members can have events, so only some are looked at.
const selectEventsDue = sql<EventsDue, EventRow>`
  SELECT ${EVENT_COLUMNS}
  FROM (
    SELECT * FROM application_events
    WHERE client_id = :clientId AND kind = :kind AND given_up_at IS NULL AND next_attempt_at <= :now
    ORDER BY next_attempt_at, id LIMIT 200
  ) AS events
  WHERE NOT EXISTS (
    SELECT 1 FROM application_events AS earlier
    WHERE earlier.client_id = events.client_id AND earlier.kind = events.kind
      AND earlier.user_id = events.user_id AND earlier.id < events.id AND earlier.given_up_at IS NULL)
  ORDER BY events.next_attempt_at, events.id LIMIT cast(:most AS bigint)`;

// For when most that are looked at wait for the first one of their member, which may have been postponed. Goes from
// member to member, however many events each has.
const selectFirstEventsDue = sql<EventsDue, EventRow>`
  WITH RECURSIVE members (user_id) AS (
    SELECT min(user_id) FROM application_events
    WHERE client_id = :clientId AND kind = :kind AND given_up_at IS NULL
    UNION ALL
    SELECT (
      SELECT min(next.user_id) FROM application_events AS next
      WHERE next.client_id = :clientId AND next.kind = :kind AND next.given_up_at IS NULL
        AND next.user_id > members.user_id)
    FROM members WHERE members.user_id IS NOT NULL
  )
  SELECT ${EVENT_COLUMNS}
  FROM members JOIN application_events AS events ON events.id = (
    SELECT min(first.id) FROM application_events AS first
    WHERE first.client_id = :clientId AND first.kind = :kind AND first.given_up_at IS NULL
      AND first.user_id = members.user_id)
  WHERE events.next_attempt_at <= :now
  ORDER BY events.next_attempt_at, events.id LIMIT cast(:most AS bigint)`;

const selectEndedConsents = sql<{ now: Timestamp }, EndedConsents>`
  SELECT client_id AS "clientId", ends_told_until AS after, cast(:now AS bigint) AS until FROM event_endpoints
  WHERE kind = 'webhook' AND disabled_at IS NULL
    AND EXISTS (
      SELECT 1 FROM grants
      WHERE grants.client_id = event_endpoints.client_id AND grants.withdrawn_at IS NULL
        AND grants.ends_at > event_endpoints.ends_told_until AND grants.ends_at <= :now)`;

const OF_OWNED = fragment`
  client_id = :clientId AND EXISTS (SELECT 1 FROM clients WHERE ${IS_OWNED})`;

type NewEndpoint = Pick<EventEndpoint, 'kind' | 'url' | 'secret'> & OwnedBy & { at: Timestamp };

const INSERT_ENDPOINT = fragment`
  INSERT INTO event_endpoints (client_id, kind, url, secret, ends_told_until)
  SELECT :clientId, :kind, :url, :secret, :at FROM clients WHERE ${IS_OWNED}`;

const OR_UPDATE = fragment`
  ON CONFLICT (client_id, kind) DO UPDATE SET
    url = excluded.url,
    ends_told_until = CASE WHEN event_endpoints.disabled_at IS NULL THEN event_endpoints.ends_told_until
      ELSE excluded.ends_told_until END,
    failing_since = NULL,
    problem = NULL,
    disabled_at = NULL`;

// PostgreSQL waits for a transfer that is under way, which deletes what the former owner set.
const upsertEndpoint = {
  sqlite: sql<NewEndpoint>`${INSERT_ENDPOINT} ${OR_UPDATE}`,
  postgres: sql<NewEndpoint>`${INSERT_ENDPOINT} FOR UPDATE ${OR_UPDATE}`,
};

const deleteEndpoint = sql<OwnedBy & { kind: EndpointKind }>`
  DELETE FROM event_endpoints WHERE kind = :kind AND ${OF_OWNED}`;

const deleteEventsOf = sql<OfEndpoint>`
  DELETE FROM application_events WHERE client_id = :clientId AND kind = :kind`;

const updateSecret = sql<OwnedBy & { secret: string; previousUntil: Timestamp }>`
  UPDATE event_endpoints SET previous_secret = secret, previous_until = :previousUntil, secret = :secret
  WHERE kind = 'webhook' AND ${OF_OWNED}`;

const updateClaimed = sql<{ id: number; nextAttemptAt: Timestamp; until: Timestamp }>`
  UPDATE application_events SET next_attempt_at = :until, attempts = attempts + 1
  WHERE id = :id AND next_attempt_at = :nextAttemptAt AND given_up_at IS NULL`;

const deleteEvent = sql<{ id: number }>`
  DELETE FROM application_events WHERE id = :id`;

const updateHealthy = sql<OfEndpoint>`
  UPDATE event_endpoints SET failing_since = NULL, problem = NULL
  WHERE client_id = :clientId AND kind = :kind AND failing_since IS NOT NULL`;

interface Postponement extends OfEndpoint {
  id: number;
  userId: number;
  until: Timestamp;
}

// The later events can't be sent before this one, so they needn't be looked at before it is due.
const updatePostponed = sql<Postponement>`
  UPDATE application_events SET next_attempt_at = :until
  WHERE client_id = :clientId AND kind = :kind AND user_id = :userId AND id >= :id AND given_up_at IS NULL`;

const updateFailing = sql<Failure>`
  UPDATE event_endpoints SET failing_since = coalesce(failing_since, :at), problem = :problem
  WHERE client_id = :clientId AND kind = :kind`;

const updateGivenUp = sql<{ id: number; at: Timestamp }>`
  UPDATE application_events SET given_up_at = :at WHERE id = :id`;

const updateDisabled = sql<Failure>`
  UPDATE event_endpoints SET disabled_at = :at, problem = :problem
  WHERE client_id = :clientId AND kind = :kind AND disabled_at IS NULL`;

const giveUpEventsOf = sql<OfEndpoint & { at: Timestamp }>`
  UPDATE application_events SET given_up_at = :at
  WHERE client_id = :clientId AND kind = :kind AND given_up_at IS NULL`;

// They are kept to be counted. One that answers 410 gives up any number of them.
const deleteOldestGivenUp = sql<OfEndpoint>`
  WITH oldest AS MATERIALIZED (
    SELECT id FROM application_events
    WHERE client_id = :clientId AND kind = :kind AND given_up_at IS NOT NULL
    ORDER BY given_up_at DESC LIMIT 100000 OFFSET 1000)
  DELETE FROM application_events WHERE id IN (SELECT id FROM oldest)`;

const updateToldUntil = sql<EndedConsents>`
  UPDATE event_endpoints SET ends_told_until = :until
  WHERE client_id = :clientId AND kind = 'webhook' AND ends_told_until = :after`;
