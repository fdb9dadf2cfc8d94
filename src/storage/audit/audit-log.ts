// Reading the audit log. The transaction of an act writes its row (`audit-trail.ts`), and rows never change. Names are
// looked up, so they are those of today.

import type { AuditEvent, AuditReads, AuditSubjectKind } from '../../audit/audit-log.ts';
import type { Database } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';
import { backgroundWorkReads } from './background-work.ts';
import { securityEventReads } from './security-events.ts';

/** The port of src/audit in SQL. */
export function auditStore(database: Database): AuditReads {
  return {
    ...securityEventReads(database),
    ...backgroundWorkReads(database),
    async auditEvents({ before = Number.MAX_SAFE_INTEGER, limit, subject }) {
      const query =
        subject === undefined
          ? selectEvents({ before, limit })
          : selectEventsOf({ subjectKind: subject.kind, subjectId: subject.id, before, limit });
      const rows = await database.rows(query);
      return rows.map(({ subjectKind: kind, subjectId: id, ...event }) => ({
        ...event,
        subject: { kind, id },
        detail: JSON.parse(event.detail),
      }));
    },
  };
}

interface Page {
  before: number;
  limit: number;
}

interface EventRow extends Omit<AuditEvent, 'subject' | 'detail'> {
  subjectKind: AuditSubjectKind;
  subjectId: string;
  detail: string;
}

// A draft's title is its author's alone.
const EVENTS = fragment`
  SELECT events.id, events.at, events.action, events.detail, users.username AS "actorName",
    events.subject_kind AS "subjectKind", events.subject_id AS "subjectId",
    coalesce(members.username, posts.title, clients.name, categories.name) AS "subjectName"
  FROM audit_events AS events LEFT JOIN users ON users.id = events.actor_id
    LEFT JOIN users AS members
      ON members.id = CASE events.subject_kind WHEN 'user' THEN cast(events.subject_id AS bigint) END
    LEFT JOIN posts
      ON posts.id = CASE events.subject_kind WHEN 'post' THEN cast(events.subject_id AS bigint) END
        AND posts.published_at IS NOT NULL
    LEFT JOIN clients ON events.subject_kind = 'client' AND clients.id = events.subject_id
    LEFT JOIN categories ON events.subject_kind = 'category' AND categories.slug = events.subject_id`;

const selectEvents = sql<Page, EventRow>`
  ${EVENTS}
  WHERE events.id < :before
  ORDER BY events.id DESC LIMIT cast(:limit AS bigint)`;

const selectEventsOf = sql<Page & { subjectKind: AuditSubjectKind; subjectId: string }, EventRow>`
  ${EVENTS}
  WHERE events.subject_kind = :subjectKind AND events.subject_id = :subjectId AND events.id < :before
  ORDER BY events.id DESC LIMIT cast(:limit AS bigint)`;
