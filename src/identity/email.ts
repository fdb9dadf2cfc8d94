// A member's e-mail address: it is the account's only after a link that was mailed to it has been used.

import { type AttemptLimit, attempted, hourlyLimit } from '../lib/attempt.ts';
import type { Timestamp } from '../lib/clock.ts';
import { emailKeyOf, looksLikeEmail } from './email-address.ts';
import type { Identity } from './identity.ts';
import { findMailedLink } from './mail.ts';
import { type ProofProblem, proveOneself } from './proof.ts';
import type { User } from './user.ts';

// One address gets no more of these in an hour, whoever asks; and one member asks for no more.
const MOST_MAILS_TO_ADDRESS = 3;
const MOST_MAILS_OF_MEMBER = 5;

export type EmailProblem = 'invalid' | 'unchanged' | 'too_many_mails';

/** Mails a link to the address that the member wants. Until it is used everything stays as it is. */
export async function changeEmail(
  identity: Identity,
  user: User,
  { email, password, language }: { email: string; password: string; language: string },
): Promise<{ problem: EmailProblem } | ProofProblem | undefined> {
  const wanted = email.trim();
  if (!looksLikeEmail(wanted)) return { problem: 'invalid' };
  if (wanted === user.email) return { problem: 'unchanged' };
  const refused = await proveOneself(identity, user, password);
  return refused ?? askToConfirm(identity, user, wanted, language);
}

/** Mails the link once more. */
export async function confirmEmailAgain(
  identity: Identity,
  user: User,
  language: string,
): Promise<{ problem: EmailProblem } | undefined> {
  const email = await emailToConfirm(identity, user);
  return email === undefined ? undefined : askToConfirm(identity, user, email, language);
}

/** The address that waits for its confirmation. */
export function emailToConfirm({ reads, clock }: Identity, user: User): Promise<string | undefined> {
  return reads.emailToConfirm(user.id, clock());
}

/** Takes the address from the account: from then on no mail can open it. */
export async function removeEmail(
  identity: Identity,
  user: User,
  { password, language }: { password: string; language: string },
): Promise<ProofProblem | undefined> {
  const refused = await proveOneself(identity, user, password);
  if (refused !== undefined || user.email === undefined) return refused;
  const done = await identity.writes.removeEmail(user.id, user.email, language, identity.clock());
  if (done) identity.onMail?.();
  return undefined;
}

/** Whose address a link confirms, if it still holds. */
export async function openConfirmation(
  identity: Identity,
  token: string,
): Promise<{ username: string; email: string } | undefined> {
  const link = await findMailedLink(identity, 'confirm', token);
  const user = link && (await identity.reads.findUser(link.userId));
  return link && user && { username: user.username, email: link.email };
}

/** Uses a link. Of several accounts that want one address the first to confirm gets it. */
export async function confirmEmail(
  identity: Identity,
  token: string,
  language: string,
): Promise<'confirmed' | 'taken' | 'unusable'> {
  const link = await findMailedLink(identity, 'confirm', token);
  if (link === undefined) return 'unusable';
  const { key, userId, email } = link;
  const wanted = { userId, email, emailKey: emailKeyOf(email) };
  const outcome = await identity.writes.confirmEmail(key, wanted, language, identity.clock());
  if (outcome === 'confirmed') identity.onMail?.();
  return outcome;
}

/** How many of these mails one address gets, whoever asks for them. */
export function limitOfAddress(email: string, now: Timestamp): AttemptLimit {
  return hourlyLimit(now, MOST_MAILS_TO_ADDRESS, 'confirm', emailKeyOf(email));
}

async function askToConfirm(
  identity: Identity,
  user: User,
  email: string,
  language: string,
): Promise<{ problem: EmailProblem } | undefined> {
  const { writes, clock } = identity;
  const now = clock();
  const tooFast = await attempted(identity, hourlyLimit(now, MOST_MAILS_OF_MEMBER, 'confirm', user.id));
  if (tooFast !== undefined) return { problem: 'too_many_mails' };
  const mail = { purpose: 'confirm', userId: user.id, email, language, createdAt: now } as const;
  if (!(await writes.addMailWithin(limitOfAddress(email, now), mail))) return { problem: 'too_many_mails' };
  identity.onMail?.();
  return undefined;
}
