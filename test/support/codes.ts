// An authenticator app: the codes that a member's phone shows.

import { TOTP } from 'otpauth';
import { byMember } from '../../src/audit/doer.ts';
import { confirmApp, pendingApp, startApp } from '../../src/identity/authenticator-app.ts';
import type { Identity } from '../../src/identity/identity.ts';
import { DAY, SECOND, type Timestamp } from '../../src/lib/clock.ts';
import { digestOf, timeOrderedKey } from '../../src/lib/secrets.ts';

/** One step of the app's clock. */
export const STEP = 30 * SECOND;

/** The code that the app shows at a moment. */
export function codeAt(secret: string, timestamp: Timestamp): string {
  return new TOTP({ secret }).generate({ timestamp });
}

/** Set an app up, in this session or in one that ends. Its first code is used up. Returns its secret, and the codes. */
export async function withApp(
  identity: Identity,
  user: { id: number; username: string },
  openKey?: string,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const by = byMember(user, identity.clock);
  const sessionKey = openKey ?? (await sessionOf(identity, user.id));
  await startApp(by, identity);
  const app = await pendingApp(identity, user.id, { site: 'Agora', username: user.username, sessionKey });
  if (app === undefined) throw new Error('The account has an app already.');
  const code = codeAt(app.secret, identity.clock());
  const result = await confirmApp(by, identity, { code, sessionKey });
  if ('problem' in result) throw new Error(result.problem);
  if (openKey === undefined) {
    const { userId, at } = by;
    await identity.writes.endSession(
      { key: sessionKey, authenticatedAt: at },
      { event: 'signed_out', at, userId, address: undefined },
    );
  }
  return { secret: app.secret, recoveryCodes: result.recoveryCodes };
}

/** Sign a member in, in a browser that nobody uses. Returns the key of the session. */
export async function sessionOf(identity: Identity, userId: number): Promise<string> {
  const now = identity.clock();
  const key = timeOrderedKey(now);
  const session = {
    key,
    digest: digestOf(key),
    userId,
    authenticatedAt: now,
    lastSeenAt: now,
    expiresAt: now + DAY,
  };
  await identity.writes.addSession(session, { method: 'password', address: undefined });
  return key;
}
