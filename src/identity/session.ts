// A browser's sign-in. The cookie has a random key and a secret; storage has the key and a digest.

import type { Doer } from '../audit/doer.ts';
import type { NewSecurityEventOf, SessionStart } from '../audit/security-event.ts';
import { DAY, HOUR, MINUTE, type Timestamp } from '../lib/clock.ts';
import { mintSecret, readSecret, sameDigest } from '../lib/secrets.ts';
import type { Identity } from './identity.ts';
import type { NewSession, Session } from './session-record.ts';
import type { User } from './user.ts';

/** A session ends after this long without a visit. */
export const SESSION_IDLE = 14 * DAY;
/** A session ends after this long in any case. */
export const SESSION_LIFETIME = 90 * DAY;
// The time of the last visit is exact to the hour, so that most pages write nothing.
const TOUCH_INTERVAL = 1 * HOUR;
// A visit from another network is written earlier. It may be a stranger who has the cookie.
const MOVED_TOUCH_INTERVAL = 1 * MINUTE;

/** A member in a browser. */
export interface Visit {
  user: User;
  /** When the member signed in. */
  authenticatedAt: Timestamp;
  /** When the member last proved who they are, with all that the account asks for. */
  provenAt: Timestamp;
  /** The key of the session. */
  sessionKey: string;
}

/** Start a session for a member who has just signed in or signed up. Returns the cookie's value. */
export async function startSession(identity: Identity, userId: number, start: SessionStart): Promise<string> {
  return (await openSession(identity, userId, start)).cookie;
}

/** As `startSession`, for a member who knows the password. Undefined if the account has another hash by now. */
export async function startSessionByPassword(
  identity: Identity,
  userId: number,
  passwordHash: string,
  start: SessionStart,
): Promise<string | undefined> {
  const { cookie, isOpen } = await openSession(identity, userId, start, passwordHash);
  return isOpen ? cookie : undefined;
}

async function openSession(
  { writes, clock }: Identity,
  userId: number,
  start: SessionStart,
  passwordHash?: string,
): Promise<{ cookie: string; isOpen: boolean }> {
  const { cookie, session } = newSession(clock(), userId);
  return { cookie, isOpen: await writes.addSession(session, start, passwordHash) };
}

/** Make the record of a session, and the value of its cookie. */
export function newSession(now: Timestamp, userId: number): { cookie: string; session: NewSession } {
  const { key, text: cookie, digest } = mintSecret(now);
  const times = { authenticatedAt: now, lastSeenAt: now, expiresAt: now + SESSION_LIFETIME };
  return { cookie, session: { key, digest, userId, ...times } };
}

/**
 * Find the visit of a cookie, from a network as members see it. Undefined if the session is unknown or over, or the
 * account is not active.
 */
export async function findVisit(
  identity: Identity,
  cookie: string,
  network?: string,
): Promise<Visit | undefined> {
  const record = await findRecord(identity, cookie);
  if (record === undefined) return undefined;
  const { session, user } = record;
  const now = identity.clock();
  if (isOver(session, now) || user.status !== 'active') return undefined;
  const hasMoved = network !== undefined && network !== session.lastNetwork;
  const interval = hasMoved ? MOVED_TOUCH_INTERVAL : TOUCH_INTERVAL;
  if (now - session.lastSeenAt >= interval) await identity.writes.touchSession(session.key, now, network);
  const { authenticatedAt, provenAt, key: sessionKey } = session;
  return { user, authenticatedAt, provenAt, sessionKey };
}

/** Report whether the cookie was once given to a member, even if its session is over and not deleted yet. */
export async function isCookieOfMember(identity: Identity, cookie: string): Promise<boolean> {
  return (await findRecord(identity, cookie)) !== undefined;
}

/** End the session of a cookie, because the member signed out. Nothing happens if it has ended already. */
export function signOut(identity: Identity, cookie: string, address: string): Promise<void> {
  return endSession(identity, cookie, (facts) => ({ event: 'signed_out', ...facts, address }));
}

/** End the session of a cookie, because the browser gets another one, whose cookie is `next`. */
export function replaceSession(
  identity: Identity,
  cookie: string,
  next: string,
  address: string,
): Promise<void> {
  const nextKey = readSecret(next)?.key;
  const endOf = (facts: EndFacts) =>
    ({ event: 'session_ended', ...facts, address, detail: 'replaced' }) as const;
  return endSession(identity, cookie, endOf, nextKey);
}

/** End every sign-in of a member, in browsers and to applications. False if the account is closed. */
export function endSignIns(by: Doer, { writes }: Identity, userId: number): Promise<boolean> {
  return writes.endSignIns(by, userId);
}

/** Count the browsers in which the member is signed in. */
export function countSessions({ reads, clock }: Identity, userId: number): Promise<number> {
  const now = clock();
  return reads.countSessions(userId, now, now - SESSION_IDLE);
}

type SessionEnd = NewSecurityEventOf<'signed_out' | 'session_ended'>;

interface EndFacts {
  userId: number;
  at: Timestamp;
}

async function endSession(
  identity: Identity,
  cookie: string,
  endOf: (facts: EndFacts) => SessionEnd,
  nextKey?: string,
): Promise<void> {
  const record = await findRecord(identity, cookie);
  if (record === undefined) return;
  const { session } = record;
  const { userId } = session;
  await identity.writes.endSession(session, endOf({ userId, at: identity.clock() }), nextKey);
}

async function findRecord({ reads }: Identity, cookie: string) {
  const secret = readSecret(cookie);
  const record = secret && (await reads.findSession(secret.key));
  return secret && record && sameDigest(secret.digest, record.session.digest) ? record : undefined;
}

function isOver(session: Session, now: Timestamp): boolean {
  return session.expiresAt <= now || session.lastSeenAt + SESSION_IDLE <= now;
}
