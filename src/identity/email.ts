// A member's email address. The account has it only after the member opens a link that was mailed to it.

import type { MemberDoer } from '../audit/doer.ts';
import { type AttemptLimit, attempted, hourlyLimit } from '../lib/attempt.ts';
import type { Timestamp } from '../lib/clock.ts';
import { emailKeyOf, looksLikeEmail } from './email-address.ts';
import type { Identity } from './identity.ts';
import { findMailedLink } from './mail.ts';
import type { FirstMail, NewMail } from './mail-store.ts';
import { type ReauthenticationProblem, reauthenticate } from './reauthentication.ts';
import type { User } from './user.ts';

// Limits on confirmation mails in an hour: to one address from all members together, and from one member.
const MOST_MAILS_TO_ADDRESS = 3;
const MOST_MAILS_OF_MEMBER = 5;

export type EmailProblem = 'invalid' | 'unchanged' | 'too_many_mails';

/** Mail a link to the new address. The account keeps its address until the member opens the link. */
export async function changeEmail(
  by: MemberDoer,
  identity: Identity,
  user: User,
  { email, password, language }: { email: string; password: string; language: string },
): Promise<{ problem: EmailProblem } | ReauthenticationProblem | undefined> {
  const address = email.trim();
  if (!looksLikeEmail(address)) return { problem: 'invalid' };
  if (address === user.email) return { problem: 'unchanged' };
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
  { password, language }: { password: string; language: string },
): Promise<ReauthenticationProblem | undefined> {
  const refusal = await reauthenticate(by, identity, password);
  if (refusal !== undefined || user.email === undefined) return refusal;
  if (await identity.writes.removeEmail(by, user.email, language)) identity.onMail?.();
  return undefined;
}

/** Read which address a link confirms, and for which account. Undefined if the link is not valid. */
export async function openConfirmation(
  identity: Identity,
  token: string,
): Promise<{ username: string; email: string } | undefined> {
  const link = await findMailedLink(identity, 'confirm', token);
  const user = link && (await identity.reads.findUser(link.userId));
  return link && user && { username: user.username, email: link.email };
}

/** Confirm an address by its link. If several accounts want the address, the first to confirm it gets it. */
export async function confirmEmail(
  identity: Identity,
  token: string,
  language: string,
): Promise<'confirmed' | 'taken' | 'unusable'> {
  const link = await findMailedLink(identity, 'confirm', token);
  if (link === undefined) return 'unusable';
  const { key, userId, email } = link;
  const accountEmail = { userId, email, emailKey: emailKeyOf(email) };
  const outcome = await identity.writes.confirmEmail(key, accountEmail, language, identity.clock());
  if (outcome === 'confirmed') identity.onMail?.();
  return outcome;
}

/**
 * Prepare the confirmation mail for a new account. Undefined without an address, or if the address has had
 * too many mails. The visitor isn't told about the limit: it would reveal that others use the address.
 */
export async function confirmationForNewUser(
  { writes, clock }: Identity,
  email: string | undefined,
  language: string,
): Promise<FirstMail | undefined> {
  if (email === undefined) return undefined;
  const now = clock();
  const { subject, most, closesAt } = limitOfAddress(email, now);
  if (!(await writes.countAttempt(subject, most, now, closesAt))) return undefined;
  return { purpose: 'confirm', email, language, createdAt: now };
}

async function mailConfirmation(
  { userId, at, address }: MemberDoer,
  identity: Identity,
  email: string,
  language: string,
): Promise<{ problem: EmailProblem } | undefined> {
  const tooFast = await attempted(identity, hourlyLimit(at, MOST_MAILS_OF_MEMBER, 'confirm', userId));
  if (tooFast !== undefined) return { problem: 'too_many_mails' };
  const mail: NewMail = { purpose: 'confirm', userId, email, language, createdAt: at };
  const isAdded = await identity.writes.addMailWithin(limitOfAddress(email, at), mail, {
    event: 'email_change_asked',
    at,
    userId,
    address,
  });
  if (!isAdded) return { problem: 'too_many_mails' };
  identity.onMail?.();
  return undefined;
}

function limitOfAddress(email: string, now: Timestamp): AttemptLimit {
  return hourlyLimit(now, MOST_MAILS_TO_ADDRESS, 'confirm', emailKeyOf(email));
}
