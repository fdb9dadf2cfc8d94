// A member's email address. The account has it only after the member opens a link that was mailed to it.

import type { MemberDoer } from '../audit/doer.ts';
import { type AttemptLimit, attempted, dailyLimit, hourlyLimit } from '../lib/attempt.ts';
import { DAY, type Timestamp } from '../lib/clock.ts';
import { emailKeyOf, looksLikeEmail } from './email-address.ts';
import type { AddressNotice } from './email-store.ts';
import { hasBlockedDomain } from './guest-rules.ts';
import type { Identity } from './identity.ts';
import { findMailedLink, LINK_LIFETIME, linkWithoutMail } from './mail.ts';
import type { FirstMail, NewMail } from './mail-store.ts';
import { hashOfNoPassword } from './password.ts';
import { type PasswordOrProof, type ReauthenticationProblem, reauthenticate } from './reauthentication.ts';
import type { User } from './user.ts';

// Limits on confirmation mails in an hour: to one address from all members together, and from one member.
const MOST_MAILS_TO_ADDRESS = 3;
const MOST_MAILS_TO_ADDRESS_IN_DAY = 6;
const MOST_MAILS_OF_MEMBER = 5;

// A younger address gets no link that undoes its replacement: a stranger may have set it, and the member corrects that.
// The address before it has a link that is still valid.
const OLD_ENOUGH_TO_UNDO = LINK_LIFETIME.undo;
// The first address of an account that is not older is the member's own.
const JUST_JOINED = 1 * DAY;

export type EmailProblem = 'invalid' | 'blocked' | 'unchanged' | 'too_many_mails';

/** Mail a link to the new address. The account keeps its address until the member opens the link. */
export async function changeEmail(
  by: MemberDoer,
  identity: Identity,
  user: User,
  { email, password, language }: { email: string; password: PasswordOrProof; language: string },
): Promise<{ problem: EmailProblem } | ReauthenticationProblem | undefined> {
  const address = email.trim();
  if (!looksLikeEmail(address)) return { problem: 'invalid' };
  if (address === user.email) return { problem: 'unchanged' };
  if (hasBlockedDomain(await identity.guestRules(), address)) return { problem: 'blocked' };
  const refusal = await reauthenticate(by, identity, password);
  return refusal ?? mailConfirmation(by, identity, address, language);
}

/** Mail the link again to the address that waits for confirmation, if there is one. */
export async function confirmEmailAgain(
  by: MemberDoer,
  identity: Identity,
  language: string,
): Promise<{ problem: EmailProblem } | undefined> {
  const email = await identity.reads.emailToConfirm(by.userId, by.at);
  return email === undefined ? undefined : mailConfirmation(by, identity, email, language);
}

/** The address that waits for the member's confirmation. */
export function emailToConfirm({ reads, clock }: Identity, user: User): Promise<string | undefined> {
  return reads.emailToConfirm(user.id, clock());
}

/** Remove the address from the account. From then on no mail can reset the password. */
export async function removeEmail(
  by: MemberDoer,
  identity: Identity,
  user: User,
  { password, language }: { password: PasswordOrProof; language: string },
): Promise<ReauthenticationProblem | undefined> {
  const refusal = await reauthenticate(by, identity, password);
  if (refusal !== undefined || user.email === undefined) return refusal;
  if (await identity.writes.removeEmail(by, user.email, noticeOf(by, language))) identity.onMail?.();
  return undefined;
}

/** Read which address a link confirms, and for which account. Undefined if the link is not valid. */
export async function openConfirmation(
  identity: Identity,
  token: string,
): Promise<LinkedAddress | undefined> {
  return openLink(identity, 'confirm', token);
}

/** The account and the address that a link is about. */
export interface LinkedAddress {
  userId: number;
  username: string;
  email: string;
  hasFactor: boolean;
}

/**
 * Confirm an address by its link, as the member whose account it is for: a mail to a mistyped address must not
 * give the account to its reader. If several accounts want the address, the first to confirm it gets it.
 */
