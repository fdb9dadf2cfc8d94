// A browser's sign-in: a random key and secret in a cookie, the record here.

import { DAY, HOUR, type Timestamp } from '../lib/clock.ts';
import { mintSecret, readSecret, sameDigest } from '../lib/secrets.ts';
import type { Identity } from './identity.ts';
import type { Session } from './store.ts';
import type { User } from './user.ts';

/** A session ends after this long without a visit. */
export const SESSION_IDLE = 14 * DAY;
/** And after this long in any case. */
export const SESSION_LIFETIME = 90 * DAY;
// The last visit is kept to the hour, which spares a write on each page.
const TOUCH_INTERVAL = 1 * HOUR;

/** A member in a browser. */
export interface Visit {
  user: User;
  /** When the member last proved who they are. */
  authenticatedAt: Timestamp;
}

/** Starts a session for a member who has just proved who they are. Returns the cookie's value, kept nowhere else. */
export async function startSession(identity: Identity, userId: number): Promise<string> {
  return (await openSession(identity, userId)).cookie;
}

/** The same for who knew the password with this hash. Undefined if it is another one by now. */
export async function startSessionByPassword(
  identity: Identity,
  userId: number,
  passwordHash: string,
): Promise<string | undefined> {
  const { cookie, isOpen } = await openSession(identity, userId, passwordHash);
  return isOpen ? cookie : undefined;
}

async function openSession(
  identity: Identity,
  userId: number,
  passwordHash?: string,
): Promise<{ cookie: string; isOpen: boolean }> {
  const now = identity.clock();
  const { key, text: cookie, digest } = mintSecret(now);
  const session = {
    ...{ key, digest, userId, authenticatedAt: now, lastSeenAt: now },
    expiresAt: now + SESSION_LIFETIME,
  };
  return { cookie, isOpen: await identity.writes.addSession(session, passwordHash) };
}

/** Who visits with this cookie. Undefined if the session is unknown or over, or the account can't be used. */
export async function findVisit(identity: Identity, cookie: string): Promise<Visit | undefined> {
  const found = await findOf(identity, cookie);
  if (found === undefined) return undefined;
  const now = identity.clock();
  if (isOver(found.session, now) || found.user.status !== 'active') return undefined;
  if (now - found.session.lastSeenAt >= TOUCH_INTERVAL)
    await identity.writes.touchSession(found.session.key, now);
  return { user: found.user, authenticatedAt: found.session.authenticatedAt };
}

/** Ends the session of a cookie. The cookie is worthless from then on; ending twice changes nothing. */
export async function endSession(identity: Identity, cookie: string): Promise<void> {
  const found = await findOf(identity, cookie);
  if (found !== undefined) await identity.writes.endSession(found.session.key);
}

async function findOf({ reads }: Identity, cookie: string) {
  const read = readSecret(cookie);
  const found = read && (await reads.findSession(read.key));
  return read && found && sameDigest(read.digest, found.session.digest) ? found : undefined;
}

function isOver(session: Session, now: Timestamp): boolean {
  return session.expiresAt <= now || session.lastSeenAt + SESSION_IDLE <= now;
}
