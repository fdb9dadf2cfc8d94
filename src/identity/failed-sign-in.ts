// The security events of refused sign-ins, and of wrong passwords and codes.

import type { FactorFailure, NewSecurityEventOf, SignInFailure } from '../audit/security-event.ts';
import { hourlyLimit } from '../lib/attempt.ts';
import { digestOf } from '../lib/secrets.ts';
import type { Identity } from './identity.ts';
import type { User } from './user.ts';

/** Record an attempt that was checked and failed. The limit on attempts bounds how many there are. */
export function recordFailure(
  { writes, clock }: Identity,
  user: Pick<User, 'id'> | undefined,
  address: string | undefined,
  detail: SignInFailure,
): Promise<void> {
  const about = user === undefined ? {} : { userId: user.id };
  return writes.recordEvent({ event: 'sign_in_failed', at: clock(), ...about, address, detail });
}

// Codes and passkeys are refused from any number of addresses.
const MOST_FACTOR_FAILURES_AN_HOUR = 60;

/** Record a code or a passkey that was refused, up to 60 an hour for a member. */
export async function recordFactorFailure(
  { writes, clock }: Identity,
  userId: number,
  address: string | undefined,
  detail: FactorFailure,
): Promise<void> {
  const at = clock();
  const limit = hourlyLimit(at, MOST_FACTOR_FAILURES_AN_HOUR, 'refused factors', userId);
  await writes.recordEventWithin(limit, { event: 'factor_failed', at, userId, address, detail });
}

/** Record that attempts are refused: once for each window of the subject whose limit was reached. */
export async function recordLock(
  { reads, writes, clock, onMail }: Identity,
  subject: string,
  lock: Omit<NewSecurityEventOf<'sign_in_locked'>, 'event' | 'at'>,
): Promise<void> {
  const at = clock();
  const noted = digestOf(`locked\n${subject}`);
  // Read first, because refusals beyond the limit can be many and must not write.
  if (((await reads.findAttempts(noted))?.closesAt ?? 0) > at) return;
  const closesAt = (await reads.findAttempts(subject))?.closesAt;
  if (closesAt === undefined) return;
  await writes.recordEventWithin(
    { subject: noted, most: 1, now: at, closesAt },
    { event: 'sign_in_locked', at, ...lock },
  );
  onMail?.();
}
