// The operators' book: what each of them did, on the pages or at the command line.

import type { Timestamp } from '../lib/clock.ts';

export type AuditAction =
  | 'user.create'
  | 'user.suspend'
  | 'user.reactivate'
  | 'user.close'
  | 'user.set_membership'
  | 'user.make_operator'
  | 'user.unmake_operator'
  | 'post.remove'
  | 'comment.remove'
  | 'report.keep'
  | 'report.close'
  | 'client.create'
  | 'client.activate'
  | 'client.deactivate'
  | 'client.rotate_secret'
  | 'consent.withdraw'
  | 'token.create'
  | 'token.revoke'
  | 'invitation.create'
  | 'invitation.revoke'
  | 'keys.rotate'
  | 'category.create'
  | 'category.rename';

const SUBJECT_KINDS = [
  'user',
  'post',
  'comment',
  'client',
  'category',
  'invitation',
  'key',
  'token',
] as const;
export type AuditSubjectKind = (typeof SUBJECT_KINDS)[number];

/** What was done to: a member, a post, an application, … */
export interface AuditSubject {
  kind: AuditSubjectKind;
  id: string;
}

export interface AuditEvent {
  id: number;
  at: Timestamp;
  /** Undefined: somebody at the command line. */
  actorName: string | undefined;
  action: AuditAction;
  subject: AuditSubject;
  detail: Readonly<Record<string, unknown>>;
}

export interface AuditPage {
  /** The number of the event that the page goes on from; undefined: from the newest. */
  before?: number | undefined;
  limit: number;
  subject?: AuditSubject | undefined;
}

export interface AuditReads {
  /** What operators did, newest first. */
  auditEvents(page: AuditPage): Promise<AuditEvent[]>;
}

/** Reads what is written as `user:7`. Undefined if it is none of the subjects that there are. */
export function readAuditSubject(text: string): AuditSubject | undefined {
  const [, word, id] = /^([a-z]+):(.{1,200})$/u.exec(text) ?? [];
  const kind = SUBJECT_KINDS.find((known) => known === word);
  return kind === undefined || id === undefined ? undefined : { kind, id };
}
