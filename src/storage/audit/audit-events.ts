// What operators did, as rows: each is written in the transaction of the act it tells of, and never changed.

import type { AuditAction, AuditEvent, AuditStore, AuditSubjectKind } from '../../audit/audit-log.ts';
import type { Act } from '../../identity/act.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { type Bound, type Param, rowCount, statement } from '../engine/statement.ts';

/** What an operator did to what. Holds no secret and no address of a person. */
export interface AuditNote {
  at: Timestamp;
  /** Nobody: from the command line. */
  actorId: number | null | undefined;
  action: AuditAction;
  subjectKind: AuditSubjectKind;
  subjectId: string | number;
  detail?: Readonly<Record<string, unknown>>;
}

/** An effect of the act itself: it is in the book exactly if the act happened. */
export function insertAuditEvent(note: AuditNote): Bound<unknown> {
  const { at, actorId, action, subjectKind, subjectId, detail = {} } = note;
  return insertEvent({
    at,
    actor_id: actorId ?? null,
    action,
    subject_kind: subjectKind,
    subject_id: String(subjectId),
    detail: JSON.stringify(detail),
  });
}

/** As `insertAuditEvent`, where it may be nobody's act: then nothing is written. */
export function noteOf(act: Act | undefined, note: Omit<AuditNote, 'at' | 'actorId'>): Bound<unknown>[] {
  return act === undefined ? [] : [insertAuditEvent({ ...note, at: act.at, actorId: act.actorId })];
}

export function auditRows(database: Database): AuditStore {
  return {
    async auditEvents({ before, limit, subject }) {
      const page = { before: before ?? Number.MAX_SAFE_INTEGER, limit };
      const rows = await database.rows(
        subject === undefined
          ? selectEvents(page)
          : selectEventsOf({ ...page, subjectKind: subject.kind, subjectId: subject.id }),
      );
      return rows.map(eventOf);
    },
  };
}

interface EventRow {
  at: Timestamp;
  actor_id: number | null;
  action: AuditAction;
  subject_kind: AuditSubjectKind;
  subject_id: string;
  detail: string;
}

const insertEvent = statement((sql, p: Param<EventRow>) =>
  sql.insertInto('audit_events').values({
    at: p('at'),
    actor_id: p('actor_id'),
    action: p('action'),
    subject_kind: p('subject_kind'),
    subject_id: p('subject_id'),
    detail: p('detail'),
  }),
);

interface PageParameters {
  before: number;
  limit: number;
}

const selectEvents = statement((sql, p: Param<PageParameters>) =>
  sql
    .selectFrom('audit_events')
    .leftJoin('users', 'users.id', 'audit_events.actor_id')
    .selectAll('audit_events')
    .select('users.username as actor_name')
    .where('audit_events.id', '<', p('before'))
    .orderBy('audit_events.id', 'desc')
    .limit(rowCount(p('limit'))),
);

const selectEventsOf = statement(
  (sql, p: Param<PageParameters & { subjectKind: AuditSubjectKind; subjectId: string }>) =>
    sql
      .selectFrom('audit_events')
      .leftJoin('users', 'users.id', 'audit_events.actor_id')
      .selectAll('audit_events')
      .select('users.username as actor_name')
      .where('subject_kind', '=', p('subjectKind'))
      .where('subject_id', '=', p('subjectId'))
      .where('audit_events.id', '<', p('before'))
      .orderBy('audit_events.id', 'desc')
      .limit(rowCount(p('limit'))),
);

type SelectedEvent = NonNullable<ReturnType<typeof selectEvents>['rowType']>;

function eventOf(row: SelectedEvent): AuditEvent {
  return {
    id: row.id,
    at: row.at,
    actorName: row.actor_name ?? undefined,
    action: row.action,
    subject: { kind: row.subject_kind, id: row.subject_id },
    detail: JSON.parse(row.detail),
  };
}
