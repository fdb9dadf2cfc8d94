// What a transaction leaves in the audit log, which every transaction must say.

import type { AuditAction, AuditSubject } from '../../audit/audit-log.ts';
import type { Doer, MemberDoer } from '../../audit/doer.ts';
import type { AuditTrail } from '../engine/database.ts';
import type { Dialect } from '../engine/sql.ts';
import { insertAuditEvent, insertEventOnNewPost } from './audit-events.ts';

/** An act and what it was done to. Holds no secret and no email address. */
export interface AuditEntry {
  action: AuditAction;
  subject: AuditSubject;
  detail?: Readonly<Record<string, unknown>>;
}

/** An entry, if an operator or the command line is the doer: members' own acts and the server's are not logged. */
export function entry(by: Doer, { action, subject, detail = {} }: AuditEntry): AuditTrail {
  if (by.kind !== 'operator' && by.kind !== 'command-line') return NO_PERSON;
  const actorId = by.kind === 'operator' ? by.userId : undefined;
  const note = { at: by.at, actorId, action, subjectKind: subject.kind, subjectId: subject.id, detail };
  return { entries: [insertAuditEvent(note)] };
}

/** As `entry`, for a new post, whose number is not known before its transaction. */
export function entryOnNewPost(
  by: Doer,
  { authorId, detail }: { authorId: number; detail: Readonly<Record<string, unknown>> },
  dialect: Dialect,
): AuditTrail {
  if (by.kind !== 'operator' && by.kind !== 'command-line') return NO_PERSON;
  const actorId = by.kind === 'operator' ? by.userId : null;
  const values = { at: by.at, actorId, authorId, detail: JSON.stringify(detail) };
  return { entries: [insertEventOnNewPost[dialect](values)] };
}

/** No entry: a member changes what is their own. */
export function ownAct(_by: MemberDoer): AuditTrail {
  return NO_PERSON;
}

/** No entry: an application, a visitor or time is the cause. */
export const NO_PERSON: AuditTrail = { entries: [] };

/** No entry of its own: one entry stands for the whole import. */
export const OF_IMPORT: AuditTrail = { entries: [] };
