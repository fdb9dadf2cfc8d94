// Signing in with a passkey, without a username, a password or a second step.

import { attempted, type TooFast } from '../lib/attempt.ts';
import { MINUTE } from '../lib/clock.ts';
import { digestOf } from '../lib/secrets.ts';
import { recordLock } from './failed-sign-in.ts';
import { isBlockedNetwork } from './guest-rules.ts';
import type { Identity } from './identity.ts';
import { startedBrowser } from './known-browser.ts';
import { type PasskeyAnswer, type PasskeySite, usePasskey } from './passkey.ts';
import type { ChallengeUse } from './passkey-challenge.ts';
import type { CodeSource } from './second-factor.ts';
import { newSession } from './session.ts';

// A signature can't be guessed. The limit bounds the work of checking them.
const MOST_FAILURES_FROM_ADDRESS = 100;
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
  const subject = digestOf(`passkey from\n${address}`);
  const limit = { subject, most: MOST_FAILURES_FROM_ADDRESS, now, closesAt: now + WINDOW };
  const tooFast = await attempted(identity, limit);
  if (tooFast !== undefined) {
    await recordLock(identity, subject, { address, detail: 'address' });
    return { outcome: 'too_many', ...tooFast };
  }
  let cookie = '';
  const result = await usePasskey(identity, site, use, answer, {
    address,
    async effectFor({ id }) {
      const made = newSession(now, id);
      cookie = made.cookie;
      const passwordHash = await identity.reads.findPasswordHash(id);
      const browser = startedBrowser(from, { userId: id, passwordHash: passwordHash ?? '' });
      return { session: made.session, start: { method: 'passkey', address, browser } };
    },
  });
  if (result.outcome === 'refused') return result;
  await identity.writes.takeAttemptBack(subject);
  const { id } = result.user;
  if (result.outcome === 'accepted') {
    identity.onMail?.();
    return { outcome: 'signed_in', userId: id, cookie };
  }
  return { outcome: 'suspended', reason: await identity.reads.suspensionReason(id) };
}
