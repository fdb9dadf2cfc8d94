// Asks for the password again before an important change, in case a stranger uses the member's open browser.

import type { MemberDoer } from '../audit/doer.ts';
import { attempted, type TooFast } from '../lib/attempt.ts';
import { MINUTE, type Timestamp } from '../lib/clock.ts';
import { networkAround } from '../lib/network.ts';
import { digestOf } from '../lib/secrets.ts';
import { recordFailure, recordLock } from './failed-sign-in.ts';
import type { Identity } from './identity.ts';
import { verifyPassword } from './password.ts';
import { BUSY, inPasswordTurn } from './password-turns.ts';

// Right ones count too: verifying a password takes 20 ms and 19 MiB.
const MOST_PASSWORDS = 10;
// From the larger network around an IPv6 address, which one person can have as well.
const MOST_PASSWORDS_FROM_NETWORK = 30;
const WINDOW = 15 * MINUTE;

export type ReauthenticationProblem =
  | { problem: 'wrong_password' }
  | ({ problem: 'too_many_attempts' } & TooFast);

// ASVS 7.5: someone who finds an open browser must not make lasting access.
const RECENT = 10 * MINUTE;

/** Report whether the member entered the password so recently that it needn't be asked for again. */
export function isRecent(authenticatedAt: Timestamp, now: Timestamp): boolean {
  return now - authenticatedAt <= RECENT;
}

/** As `reauthenticate`, unless the member entered the password recently. */
export async function reauthenticateUnlessRecent(
  by: MemberDoer,
  identity: Identity,
  authenticatedAt: Timestamp,
  password: string,
): Promise<ReauthenticationProblem | undefined> {
  return isRecent(authenticatedAt, by.at) ? undefined : reauthenticate(by, identity, password);
}

/** Check a member's password. Undefined if it is right. Beyond the limit even the right one is refused. */
export async function reauthenticate(
  by: MemberDoer,
  identity: Identity,
  password: string,
): Promise<ReauthenticationProblem | undefined> {
  const turn = await inPasswordTurn(by.address ?? `member ${by.userId}`, async () => ({
    refusal: await refusalOf(by, identity, password),
  }));
  return turn === undefined ? { problem: 'too_many_attempts', ...BUSY } : turn.refusal;
}

async function refusalOf(
  { userId, at, address }: MemberDoer,
  identity: Identity,
  password: string,
): Promise<ReauthenticationProblem | undefined> {
  // For each address, so that a thief with the session's cookie can't keep the member from a new password.
  const network = networkAround(address ?? '');
  const limits = [
    { range: address ?? '', most: MOST_PASSWORDS },
    ...(network === undefined ? [] : [{ range: network, most: MOST_PASSWORDS_FROM_NETWORK }]),
  ];
  for (const { range, most } of limits) {
    const subject = digestOf(`proof\n${userId}\n${range}`);
    const tooFast = await attempted(identity, { subject, most, now: at, closesAt: at + WINDOW });
    if (tooFast !== undefined) {
      await recordLock(identity, subject, { userId, address, detail: 'reauthentication' });
      return { problem: 'too_many_attempts', ...tooFast };
    }
  }
  if (!(await verifyPassword(password, await identity.reads.findPasswordHash(userId)))) {
    await recordFailure(identity, { id: userId }, address, 'reauthentication');
    return { problem: 'wrong_password' };
  }
  return undefined;
}
