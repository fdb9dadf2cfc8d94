// Invitations: links from operators, each of which lets one person sign up.

import type { Doer } from '../audit/doer.ts';
import { DAY, type Timestamp } from '../lib/clock.ts';
import { hasHiddenCharacters } from '../lib/one-line.ts';
import { isTimeOrderedKey, mintSecret, readSecret, sameDigest } from '../lib/secrets.ts';
import type { Identity } from './identity.ts';
import type { Invitation } from './invitation-store.ts';

export type { Invitation } from './invitation-store.ts';

/** How many days an invitation is valid by default. */
export const DEFAULT_INVITATION_DAYS = 7;
const MOST_DAYS = 365;
const MOST_NOTE_CHARACTERS = 100;
// Greater than every key.
const AFTER_ALL_KEYS = '~';

export interface InvitationRequest {
  /** Who the invitation is for; only operators see it. */
  note?: string | undefined;
  days?: number | undefined;
}

export type InvitationProblem = 'note' | 'days';

/** A new invitation. Its link contains `text`, which is stored nowhere. */
export interface IssuedInvitation {
  key: string;
  text: string;
  expiresAt: Timestamp;
}

export type InvitationState = 'unused' | 'used' | 'expired' | 'revoked';

/** Create an invitation, or say what is wrong with the request. */
export async function invite(
  by: Doer,
  { writes }: Identity,
  { note = '', days = DEFAULT_INVITATION_DAYS }: InvitationRequest,
): Promise<IssuedInvitation | { problem: InvitationProblem }> {
  const trimmedNote = note.trim();
  const isTooLong = [...trimmedNote].length > MOST_NOTE_CHARACTERS;
  if (isTooLong || hasHiddenCharacters(trimmedNote)) return { problem: 'note' };
  if (!Number.isInteger(days) || days < 1 || days > MOST_DAYS) return { problem: 'days' };
  const { key, text, digest } = mintSecret(by.at);
  const expiresAt = by.at + days * DAY;
  await writes.addInvitation(by, { key, digest, note: trimmedNote, expiresAt });
  return { key, text, expiresAt };
}

/** Revoke an invitation. False if it does not exist, or is used or revoked already. */
export async function revokeInvitation(by: Doer, { writes }: Identity, key: string): Promise<boolean> {
  return isTimeOrderedKey(key) && (await writes.revokeInvitation(by, key));
}

/** List invitations, newest first. `before` is the key of the last one on the previous page. */
export function invitations(
  { reads }: Identity,
  { before, most = 50 }: { before?: string | undefined; most?: number } = {},
): Promise<Invitation[]> {
  const key = before !== undefined && isTimeOrderedKey(before) ? before : AFTER_ALL_KEYS;
  return reads.invitationsBefore(key, most);
}

export function stateOfInvitation(invitation: Invitation, now: Timestamp): InvitationState {
  if (invitation.usedAt !== undefined) return 'used';
  if (invitation.revokedAt !== undefined) return 'revoked';
  return invitation.expiresAt <= now ? 'expired' : 'unused';
}

/** The key of the invitation in a link. Undefined unless a person can sign up with it now. */
export async function openInvitation({ reads, clock }: Identity, text: string): Promise<string | undefined> {
  const secret = readSecret(text);
  const invitation = secret && (await reads.findInvitation(secret.key));
  if (!secret || !invitation || !sameDigest(secret.digest, invitation.digest)) return undefined;
  return stateOfInvitation(invitation, clock()) === 'unused' ? invitation.key : undefined;
}

/** The path and query of an invitation's link. */
export function invitationPath(text: string): string {
  return `/signup?invitation=${text}`;
}
