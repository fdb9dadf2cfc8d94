// Invitations: links that operators hand out, each good for one account.

import { DAY, type Timestamp } from '../lib/clock.ts';
import { hasHidden } from '../lib/one-line.ts';
import { isTimeOrderedKey, mintSecret, readSecret, sameDigest } from '../lib/secrets.ts';
import { actNow } from './act.ts';
import type { Identity } from './identity.ts';
import type { Invitation } from './invitation-store.ts';

export type { Invitation } from './invitation-store.ts';

/** How long one can be used if nothing else is said. */
export const DEFAULT_INVITATION_DAYS = 7;
const MOST_DAYS = 365;
const MOST_NOTE_CHARACTERS = 100;
// Greater than every key.
const AFTER_ALL_KEYS = '~';

export interface InvitationRequest {
  /** For whom it is meant; nobody but operators sees it. */
  note?: string | undefined;
  days?: number | undefined;
  /** Left out: the command line makes it. */
  createdBy?: number | undefined;
}

export type InvitationProblem = 'note' | 'days';

/** An invitation that was just made. `text` goes into its link, and is kept nowhere. */
export interface MadeInvitation {
  key: string;
  text: string;
  expiresAt: Timestamp;
}

export type InvitationState = 'unused' | 'used' | 'expired' | 'revoked';

/** Makes an invitation, or says what is wrong with what was asked for. */
export async function invite(
  identity: Identity,
  { note = '', days = DEFAULT_INVITATION_DAYS, createdBy }: InvitationRequest,
): Promise<MadeInvitation | { problem: InvitationProblem }> {
  const words = note.trim();
  if ([...words].length > MOST_NOTE_CHARACTERS || hasHidden(words)) return { problem: 'note' };
  if (!Number.isInteger(days) || days < 1 || days > MOST_DAYS) return { problem: 'days' };
  const now = identity.clock();
  const { key, text, digest } = mintSecret(now);
  const expiresAt = now + days * DAY;
  await identity.writes.addInvitation({
    ...{ key, digest, note: words, createdBy },
    ...{ createdAt: now, expiresAt },
  });
  return { key, text, expiresAt };
}

/**
 * Makes an invitation worthless. False if it is not there, was used, or is revoked already. Without the operator's
 * number it is the command line's doing.
 */
export async function revokeInvitation(
  { writes, clock }: Identity,
  key: string,
  actorId?: number,
): Promise<boolean> {
  return isTimeOrderedKey(key) && (await writes.revokeInvitation(key, actNow(clock, actorId)));
}

/** The newest first; `before` is the key of the last one on the page before this one. */
export function invitations(
  identity: Identity,
  { before, most = 50 }: { before?: string | undefined; most?: number } = {},
): Promise<Invitation[]> {
  const key = before !== undefined && isTimeOrderedKey(before) ? before : AFTER_ALL_KEYS;
  return identity.reads.invitationsBefore(key, most);
}

export function stateOfInvitation(invitation: Invitation, now: Timestamp): InvitationState {
  if (invitation.usedAt !== undefined) return 'used';
  if (invitation.revokedAt !== undefined) return 'revoked';
  return invitation.expiresAt <= now ? 'expired' : 'unused';
}

/** The key of the invitation in a link, if somebody can join with it now. */
export async function openInvitation(identity: Identity, text: string): Promise<string | undefined> {
  const read = readSecret(text);
  const found = read && (await identity.reads.findInvitation(read.key));
  if (!read || !found || !sameDigest(read.digest, found.digest)) return undefined;
  return stateOfInvitation(found, identity.clock()) === 'unused' ? found.key : undefined;
}

/** The address of the page where an invitation is used. */
export function invitationPath(text: string): string {
  return `/signup?invitation=${text}`;
}
