// A new password for somebody who forgot theirs, and gets the mail of the account.

import { attempted, hourlyLimit, type TooFast } from '../lib/attempt.ts';
import { emailKeyOf } from './email-address.ts';
import type { Identity } from './identity.ts';
import { findMailedLink } from './mail.ts';
import { hashPassword, type PasswordProblem, problemWithPassword } from './password.ts';
import { usernameKey } from './username.ts';

const MOST_REQUESTS_FROM_ADDRESS = 10;
const MOST_MAILS_TO_ACCOUNT = 3;
// No name and no address is longer.
const MOST_CHARACTERS = 300;

export interface ResetRequest {
  /** A username or an e-mail address. */
  account: string;
  /** Where the request comes from. */
  address: string;
  language: string;
}

/**
 * Mails a link to the account's address, if there is such an account with an address. Whether there is can be told
 * neither from the answer nor from how long it takes.
 */
export async function requestReset(
  identity: Identity,
  { account, address, language }: ResetRequest,
): Promise<{ outcome: 'accepted' } | ({ outcome: 'too_many' } & TooFast)> {
  const { reads, writes, clock } = identity;
  const now = clock();
  const tooFast = await attempted(
    identity,
    hourlyLimit(now, MOST_REQUESTS_FROM_ADDRESS, 'reset from', address),
  );
  if (tooFast !== undefined) return { outcome: 'too_many', ...tooFast };
  const typed = account.trim().slice(0, MOST_CHARACTERS);
  // No username contains the sign.
  const user = typed.includes('@')
    ? await reads.findUserByEmail(emailKeyOf(typed))
    : await reads.findUserByName(usernameKey(typed));
  const limit = hourlyLimit(
    now,
    MOST_MAILS_TO_ACCOUNT,
    // Nobody is called like a number of somebody's.
    user === undefined ? 'reset of nobody' : 'reset of',
    user?.id ?? typed,
  );
  const email = user?.status === 'closed' ? undefined : user?.email;
  const mail =
    user === undefined || email === undefined
      ? undefined
      : ({ purpose: 'reset', userId: user.id, email, language, createdAt: now } as const);
  await writes.addMailWithin(limit, mail);
  if (mail !== undefined) identity.onMail?.();
  return { outcome: 'accepted' };
}

/** Whose password a link sets, if it still holds. */
export async function openReset(
  identity: Identity,
  token: string,
): Promise<{ username: string } | undefined> {
  const link = await findMailedLink(identity, 'reset', token);
  const user = link && (await identity.reads.findUser(link.userId));
  if (user === undefined || user.status === 'closed' || user.email !== link?.email) return undefined;
  return { username: user.username };
}

/**
 * Sets the password, by a link that is used up. Every session ends; nobody is signed in. What the member allowed to
 * applications stays.
 */
export async function resetPassword(
  identity: Identity,
  { token, password, language }: { token: string; password: string; language: string },
): Promise<{ outcome: 'done' | 'unusable' } | { outcome: 'problem'; problem: PasswordProblem }> {
  const open = await openReset(identity, token);
  const link = open && (await findMailedLink(identity, 'reset', token));
  if (open === undefined || link === undefined) return { outcome: 'unusable' };
  const problem = problemWithPassword(password, open.username);
  if (problem !== undefined) return { outcome: 'problem', problem };
  const hash = await hashPassword(password);
  if (!(await identity.writes.resetPassword(link, hash, language, identity.clock())))
    return { outcome: 'unusable' };
  identity.onMail?.();
  return { outcome: 'done' };
}
