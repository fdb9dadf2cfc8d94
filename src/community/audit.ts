// The operators' book: what each of them did, on the pages or at the command line.

import type { Timestamp } from '../lib/clock.ts';

/** What was done to: a member, a post, an application, … */
export interface AuditSubject {
  kind: string;
  id: string;
}

export interface AuditEvent {
  id: number;
  at: Timestamp;
  /** Undefined: somebody at the command line. */
  actorName: string | undefined;
  /** Such as `user.suspend`. */
  action: string;
  subject: AuditSubject;
  detail: Readonly<Record<string, unknown>>;
}

export interface AuditPage {
  /** The number of the event that the page goes on from; undefined: from the newest. */
  before?: number | undefined;
  limit: number;
  subject?: AuditSubject | undefined;
}

export interface AuditStore {
  /** What operators did, newest first. */
  auditEvents(page: AuditPage): Promise<AuditEvent[]>;
}
