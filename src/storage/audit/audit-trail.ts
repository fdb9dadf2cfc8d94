// The audit entries of a transaction. Every transaction must state them, even if it has none.

import type { AuditAction, AuditSubject, AuditSubjectKind } from '../../audit/audit-log.ts';
import type { Doer, MemberDoer } from '../../audit/doer.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type { AuditTrail } from '../engine/database.ts';
import { type Bound, sql } from '../engine/sql.ts';

/** An act and what it was done to. Holds no secret and no email address. */
export interface AuditEntry {
  action: AuditAction;
  subject: AuditSubject;
  detail?: Readonly<Record<string, unknown>>;
}

/**
 * An entry if an operator, a moderator or the command line is the doer, and none for members' own acts and the
 * server's.
 */
export function entry(by: Doer, { action, subject, detail = {} }: AuditEntry): AuditTrail {
  const { kind: subjectKind, id: subjectId } = subject;
  return entryBy(by, (actor) =>
    insertEvent({ ...actor, action, subjectKind, subjectId, detail: JSON.stringify(detail) }),
  );
}

/** As `entry`, also for a member's own act: what matters to others who trust what the member registered. */
export function entryOfAnyone(by: Doer, { action, subject, detail = {} }: AuditEntry): AuditTrail {
  const { kind: subjectKind, id: subjectId } = subject;
  return entryOfAnyoneIf(by, (actor) =>
    insertEvent({ ...actor, action, subjectKind, subjectId, detail: JSON.stringify(detail) }),
  );
}

/** As `entryOfAnyone`, for an act that may fail: the caller's statement looks for its effect. */
export function entryOfAnyoneIf(by: Doer, insert: (actor: Actor) => Bound<unknown>): AuditTrail {
  if (by.kind === 'server') return NO_ENTRY;
  return { entries: [insert({ at: by.at, actorId: 'userId' in by ? by.userId : undefined })] };
}

/** As `entry`, for a new record whose id only the database knows: the caller's statement looks up the id. */
export function entryBy(by: Doer, insert: (actor: Actor) => Bound<unknown>): AuditTrail {
  if (by.kind === 'member' || by.kind === 'server') return NO_ENTRY;
  const actorId = 'userId' in by ? by.userId : undefined;
  return { entries: [insert({ at: by.at, actorId })] };
}

/** The columns of an entry that tell who acted, and when. */
export interface Actor {
  at: Timestamp;
  /** Undefined: the command line. */
  actorId: number | undefined;
}

interface NewEvent extends Actor {
  action: AuditAction;
  subjectKind: AuditSubjectKind;
  subjectId: string;
  detail: string;
}

const insertEvent = sql<NewEvent>`
  INSERT INTO audit_events (at, actor_id, action, subject_kind, subject_id, detail)
  VALUES (:at, :actorId, :action, :subjectKind, :subjectId, :detail)`;

/** No entry: a member changes what is their own. */
export function ownAct(_by: MemberDoer): AuditTrail {
  return NO_ENTRY;
}

/** No entry: an application, a visitor or time is the cause. */
export const NO_ENTRY: AuditTrail = { entries: [] };

/** No entry of its own: one entry stands for the whole import. */
export const OF_IMPORT: AuditTrail = { entries: [] };