export async function confirmEmail(
  by: MemberDoer,
  identity: Identity,
  token: string,
  language: string,
): Promise<'confirmed' | 'taken' | 'unusable' | 'other_account'> {
  const link = await findMailedLink(identity, 'confirm', token);
  if (link === undefined) return 'unusable';
  if (link.userId !== by.userId) return 'other_account';
  const { key, email } = link;
  const outcome = await identity.writes.confirmEmail(
    by,
    key,
    { email, emailKey: emailKeyOf(email) },
    { ...noticeOf(by, language), joinedSince: by.at - JUST_JOINED },
  );
  if (outcome === 'confirmed') identity.onMail?.();
  return outcome;
}

function noticeOf({ at }: MemberDoer, language: string): AddressNotice {
  return { language, youngSince: at - OLD_ENOUGH_TO_UNDO };
}

/** Read which address an undo link restores, and for which account. Undefined if the link is not valid. */
export function openUndo(identity: Identity, token: string): Promise<LinkedAddress | undefined> {
  return openLink(identity, 'undo', token);
}

/**
 * Undo a change of address by the link that the previous address got. Nobody who knows the password or has a
 * session keeps access: both are void, and so are the second factors that "This wasn't me" would remove. The returned
 * token of a reset link lets this browser set a password.
 */
export async function undoEmailChange(
  identity: Identity,
  token: string,
  language: string,
  address: string,
): Promise<{ outcome: 'restored'; resetToken: string } | { outcome: 'taken' | 'unusable' }> {
  const undo = await findMailedLink(identity, 'undo', token);
  if (undo === undefined) return { outcome: 'unusable' };
  const at = identity.clock();
  const changedAt = undo.expiresAt - LINK_LIFETIME.undo;
  const { token: resetToken, link: reset } = linkWithoutMail('reset', undo, at);
  const outcome = await identity.writes.restoreEmail(undo, {
    emailKey: emailKeyOf(undo.email),
    passwordHash: hashOfNoPassword(),
    changedAt,
    factorsSince: Math.min(changedAt, at - LINK_LIFETIME.disown),
    reset,
    language,
    at,
    address,
  });
  if (outcome !== 'restored') return { outcome };
  identity.onMail?.();
  return { outcome, resetToken };
}

async function openLink(
  identity: Identity,
  purpose: 'confirm' | 'undo',
  token: string,
): Promise<LinkedAddress | undefined> {
  const link = await findMailedLink(identity, purpose, token);
  const user = link && (await identity.reads.findUser(link.userId));
  return (
    link && user && { userId: user.id, username: user.username, email: link.email, hasFactor: user.hasFactor }
  );
}

/**
 * Prepare the confirmation mail for a new account. Undefined without an address, or if the address has had
 * too many mails. The visitor isn't told about the limit: it would reveal that others use the address.
 */
export async function confirmationForNewUser(
  identity: Identity,
  email: string | undefined,
  language: string,
): Promise<FirstMail | undefined> {
  if (email === undefined) return undefined;
  const now = identity.clock();
  if (!(await isWithinHour(identity, email, now))) return undefined;
  const { subject, most, closesAt } = limitOfDay(email, now);
  if (!(await identity.writes.countAttempt(subject, most, now, closesAt))) return undefined;
  return { purpose: 'confirm', email, language, createdAt: now };
}

async function mailConfirmation(
  { userId, at, address }: MemberDoer,
  identity: Identity,
  email: string,
  language: string,
): Promise<{ problem: EmailProblem } | undefined> {
  const tooFast = await attempted(identity, hourlyLimit(at, MOST_MAILS_OF_MEMBER, 'confirm', userId));
  if (tooFast !== undefined || !(await isWithinHour(identity, email, at))) {
    return { problem: 'too_many_mails' };
  }
  const mail: NewMail = { purpose: 'confirm', userId, email, language, createdAt: at };
  const isAdded = await identity.writes.addMailWithin(limitOfDay(email, at), mail, {
    event: 'email_change_asked',
    at,
    userId,
    address,
  });
  if (!isAdded) return { problem: 'too_many_mails' };
  identity.onMail?.();
  return undefined;
}

async function isWithinHour(identity: Identity, email: string, now: Timestamp): Promise<boolean> {
  const limit = hourlyLimit(now, MOST_MAILS_TO_ADDRESS, 'confirm', emailKeyOf(email));
  return (await attempted(identity, limit)) === undefined;
}

function limitOfDay(email: string, now: Timestamp): AttemptLimit {
  return dailyLimit(now, MOST_MAILS_TO_ADDRESS_IN_DAY, 'confirm in a day', emailKeyOf(email));
}
