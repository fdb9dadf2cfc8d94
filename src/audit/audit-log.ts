// The audit log: what operators and moderators did on the pages, and what was done at the command line.
// `doer.ts` decides whose acts are logged, and `storage/audit/audit-trail.ts` writes the entries.

import type { Clock, Timestamp } from '../lib/clock.ts';
import type { BackgroundWorkReads, BackgroundWorkWrites } from './background-work.ts';
import type { SecurityEventReads, SecurityEventWrites } from './security-event.ts';

export type AuditAction =
  | 'user.create'
  | 'user.suspend'
  | 'user.reactivate'
  | 'user.close'
  | 'user.set_membership'
  | 'user.set_role'
  // Entries from before there were moderators.
  | 'user.make_operator'
  | 'user.unmake_operator'
  | 'user.reset_link'
  | 'user.set_email'
  | 'user.rename'
  | 'user.sign_out'
  | 'user.reset_factors'
  | 'post.create'
  | 'post.remove'
  | 'post.restore'
  | 'post.lock'
  | 'post.unlock'
  | 'post.pin'
  | 'post.unpin'
  | 'post.move'
  | 'post.approve'
  | 'post.refuse'
  | 'comment.remove'
  | 'comment.restore'
  | 'comment.approve'
  | 'comment.refuse'
  | 'report.keep'
  | 'report.close'
  | 'client.create'
  | 'client.activate'
  | 'client.deactivate'
  | 'client.rotate_secret'
  | 'client.end_secret'
  | 'client.plan_deletion'
  | 'client.keep'
  | 'client.delete'
  | 'client.offer'
  | 'client.accept'
  | 'client.decline'
  | 'client.set_owner'
  | 'client.update'
  | 'client.approve'
  | 'client.refuse'
  | 'client.ask_approval'
  | 'client.close_reports'
  | 'client.set_endpoint'
  | 'client.remove_endpoint'
  | 'client.rotate_webhook_secret'
  | 'consent.withdraw'
  | 'consent.narrow'
  | 'consent.pause'
  | 'consent.resume'
  | 'token.create'
  | 'token.revoke'
  | 'invitation.create'
  | 'invitation.revoke'
  | 'keys.rotate'
  | 'keys.replace_compromised'
  | 'keys.replace_lost'
  | 'category.create'
  | 'category.rename'
  | 'category.describe'
  | 'category.order'
  | 'category.merge'
  | 'category.delete'
  | 'tag.rename'
  | 'tag.merge'
  | 'tag.hide'
  | 'tag.show'
  | 'setting.change'
  | 'import'
  | 'mail.send_again';

const SUBJECT_KINDS = [
  'user',
  'post',
  'comment',
  'client',
  'category',
  'tag',
  'invitation',
  'key',
  'token',
  'setting',
  'import',
] as const;
export type AuditSubjectKind = (typeof SUBJECT_KINDS)[number];

/** What an act changes: a member, a post, an application, … */
export interface AuditSubject {
  kind: AuditSubjectKind;
  /** Its id or key; for an import, the name of the source. */
  id: string;
}

/** An entry in the audit log. */
export interface AuditEvent {
  id: number;
  at: Timestamp;
  /** The username of the operator or moderator; undefined for the command line. */
  actorName: string | undefined;
  action: AuditAction;
  subject: AuditSubject;
  /** The present username, title or name of the subject. Undefined if it has none, or is deleted. */
  subjectName: string | undefined;
  detail: Readonly<Record<string, unknown>>;
}

export interface AuditPage {
  /** The page has events with ids below this one; undefined for the newest events. */
  before?: number | undefined;
  limit: number;
  subject?: AuditSubject | undefined;
}

export interface AuditReads extends SecurityEventReads, BackgroundWorkReads {
  /** A page of the audit log, newest first. */
  auditEvents(page: AuditPage): Promise<AuditEvent[]>;
}

/**
 * What the rules in src/audit work with. It can't write to the audit log: storage does that, in the transaction
 * of each act.
 */
export interface AuditLog {
  reads: AuditReads;
  /** Only for the rules in src/audit. The HTTP and command-line code must not use it. */
  writes: SecurityEventWrites & BackgroundWorkWrites;
  clock: Clock;
}

/** Read a subject such as `user:7`. Returns undefined for anything else. */
export function readAuditSubject(text: string): AuditSubject | undefined {
  const [, word, id] = /^([a-z]+):(.{1,200})$/u.exec(text) ?? [];
  const kind = SUBJECT_KINDS.find((name) => name === word);
  return kind === undefined || id === undefined ? undefined : { kind, id };
}
