// Asks who sits at the browser before an important change, in case a stranger uses a member's open browser (ASVS 7.5).
// A proof is the password, and a second factor if the account has one. It counts for ten minutes in that browser.

import type { MemberDoer } from '../audit/doer.ts';
import { attempted, type TooFast } from '../lib/attempt.ts';
import { MINUTE, type Timestamp } from '../lib/clock.ts';
import { networkAround } from '../lib/network.ts';
import { digestOf } from '../lib/secrets.ts';
import { attemptedFromAddress } from './code-limit.ts';
import { recordFailure, recordLock } from './failed-sign-in.ts';
import type { Identity } from './identity.ts';
import { type PasskeyAnswer, type PasskeySite, usePasskey } from './passkey.ts';
import type { ChallengeUse } from './passkey-challenge.ts';
import { verifyPassword } from './password.ts';
import { BUSY, inPasswordTurn } from './password-turns.ts';
import { type CodeSource, useCode } from './second-factor.ts';

// Right ones count too: verifying a password takes 20 ms and 19 MiB.
const MOST_PASSWORDS = 10;
// From the larger network around an IPv6 address, which one person can have as well.
const MOST_PASSWORDS_FROM_NETWORK = 30;
const WINDOW = 15 * MINUTE;

export type ReauthenticationProblem =
  | { problem: 'wrong_password' }
  | ({ problem: 'too_many_attempts' } & TooFast);

const RECENT = 10 * MINUTE;

/** Report whether the member proved who they are so recently that they needn't do it again. */
export function isRecent(provenAt: Timestamp, now: Timestamp): boolean {
  return now - provenAt <= RECENT;
}

export type ProofProblem =
  | ReauthenticationProblem
  | { problem: 'wrong_code' }
  | ({ problem: 'too_many_codes' } & TooFast);

/** What a member types to prove who they are, and where. */
export interface Proof extends CodeSource {
  password: string;
  /** Of an authenticator app, or a recovery code. Not looked at if the account has no second factor. */
  code: string;
  sessionKey: string;
}

/** Check a proof. If it is right, it counts for the session from now on. */
export async function proveIdentity(
  by: MemberDoer,
  identity: Identity,
  user: { hasFactor: boolean },
  { password, code, sessionKey, ...from }: Proof,
): Promise<ProofProblem | undefined> {
  const refusal = await reauthenticate(by, identity, password);
  if (refusal !== undefined) return refusal;
  if (!user.hasFactor) {
    await identity.writes.proveSession(sessionKey, by.at);
    return undefined;
  }
  const passwordHash = await identity.reads.findPasswordHash(by.userId);
  if (passwordHash === undefined) return { problem: 'wrong_password' };
  const account = { userId: by.userId, passwordHash };
  const result = await useCode(identity, account, code, from, {
    sessionKey,
    at: by.at,
    address: by.address,
  });
  if (result.outcome === 'accepted') return undefined;
  if (result.outcome === 'wrong') return { problem: 'wrong_code' };
  return { problem: 'too_many_codes', retryAfterSeconds: result.retryAfterSeconds };
}

/** What a browser sends to prove with a passkey who the member is. */
export interface PasskeyProof {
  site: PasskeySite;
  use: ChallengeUse;
  answer: PasskeyAnswer;
  sessionKey: string;
}

/** Check a passkey in the place of password and code. If it is right, it counts for the session from now on. */
export async function proveWithPasskey(
  { userId, at, address }: MemberDoer,
  identity: Identity,
  { site, use, answer, sessionKey }: PasskeyProof,
): Promise<{ problem: 'refused' } | ({ problem: 'too_many_attempts' } & TooFast) | undefined> {
  // The limit bounds the work of checking signatures.
  const attempt = await attemptedFromAddress(identity, 'proof by passkey', userId, address ?? '');
  if ('tooFast' in attempt) return { problem: 'too_many_attempts', ...attempt.tooFast };
  const { outcome } = await usePasskey(identity, site, use, answer, {
    address: address ?? '',
    effectFor: ({ id }) => (id === userId ? { sessionKey, at, address } : undefined),
  });
  if (outcome !== 'accepted') return { problem: 'refused' };
  await attempt.takeBack();
  return undefined;
}

/** In the place of a password: the door has asked for a proof already. */
export const PROVEN = { isProven: true } as const;
export type PasswordOrProof = string | typeof PROVEN;

/** Check a member's password. Undefined if it is right. Beyond the limit even the right one is refused. */
export async function reauthenticate(
  by: MemberDoer,
  identity: Identity,
  password: PasswordOrProof,
): Promise<ReauthenticationProblem | undefined> {
  if (typeof password !== 'string') return undefined;
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
