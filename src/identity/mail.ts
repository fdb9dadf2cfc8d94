// Mails to members: when each is sent, how long its link is valid, and when the server stops trying.

import type { Doer } from '../audit/doer.ts';
import { DAY, HOUR, MINUTE, type Timestamp } from '../lib/clock.ts';
import { mintSecret, readSecret, sameDigest } from '../lib/secrets.ts';
import { emailKeyOf } from './email-address.ts';
import type { Identity } from './identity.ts';
import type {
  DisownedMail,
  LinkPurpose,
  MailPurpose,
  MailSubject,
  MailToken,
  News,
  UnsentMail,
  WaitingMail,
} from './mail-store.ts';
import { canModerate } from './user.ts';

/** How long a link is valid. */
export const LINK_LIFETIME: Record<LinkPurpose, number> = {
  confirm: 1 * DAY,
  reset: 1 * HOUR,
  undo: 72 * HOUR,
  keep_factors: 1 * DAY,
  disown: 72 * HOUR,
  stop_answers: 90 * DAY,
  stop_digest: 90 * DAY,
};

// The server gives up on a mail after two days of failed attempts.
const GIVEN_UP_AFTER = 2 * DAY;
const FIRST_PAUSE = 1 * MINUTE;
const LONGEST_PAUSE = 6 * HOUR;
// Longer than any attempt takes, so that no other process sends the same mail at the same time.
const CLAIM = 5 * MINUTE;
const MOST_IN_PARALLEL = 5;
/** A mail shows a larger number of open reports as "99+". */
export const MOST_REPORTS = 99;

/** The facts of a mail. `http/site/joining/letters.ts` has the words for them. */
export interface MailFacts {
  /** `taken` tells the owner of an address that another member tried to confirm it. */
  kind: MailPurpose | 'taken';
  /** The username of the member who receives the mail. */
  username: string;
  email: string;
  language: string;
  /** The secret in the link. */
  token?: string;
  expiresAt?: Timestamp;
  /** Empty for mails that aren't about moderation. */
  about: MailSubject;
}

/** Delivers a mail. The error has `permanent` set if another attempt would be useless. */
export type Deliver = (facts: MailFacts) => Promise<void>;

/** Reads what a mail about answers, or a digest, lists. Undefined if there is nothing to tell. */
export type NewsOf = (mail: WaitingMail) => Promise<News | undefined>;

/** Called for each failed attempt. */
export type TellOfFailure = (failure: {
  mail: number;
  purpose: MailPurpose;
  attempts: number;
  reason: string;
  isLastAttempt: boolean;
}) => void;

/** Send some of the mails that are due, in parallel. Returns how many were due, 0 if there are none left. */
export async function sendDueMails(
  identity: Identity,
  newsOf: NewsOf,
  deliver: Deliver,
  tell: TellOfFailure,
): Promise<number> {
  const due = await identity.reads.mailsDue(identity.clock(), MOST_IN_PARALLEL);
  await Promise.all(due.map((mail) => sendMail(identity, mail, newsOf, deliver, tell)));
  return due.length;
}

async function sendMail(
  identity: Identity,
  mail: WaitingMail,
  newsOf: NewsOf,
  deliver: Deliver,
  tell: TellOfFailure,
): Promise<void> {
  const { writes, clock } = identity;
  if (!(await writes.claimMail(mail, clock() + CLAIM))) return;
  const facts = await factsOf(identity, mail, newsOf);
  // The mail is out of date.
  if (facts === undefined) return writes.removeMail(mail.id);
  try {
    await deliver(facts);
    await writes.removeMail(mail.id);
  } catch (error) {
    const { permanent, message } = error as { permanent?: boolean; message: string };
    const attempts = mail.attempts + 1;
    const next = clock() + pauseAfter(attempts);
    const isLastAttempt = permanent === true || next - mail.createdAt > GIVEN_UP_AFTER;
    await (isLastAttempt
      ? writes.giveUpMail(mail.id, clock(), message)
      : writes.postponeMail(mail.id, next, message));
    tell({ mail: mail.id, purpose: mail.purpose, attempts, reason: message, isLastAttempt });
  }
}

/** Report whether `sendAgain` accepts a mail: no process can be sending it now. */
export function canSendAgain({ givenUpAt, nextAttemptAt }: UnsentMail, now: Timestamp): boolean {
  return givenUpAt !== undefined || nextAttemptAt > now + CLAIM;
}

/** Send a mail now that was given up or waits for its next attempt. False if it was sent meanwhile. */
export async function sendAgain(by: Doer, identity: Identity, id: number): Promise<boolean> {
  const mail = await identity.reads.findUnsentMail(id);
  if (mail === undefined) return false;
  const isDue = await identity.writes.sendMailAgain(by, mail, by.at + CLAIM);
  if (isDue) identity.onMail?.();
  return isDue;
}

/** 1, 4, 16, 64 minutes, then six hours. */
function pauseAfter(attempts: number): number {
  return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 4 ** (attempts - 1));
}

