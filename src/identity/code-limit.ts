// The limit on wrong codes of second factors. An attempt counts as failed until its code proves right, so that parallel
// guesses don't pass the limit together.

import { type AttemptLimit, attempted, type TooFast } from '../lib/attempt.ts';
import { DAY, MINUTE } from '../lib/clock.ts';
import { networkAround } from '../lib/network.ts';
import { digestOf } from '../lib/secrets.ts';
import { recordLock } from './failed-sign-in.ts';
import type { Identity } from './identity.ts';
import { browserOf, type KnownBrowser, type SealedAccount } from './known-browser.ts';

const MOST_FAILURES = 10;
// With all known browsers of a member together.
const MOST_FAILURES_OF_KNOWN = 20;
// From the larger network around an IPv6 address, which one person can have as well.
const MOST_FAILURES_FROM_NETWORK = 30;
const WINDOW = 15 * MINUTE;
// Of codes in browsers that the account doesn't know. Ten every 15 minutes would find one in 1.5 years on average.
const MOST_FAILURES_WITH_PASSWORD = 50;
const LONG_WINDOW = 30 * DAY;

type Subject = readonly (string | number)[];

/** An attempt that is counted. */
export type CountedAttempt = { tooFast: TooFast } | { takeBack(): Promise<void> };

/** Count an attempt with a code of the account, or tell how long to wait. */
export function attemptedCode(
  identity: Identity,
  subject: Subject,
  userId: number,
  address: string | undefined,
): Promise<CountedAttempt> {
  return counted(identity, [{ subject, most: MOST_FAILURES, window: WINDOW }], userId, address);
}

/**
 * The same for a recovery code, or for a passkey as a proof. These can't be guessed, so they are counted for each
 * address: a stranger elsewhere, who may have a stolen session, doesn't use up the member's attempts.
 */
export function attemptedFromAddress(
  identity: Identity,
  kind: 'recovery code' | 'proof by passkey',
  userId: number,
  address: string,
): Promise<CountedAttempt> {
  const limit = (range: string, most: number) => ({
    subject: [kind, userId, range],
    most,
    window: WINDOW,
  });
  const network = networkAround(address);
  const limits = [limit(address, MOST_FAILURES)];
  if (network !== undefined) limits.push(limit(network, MOST_FAILURES_FROM_NETWORK));
  return counted(identity, limits, userId, address);
}

/**
 * The same for a code at sign-in. Whoever knows the password can use up the account's guesses, so a browser that signed
 * the member in before has a budget of its own. In other browsers a password is good for 50 wrong codes in 30 days.
 */
export function attemptedSignInCode(
  identity: Identity,
  account: SealedAccount,
  browser: KnownBrowser,
  address: string,
): Promise<CountedAttempt> {
  const { userId, passwordHash } = account;
  const known = browserOf(browser, { ...account, hasFactor: true });
  const limits =
    known === undefined
      ? [
          { subject: ['code of', userId], most: MOST_FAILURES, window: WINDOW },
          // Counted last: an attempt that is refused already must not use it up.
          {
            subject: ['codes with', userId, passwordHash],
            most: MOST_FAILURES_WITH_PASSWORD,
            window: LONG_WINDOW,
          },
        ]
      : [
          { subject: ['code of', userId, known], most: MOST_FAILURES, window: WINDOW },
          { subject: ['code of known', userId], most: MOST_FAILURES_OF_KNOWN, window: WINDOW },
        ];
  return counted(identity, limits, userId, address);
}

async function counted(
  identity: Identity,
  limits: { subject: Subject; most: number; window: number }[],
  userId: number,
  address: string | undefined,
): Promise<CountedAttempt> {
  const now = identity.clock();
  const subjects = limits.map(
    ({ subject, most, window }): AttemptLimit => ({
      subject: digestOf(subject.join('\n')),
      most,
      now,
      closesAt: now + window,
    }),
  );
  for (const limit of subjects) {
    const tooFast = await attempted(identity, limit);
    if (tooFast === undefined) continue;
    await recordLock(identity, limit.subject, { userId, address, detail: 'second_factor' });
    return { tooFast };
  }
  return {
    async takeBack() {
      for (const { subject } of subjects) await identity.writes.takeAttemptBack(subject);
    },
  };
}
