// Mails to members: when each is sent, what its link proves and for how long, and when trying is given up.

import { DAY, HOUR, MINUTE, type Timestamp } from '../lib/clock.ts';
import { mintSecret, readSecret, sameDigest } from '../lib/secrets.ts';
import { emailKeyOf } from './email-address.ts';
import type { Identity } from './identity.ts';
import type { MailPurpose, MailToken, WaitingMail } from './mail-store.ts';

/** How long a link holds. */
const LINK_LIFETIME: Record<MailToken['purpose'], number> = { confirm: 1 * DAY, reset: 1 * HOUR };

// A mail that nobody took for two days is no longer waited for.
const GIVEN_UP_AFTER = 2 * DAY;
const FIRST_PAUSE = 1 * MINUTE;
const LONGEST_PAUSE = 6 * HOUR;
// Longer than sending ever takes, so that no other process sends the same mail meanwhile.
const CLAIM = 5 * MINUTE;
const AT_ONCE = 5;

/** What is written to somebody, as facts: the words for them are not this room's. */
export interface MailFacts {
  /** `taken`: somebody wants the address for another account. */
  kind: MailPurpose | 'taken';
  /** Whose account it is about; of `taken` the one that has the address. */
  username: string;
  email: string;
  language: string;
  /** What goes into the link. */
  token?: string;
  expiresAt?: Timestamp;
}

/** Delivers a mail. Fails with `permanent` set if it is of no use to try again. */
export type Deliver = (facts: MailFacts) => Promise<void>;

/** Told of each mail that was not delivered. */
export type TellOfFailure = (failure: {
  mail: number;
  purpose: MailPurpose;
  attempts: number;
  reason: string;
  givenUp: boolean;
}) => void;

/** Sends mails whose turn it is. Returns how many it took up; 0 means that none is due. */
export async function sendDueMails(
  identity: Identity,
  deliver: Deliver,
  tell: TellOfFailure,
): Promise<number> {
  const due = await identity.reads.mailsDue(identity.clock(), AT_ONCE);
  await Promise.all(due.map((mail) => sendMail(identity, mail, deliver, tell)));
  return due.length;
}

async function sendMail(
  identity: Identity,
  mail: WaitingMail,
  deliver: Deliver,
  tell: TellOfFailure,
): Promise<void> {
  const { writes, clock } = identity;
  if (!(await writes.claimMail(mail, clock() + CLAIM))) return;
  const facts = await prepare(identity, mail);
  // What it would say is no longer so.
  if (facts === undefined) return writes.removeMail(mail.id);
  try {
    await deliver(facts);
    await writes.removeMail(mail.id);
  } catch (error) {
    const { permanent, message } = error as { permanent?: boolean; message: string };
    const attempts = mail.attempts + 1;
    const next = clock() + pauseAfter(attempts);
    const givenUp = permanent === true || next - mail.createdAt > GIVEN_UP_AFTER;
    await (givenUp ? writes.removeMail(mail.id) : writes.postponeMail(mail.id, next));
    tell({ mail: mail.id, purpose: mail.purpose, attempts, reason: message, givenUp });
  }
}

/** 1, 4, 16, 64 minutes, then six hours. */
function pauseAfter(attempts: number): number {
  return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 4 ** (attempts - 1));
}

// Judged when it is sent, not when it was asked for: meanwhile anything may have changed.
async function prepare(identity: Identity, mail: WaitingMail): Promise<MailFacts | undefined> {
  const { reads } = identity;
  const { purpose: kind, email, language } = mail;
  const user = await reads.findUser(mail.userId);
  if (user === undefined || user.status === 'closed') return undefined;
  const facts = { kind, username: user.username, email, language };
  if (kind === 'reset') {
    if (user.email !== email) return undefined;
    const link = await mintLink(identity, kind, mail);
    return link && { ...facts, ...link };
  }
  if (kind !== 'confirm') return facts;
  const owner = await reads.findUserByEmail(emailKeyOf(email));
  if (owner?.id === user.id) return undefined;
  // Made in any case: nothing that a member sees may tell whether the address is somebody's.
  const link = await mintLink(identity, kind, mail);
  if (link === undefined) return undefined;
  if (owner === undefined) return { ...facts, ...link };
  return { kind: 'taken', username: owner.username, email: owner.email ?? email, language };
}

async function mintLink(
  { writes, clock }: Identity,
  purpose: MailToken['purpose'],
  { id, userId, email }: WaitingMail,
): Promise<{ token: string; expiresAt: Timestamp } | undefined> {
  const now = clock();
  const { key, text: token, digest } = mintSecret(now);
  const expiresAt = now + LINK_LIFETIME[purpose];
  const isWaiting = await writes.addMailToken({ key, digest, purpose, userId, email, expiresAt }, id);
  return isWaiting ? { token, expiresAt } : undefined;
}

/** What the token of a link stands for, if it still holds. */
export async function findMailedLink(
  { reads, clock }: Identity,
  purpose: MailToken['purpose'],
  token: string,
): Promise<MailToken | undefined> {
  const read = readSecret(token);
  const found = read && (await reads.findMailToken(read.key));
  if (!read || !found || !sameDigest(read.digest, found.digest)) return undefined;
  return found.purpose === purpose && found.expiresAt > clock() ? found : undefined;
}