// The facts are checked when the mail is sent, since the account may have changed since the request.
async function factsOf(
  identity: Identity,
  mail: WaitingMail,
  newsOf: NewsOf,
): Promise<MailFacts | undefined> {
  const { reads } = identity;
  const { purpose: kind, email, language } = mail;
  const user = await reads.findUser(mail.userId);
  if (user === undefined || user.status === 'closed') return undefined;
  const facts = { kind, username: user.username, email, language, about: mail.about };
  if (kind === 'reset') {
    if (user.email !== email) return undefined;
    const link = await mintLink(identity, kind, mail);
    return link && { ...facts, ...link };
  }
  if (kind === 'email_changed' || kind === 'email_removed') {
    if (mail.about.isYoung === true) return facts;
    const link = await mintLink(identity, 'undo', mail);
    return link && { ...facts, ...link };
  }
  if (kind === 'factor_reset_asked') {
    const link = await mintLink(identity, 'keep_factors', mail);
    return link && { ...facts, ...link };
  }
  if (kind === 'answers' || kind === 'digest') {
    if (user.status !== 'active' || user.email !== email) return undefined;
    const news = await newsOf(mail);
    const link = news && (await mintLink(identity, `stop_${kind}`, mail));
    return link && { ...facts, ...link, about: { news } };
  }
  if (DISOWNABLE.has(kind)) return securityFacts(identity, mail, facts);
  if (kind === 'new_reports') {
    const reports = canModerate(user) ? await reads.countOpenReports(MOST_REPORTS + 1) : 0;
    return reports === 0 ? undefined : { ...facts, about: { reports } };
  }
  if (kind !== 'confirm') return facts;
  const owner = await reads.findUserByEmail(emailKeyOf(email));
  if (owner?.id === user.id) return undefined;
  // A taken address gets a link record too, which is not sent. The settings show an address as long as it has
  // a link, so a missing record would reveal that another account has the address.
  const link = await mintLink(identity, kind, mail);
  if (link === undefined) return undefined;
  if (owner === undefined) return { ...facts, ...link };
  return { kind: 'taken', username: owner.username, email: owner.email ?? email, language, about: {} };
}

// Mails whose link says "This wasn't me".
const DISOWNABLE: ReadonlySet<MailPurpose> = new Set([
  'new_browser',
  'application_allowed',
  'application_widened',
  'replay_detected',
  'token_created',
  'password_changed',
  'factor_added',
  'factor_removed',
  'codes_guessed',
] as const);

async function securityFacts(
  identity: Identity,
  mail: WaitingMail,
  facts: MailFacts,
): Promise<MailFacts | undefined> {
  const { security } = mail.about;
  const { clientId, tokenId } = security ?? {};
  const { purpose, createdAt: since } = mail;
  const link = await mintLink(identity, 'disown', mail, { purpose, since, clientId, tokenId });
  if (link === undefined) return undefined;
  if (security === undefined || clientId === undefined) return { ...facts, ...link };
  const application = await identity.reads.applicationName(clientId);
  return { ...facts, ...link, about: { security: { ...security, application } } };
}

async function mintLink(
  { writes, clock }: Identity,
  purpose: LinkPurpose,
  { id, userId, email, createdAt }: WaitingMail,
  disowned?: DisownedMail,
): Promise<{ token: string; expiresAt: Timestamp } | undefined> {
  const now = clock();
  const { key, text, digest } = mintSecret(now);
  // An undo link counts from the change, so that the order of the expiries is the order of the changes. A link that
  // keeps the factors ends when they are removed.
  const counted = purpose === 'undo' || purpose === 'keep_factors' ? createdAt : now;
  const expiresAt = counted + LINK_LIFETIME[purpose];
  if (expiresAt <= now) return undefined;
  const token = { key, digest, purpose, userId, email, expiresAt, ...(disowned && { disowned }) };
  const isWaiting = await writes.addMailToken(token, id);
  return isWaiting ? { token: text, expiresAt } : undefined;
}

/** Make the record of a link for a page that continues in this browser. No mail has it. */
export function linkWithoutMail(
  purpose: LinkPurpose,
  { userId, email }: Pick<MailToken, 'userId' | 'email'>,
  now: Timestamp,
): { token: string; link: MailToken } {
  const { key, text: token, digest } = mintSecret(now);
  return { token, link: { key, digest, purpose, userId, email, expiresAt: now + LINK_LIFETIME[purpose] } };
}

/** Read the token of a link. Undefined if it is not valid. */
export async function findMailedLink(
  { reads, clock }: Identity,
  purpose: LinkPurpose,
  token: string,
): Promise<MailToken | undefined> {
  const secret = readSecret(token);
  const link = secret && (await reads.findMailToken(secret.key));
  if (!secret || !link || !sameDigest(secret.digest, link.digest)) return undefined;
  return link.purpose === purpose && link.expiresAt > clock() ? link : undefined;
}
