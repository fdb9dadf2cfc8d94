// The audit log, as rows. The transaction of an act writes its row, and rows never change.

import type { AuditAction, AuditEvent, AuditReads, AuditSubjectKind } from '../../audit/audit-log.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { type Bound, fragment, sql } from '../engine/sql.ts';

/** An act on a subject. Holds no secret and no email address. */
export interface AuditNote {
  at: Timestamp;
  /** The operator; undefined for the command line. */
  actorId: number | undefined;
  action: AuditAction;
  subjectKind: AuditSubjectKind;
  subjectId: string | number;
  detail?: Readonly<Record<string, unknown>>;
}

/** Enter an act into the audit log, as an effect of the transaction that does it. */
export function insertAuditEvent(note: AuditNote): Bound<unknown> {
  const { at, actorId, action, subjectKind, subjectId, detail = {} } = note;
  return insertEvent({
    at,
    action,
    actorId,
    subjectKind,
    subjectId: String(subjectId),
    detail: JSON.stringify(detail),
  });
}

/** The port of the audit log in SQL. */
export function auditStore(database: Database): AuditReads {
  return {
    async auditEvents({ before = Number.MAX_SAFE_INTEGER, limit, subject }) {
      const query =
        subject === undefined
          ? selectEvents({ before, limit })
          : selectEventsOf({ subjectKind: subject.kind, subjectId: subject.id, before, limit });
      return (await database.rows(query)).map(eventOf);
    },
  };
}

interface NewEvent {
  at: Timestamp;
  actorId: number | undefined;
  action: AuditAction;
  subjectKind: AuditSubjectKind;
  subjectId: string;
  detail: string;
}

const insertEvent = sql<NewEvent>`
  INSERT INTO audit_events (at, actor_id, action, subject_kind, subject_id, detail)
  VALUES (:at, :actorId, :action, :subjectKind, :subjectId, :detail)`;

interface Page {
  before: number;
  limit: number;
}

interface EventRow {
  id: number;
  at: Timestamp;
  action: AuditAction;
  subject_kind: AuditSubjectKind;
  subject_id: string;
  detail: string;
  actor_name: string | undefined;
}

const EVENTS = fragment`
  SELECT events.id, events.at, events.action, events.subject_kind, events.subject_id, events.detail,
    users.username AS actor_name
  FROM audit_events AS events LEFT JOIN users ON users.id = events.actor_id`;

const selectEvents = sql<Page, EventRow>`
  ${EVENTS}
  WHERE events.id < :before
  ORDER BY events.id DESC
  LIMIT cast(:limit AS bigint)`;

const selectEventsOf = sql<Page & { subjectKind: AuditSubjectKind; subjectId: string }, EventRow>`
  ${EVENTS}
  WHERE events.subject_kind = :subjectKind AND events.subject_id = :subjectId AND events.id < :before
  ORDER BY events.id DESC
  LIMIT cast(:limit AS bigint)`;

function eventOf(row: EventRow): AuditEvent {
  return {
    id: row.id,
    at: row.at,
    actorName: row.actor_name,
    action: row.action,
    subject: { kind: row.subject_kind, id: row.subject_id },
    detail: JSON.parse(row.detail),
  };
}
