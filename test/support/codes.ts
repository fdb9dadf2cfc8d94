// An authenticator app: the codes that a member's phone shows.

import { TOTP } from 'otpauth';
import { byMember } from '../../src/audit/doer.ts';
import { confirmApp, pendingApp, startApp } from '../../src/identity/authenticator-app.ts';
import type { Identity } from '../../src/identity/identity.ts';
import { SECOND, type Timestamp } from '../../src/lib/clock.ts';

/** One step of the app's clock. */
export const STEP = 30 * SECOND;

/** The code that the app shows at a moment. */
export function codeAt(secret: string, timestamp: Timestamp): string {
  return new TOTP({ secret }).generate({ timestamp });
}

/** Set an app up. Its first code is used up. Returns its secret, and the recovery codes. */
export async function withApp(
  identity: Identity,
  user: { id: number; username: string },
  sessionKey = '',
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const by = byMember(user, identity.clock);
  await startApp(by, identity);
  const app = await pendingApp(identity, user.id, { site: 'Agora', username: user.username, sessionKey });
  if (app === undefined) throw new Error('The account has an app already.');
  const code = codeAt(app.secret, identity.clock());
  const result = await confirmApp(by, identity, { code, sessionKey });
  if ('problem' in result) throw new Error(result.problem);
  return { secret: app.secret, recoveryCodes: result.recoveryCodes };
}
