// What invitations ask of storage. Each verb is one atomic, durable step.

import type { Timestamp } from '../lib/clock.ts';
import type { Act } from './act.ts';

export interface NewInvitation {
  key: string;
  digest: string;
  /** For whom it is meant, in the operator's words. */
  note: string;
  /** Undefined: the command line. */
  createdBy: number | undefined;
  createdAt: Timestamp;
  expiresAt: Timestamp;
}

export interface Invitation extends NewInvitation {
  /** Who joined with it. */
  usedBy: { id: number; username: string } | undefined;
  usedAt: Timestamp | undefined;
  revokedAt: Timestamp | undefined;
}

export interface InvitationReads {
  findInvitation(key: string): Promise<Invitation | undefined>;
  /** The newest first, those made before the one with this key. */
  invitationsBefore(key: string, most: number): Promise<Invitation[]>;
}

export interface InvitationWrites {
  /** Also written into the operators' book. */
  addInvitation(invitation: NewInvitation): Promise<void>;
  /** False if it is not there, used, or revoked already. */
  revokeInvitation(key: string, act: Act): Promise<boolean>;
}

export interface InvitationStore extends InvitationReads, InvitationWrites {}
