// A new password for a member who forgot the old one, by a link that is mailed to the account's address, or that an
// operator passes on.

import type { Doer } from '../audit/doer.ts';
import type { NewSecurityEvent } from '../audit/security-event.ts';
import {
  attempted,
  attemptedFrom,
  dailyLimit,
  exhausted,
  hourlyLimit,
  type TooFast,
} from '../lib/attempt.ts';
import type { Timestamp } from '../lib/clock.ts';
import { breachProblem } from './breach-check.ts';
import { findAccount } from './find-account.ts';
import { type HelpProblem, helpProblem, mayHelpOperators } from './help.ts';
import type { Identity } from './identity.ts';
import { findMailedLink, linkWithoutMail } from './mail.ts';
import type { NewMail } from './mail-store.ts';
import { hashPassword } from './password.ts';
import { localRules, type PasswordProblem, problemWithPassword } from './password-rules.ts';
import { BUSY, inPasswordTurn } from './password-turns.ts';
import type { User } from './user.ts';

const MOST_REQUESTS_FROM_ADDRESS = 10;
// From the larger network around an IPv6 address.
const MOST_REQUESTS_FROM_NETWORK = 40;
// Within an hour, and within a day.
const MOST_MAILS_TO_ACCOUNT = 3;
const MOST_MAILS_TO_ACCOUNT_IN_DAY = 6;
// Beyond those of a day, within an hour. A link is valid for as long, so strangers who ask can't keep the member from
// having one.
const MOST_FURTHER_MAILS = 1;
// Usernames and email addresses are shorter.
const MOST_CHARACTERS = 300;

export interface ResetRequest {
  /** A username or an email address. */
  account: string;
  /** The network address that the request comes from. */
  address: string;
  language: string;
}

/**
 * Mail a link to the account's address, if the account exists and has one. Neither the answer nor the
 * response time reveals whether it does.
 */
export async function requestReset(
  identity: Identity,
  { account, address, language }: ResetRequest,
): Promise<{ outcome: 'accepted' } | ({ outcome: 'too_many' } & TooFast)> {
  const now = identity.clock();
  const tooFast = await attemptedFrom(identity, now, 'reset from', {
    address,
    most: MOST_REQUESTS_FROM_ADDRESS,
    mostOfNetwork: MOST_REQUESTS_FROM_NETWORK,
  });
  if (tooFast !== undefined) return { outcome: 'too_many', ...tooFast };
  const name = account.trim().slice(0, MOST_CHARACTERS);
  const user = await findAccount(identity, name);
  // The two kinds have different prefixes, because a username can look like another member's id.
  const subject = user === undefined ? ['reset of nobody', name] : ['reset of', user.id];
  const inHour = (most: number) => hourlyLimit(now, most, ...subject);
  const inDay = dailyLimit(now, MOST_MAILS_TO_ACCOUNT_IN_DAY, 'in a day', ...subject);
  const email = user?.status === 'closed' ? undefined : user?.email;
  const mail: NewMail | undefined =
    user === undefined || email === undefined
      ? undefined
      : { purpose: 'reset', userId: user.id, email, language, createdAt: now };
  // Recorded with or without a mail, so that the response time doesn't show whether one is sent.
  const about = user === undefined ? {} : { userId: user.id };
  const event: NewSecurityEvent = { event: 'password_reset_asked', at: now, ...about, address };
  if ((await exhausted(identity, inDay)) !== undefined) {
    await identity.writes.addMailWithin(inHour(MOST_FURTHER_MAILS), mail, event);
  } else if ((await attempted(identity, inHour(MOST_MAILS_TO_ACCOUNT))) === undefined) {
    await identity.writes.addMailWithin(inDay, mail, event);
  }
  if (mail !== undefined) identity.onMail?.();
  return { outcome: 'accepted' };
}

/** The path of the link with this token. */
export function resetLinkPath(token: string): string {
  return `/reset-password?token=${token}`;
}

/** A link for a new password. Its token is in no mail, and is shown once. */
export interface ResetLink {
  token: string;
  expiresAt: Timestamp;
}

/**
 * Make a link with which the member chooses a new password, for an operator to pass on. It has the rules of a mailed
 * link. On the pages no operator can make one for an operator's account.
 */
export async function createResetLink(
  by: Doer,
  identity: Identity,
  user: User,
  language: string,
): Promise<ResetLink | { problem: HelpProblem }> {
  const { token, link } = linkWithoutMail('reset', { userId: user.id, email: user.email ?? '' }, by.at);
  const options = { mayBeOperator: mayHelpOperators(by), language };
  if (!(await identity.writes.addResetLink(by, link, options))) {
    return { problem: await helpProblem(by, identity, user) };
  }
  identity.onMail?.();
  return { token, expiresAt: link.expiresAt };
}

/** Find the account whose password a link resets. Undefined if the link is not valid. */
export async function openReset(
  identity: Identity,
  token: string,
): Promise<{ username: string; hasFactor: boolean } | undefined> {
  const link = await findMailedLink(identity, 'reset', token);
  const user = link && (await identity.reads.findUser(link.userId));
  if (user === undefined || user.status === 'closed' || (user.email ?? '') !== link?.email) return undefined;
  return { username: user.username, hasFactor: user.hasFactor };
}

export type ResetOutcome =
  | { outcome: 'done'; userId: number; username: string; email: string | undefined; hasFactor: boolean }
  | { outcome: 'unusable' }
  | ({ outcome: 'too_many' } & TooFast)
  | { outcome: 'problem'; problem: PasswordProblem };

/**
 * Set the password by a link, which is used up. Every session ends, and no new one starts. Connected
 * applications stay connected.
 */
export async function resetPassword(
  identity: Identity,
  {
    token,
    password,
    language,
    address,
  }: { token: string; password: string; language: string; address?: string | undefined },
): Promise<ResetOutcome> {
  const account = await openReset(identity, token);
  const link = account && (await findMailedLink(identity, 'reset', token));
  if (account === undefined || link === undefined) return { outcome: 'unusable' };
  const owner = { username: account.username, email: link.email || undefined };
  const problem = await problemWithPassword(localRules(identity.passwordRules), password, owner);
  if (problem !== undefined) return { outcome: 'problem', problem };
  const breach = await breachProblem(identity, password, address ?? '');
  if (breach === 'breached') return { outcome: 'problem', problem: breach };
  if (breach !== undefined) return { outcome: 'too_many', ...breach };
  const hashed = await inPasswordTurn(address ?? '', async () => ({ hash: await hashPassword(password) }));
  if (hashed === undefined) return { outcome: 'too_many', ...BUSY };
  if (!(await identity.writes.resetPassword(link, hashed.hash, language, identity.clock(), address))) {
    return { outcome: 'unusable' };
  }
  identity.onMail?.();
  return { outcome: 'done', userId: link.userId, ...owner, hasFactor: account.hasFactor };
}
