// Security events, as rows. The transaction of an act writes its events; refusals are transactions of their own.

import type { Doer } from '../../audit/doer.ts';
import type {
  NewSecurityEvent,
  SecurityEvent,
  SecurityEventReads,
  SecurityEventWrites,
} from '../../audit/security-event.ts';
import type { MailPurpose } from '../../identity/mail-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { type Bound, fragment, sql } from '../engine/sql.ts';
import { upsertAttempt } from '../identity/attempts.ts';
import { mailsAfter } from '../identity/security-mails.ts';
import { NO_ENTRY } from './audit-trail.ts';

export function securityEventReads(database: Database): SecurityEventReads {
  return {
    async securityEvents({ before = Number.MAX_SAFE_INTEGER, limit, userId, event, detail }) {
      if (userId !== undefined && event !== undefined && detail !== undefined) {
        return database.rows(selectDetailedEventsOfUser({ userId, event, detail, before, limit }));
      }
      if (userId !== undefined && event !== undefined) {
        return database.rows(selectNamedEventsOfUser({ userId, event, before, limit }));
      }
      if (userId !== undefined) return database.rows(selectEventsOfUser({ userId, before, limit }));
      if (event !== undefined) return database.rows(selectEventsNamed({ event, before, limit }));
      return database.rows(selectEvents({ before, limit }));
    },
  };
}

export function securityEventWrites(database: Database): SecurityEventWrites {
  return {
    async recordEvent(event) {
      await database.atomically({ audit: NO_ENTRY, guard: securityEvent(event) });
    },
    async recordEventWithin(limit, event) {
      const guard = upsertAttempt(limit);
      return runGuarded(database, { audit: NO_ENTRY, guard, events: [securityEvent(event)] });
    },
  };
}

/**
 * The statement that records an event: for the `events` of a transaction. The member gets a mail if the event is one
 * that is mailed, or if there is a purpose.
 */
export function securityEvent(event: NewSecurityEvent, purpose?: MailPurpose): Bound<SecurityEvent> {
  const { userId, clientId, address, by, detail, subject } = event as Partial<SecurityEvent>;
  const { event: name, at } = event;
  const insertion = insertEvent({ event: name, at, userId, clientId, address, doer: by, detail, subject });
  return { ...recorded(insertion), followedBy: mailsAfter(event, purpose) };
}

/** Mark a statement of the form `INTO_EVENTS … EVENT_ROW` that looks up facts which only the database knows. */
export function recorded(statement: Bound<SecurityEvent>): Bound<SecurityEvent> {
  return { ...statement, isEvent: true };
}

/** The address of a member who changes their own account. Operators' addresses are not for members. */
export function addressOf(by: Doer): string | undefined {
  return by.kind === 'member' ? by.address : undefined;
}

/** The beginning of a statement that records events. Eight expressions follow, in this order. */
export const INTO_EVENTS = fragment`
  INSERT INTO security_events (at, event, user_id, client_id, address, doer, detail, subject)`;

/** The end of a statement that records events. */
export const EVENT_ROW = fragment`
  RETURNING id, at, event, user_id AS "userId", client_id AS "clientId", address, doer AS by, detail, subject`;

interface EventValues {
  at: Timestamp;
  event: SecurityEvent['event'];
  userId: number | undefined;
  clientId: string | undefined;
  address: string | undefined;
  doer: SecurityEvent['by'];
  detail: string | undefined;
  subject: string | undefined;
}

const insertEvent = sql<EventValues, SecurityEvent>`
  ${INTO_EVENTS}
  VALUES (:at, :event, :userId, :clientId, :address, :doer, :detail, :subject)
  ${EVENT_ROW}`;

/**
 * Of the events of a member's sessions, keep the newest 20,000. A sign-in and its end make four at most. The names are
 * written as in the index, which is used only then.
 */
export const deleteOldestEventsOfSessions = sql<{ userId: number }>`
  WITH oldest AS MATERIALIZED (
    SELECT id FROM security_events
    WHERE user_id = :userId AND event IN ('signed_in', 'new_browser', 'signed_out', 'session_ended')
    ORDER BY id DESC LIMIT 100 OFFSET 20000)
  DELETE FROM security_events WHERE id IN (SELECT id FROM oldest)`;

interface Page {
  before: number;
  limit: number;
}

const EVENTS = fragment`
  SELECT id, at, event, user_id AS "userId", client_id AS "clientId", address, doer AS by, detail, subject
  FROM security_events`;

const selectEvents = sql<Page, SecurityEvent>`
  ${EVENTS}
  WHERE id < :before
  ORDER BY id DESC LIMIT cast(:limit AS bigint)`;

const selectEventsNamed = sql<Page & { event: string }, SecurityEvent>`
  ${EVENTS}
  WHERE event = :event AND id < :before
  ORDER BY id DESC LIMIT cast(:limit AS bigint)`;

// With the name as an optional condition, all events of the member would be read.
const selectNamedEventsOfUser = sql<Page & { userId: number; event: string }, SecurityEvent>`
  ${EVENTS}
  WHERE user_id = :userId AND event = :event AND id < :before
  ORDER BY id DESC LIMIT cast(:limit AS bigint)`;

// No index has details. An application needs more than a day for as many events.
const selectDetailedEventsOfUser = sql<
  Page & { userId: number; event: string; detail: string },
  SecurityEvent
>`
  SELECT * FROM (
    ${EVENTS}
    WHERE user_id = :userId AND event = :event AND id < :before
    ORDER BY id DESC LIMIT 5000
  ) AS newest
  WHERE detail = :detail
  ORDER BY id DESC LIMIT cast(:limit AS bigint)`;

const selectEventsOfUser = sql<Page & { userId: number }, SecurityEvent>`
  ${EVENTS}
  WHERE user_id = :userId AND id < :before
  ORDER BY id DESC LIMIT cast(:limit AS bigint)`;
