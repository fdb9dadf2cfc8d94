// The port for invitations. Each method is one atomic, durable step.

import type { Doer } from '../audit/doer.ts';
import type { Timestamp } from '../lib/clock.ts';

export interface NewInvitation {
  key: string;
  digest: string;
  /** Who the invitation is for, in the operator's words. */
  note: string;
  expiresAt: Timestamp;
}

export interface Invitation extends NewInvitation {
  /** The operator's id; undefined: the command line. */
  createdBy: number | undefined;
  createdAt: Timestamp;
  /** The member who signed up with the invitation. */
  usedBy: { id: number; username: string } | undefined;
  usedAt: Timestamp | undefined;
  revokedAt: Timestamp | undefined;
}

export interface InvitationReads {
  findInvitation(key: string): Promise<Invitation | undefined>;
  /** Invitations with keys below this one, newest first. */
  invitationsBefore(key: string, most: number): Promise<Invitation[]>;
}

export interface InvitationWrites {
  addInvitation(by: Doer, invitation: NewInvitation): Promise<void>;
  /** False if the invitation does not exist, or is used or revoked already. */
  revokeInvitation(by: Doer, key: string): Promise<boolean>;
}
