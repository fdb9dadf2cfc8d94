// Signing in with a passkey, without a username, a password or a second step.

import {
  type AttemptLimit,
  attempted,
  counted,
  dailyLimit,
  exhausted,
  type TooFast,
} from '../lib/attempt.ts';
import { MINUTE, type Timestamp } from '../lib/clock.ts';
import { networkAround } from '../lib/network.ts';
import { digestOf } from '../lib/secrets.ts';
import { recordLock } from './failed-sign-in.ts';
import { isBlockedNetwork } from './guest-rules.ts';
import type { Identity } from './identity.ts';
import { startedBrowser } from './known-browser.ts';
import { type PasskeyAnswer, type PasskeySite, usePasskey } from './passkey.ts';
import type { ChallengeUse } from './passkey-challenge.ts';
import type { CodeSource } from './second-factor.ts';
import { newSession } from './session.ts';
import { MOST_SIGN_INS_A_DAY } from './sign-in.ts';

// A signature can't be guessed. The limit bounds the work of checking them.
const MOST_FAILURES_FROM_ADDRESS = 100;
// From the larger network around an IPv6 address, which one person can have as well.
const MOST_FAILURES_FROM_NETWORK = 1000;
const WINDOW = 15 * MINUTE;

export type PasskeySignIn =
  | { outcome: 'signed_in'; userId: number; cookie: string }
  | { outcome: 'refused' | 'blocked_network' }
  | { outcome: 'suspended'; reason: string | undefined }
  | ({ outcome: 'too_many' } & TooFast);

/** Start a session for the member whose passkey signed the challenge. */
export async function signInWithPasskey(
  identity: Identity,
  site: PasskeySite,
  use: ChallengeUse,
  answer: PasskeyAnswer,
  from: CodeSource,
): Promise<PasskeySignIn> {
  const { address } = from;
  if (isBlockedNetwork(await identity.guestRules(), address)) return { outcome: 'blocked_network' };
  const now = identity.clock();
  const limits = limitsOf(address, now);
  for (const limit of limits) {
    const tooFast = await attempted(identity, limit);
    if (tooFast === undefined) continue;
    await recordLock(identity, limit.subject, { address, detail: 'address' });
    return { outcome: 'too_many', ...tooFast };
  }
  let cookie = '';
  let ofDay: AttemptLimit | undefined;
  let tooFast: TooFast | undefined;
  const result = await usePasskey(identity, site, use, answer, {
    address,
    async effectFor({ id }) {
      ofDay = dailyLimit(now, MOST_SIGN_INS_A_DAY, 'signed in by passkey', id);
      tooFast = await exhausted(identity, ofDay);
      if (tooFast !== undefined) return undefined;
      const made = newSession(now, id);
      cookie = made.cookie;
      const passwordHash = await identity.reads.findPasswordHash(id);
      const account = { userId: id, passwordHash: passwordHash ?? '', hasFactor: true };
      const browser = startedBrowser(from, account);
      return { session: made.session, start: { method: 'passkey', address, browser } };
    },
  });
  if (tooFast !== undefined) return { outcome: 'too_many', ...tooFast };
  if (result.outcome === 'refused') return result;
  if (ofDay !== undefined) await counted(identity, ofDay);
  for (const { subject } of limits) await identity.writes.takeAttemptBack(subject);
  const { id } = result.user;
  if (result.outcome === 'accepted') {
    identity.onMail?.();
    return { outcome: 'signed_in', userId: id, cookie };
  }
  return { outcome: 'suspended', reason: await identity.reads.suspensionReason(id) };
}

function limitsOf(address: string, now: Timestamp): AttemptLimit[] {
  const limit = (range: string, most: number): AttemptLimit => ({
    subject: digestOf(`passkey from\n${range}`),
    most,
    now,
    closesAt: now + WINDOW,
  });
  const network = networkAround(address);
  const ofAddress = limit(address, MOST_FAILURES_FROM_ADDRESS);
  return network === undefined ? [ofAddress] : [ofAddress, limit(network, MOST_FAILURES_FROM_NETWORK)];
}
