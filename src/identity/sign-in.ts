// Signing in with a password, and the limit on guesses (contract §2).

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
import { applyDueReset } from './factor-reset.ts';
import { recordFailure, recordLock } from './failed-sign-in.ts';
import { accountKey, findAccount } from './find-account.ts';
import { isBlockedNetwork } from './guest-rules.ts';
import type { Identity } from './identity.ts';
import {
  browserOf,
  type KnownAccount,
  type KnownBrowser,
  type SealedAccount,
  startedBrowser,
} from './known-browser.ts';
import { hashPassword, isOutdatedHash, verifyPassword } from './password.ts';
import { BUSY, inPasswordTurn } from './password-turns.ts';
import { startSessionByPassword } from './session.ts';

const MOST_FAILURES = 10;
// From one network address, for all accounts together. It slows down guessing with many usernames.
const MOST_FAILURES_FROM_ADDRESS = 100;
// Ten times as many from the larger network around an IPv6 address, which one person can have as well.
const MORE_FROM_NETWORK = 10;
// With all known browsers of a member together. It also limits how many passwords are checked at once.
const MOST_FAILURES_OF_KNOWN = 20;
const FAILURE_WINDOW = 15 * MINUTE;
/**
 * With one right password, and by passkey. Otherwise somebody who has one could push their first sign-in out of the
 * security log, which keeps so many events that this takes longer than a day.
 */
export const MOST_SIGN_INS_A_DAY = 2_000;
// With all passwords of a member: whoever has one can change it. More, so that a new one is of use on that day.
const MOST_WITH_ANY_PASSWORD = 3_000;

export interface Credentials {
  /** A username, or the confirmed email address of an account. */
  username: string;
  password: string;
  /** The network address. The limit is per account and address, so a stranger can't lock a member out. */
  address: string;
  /** The browser, which has a limit of its own if it signed this member in before. */
  browser?: KnownBrowser;
  /** Its short name. */
  program?: string;
}

export type SignIn =
  | { outcome: 'signed_in'; userId: number; cookie: string }
  /** The password is right, and the account has a second factor. There is no session yet. */
  | { outcome: 'second_factor'; account: SealedAccount }
  | { outcome: 'wrong' }
  /** With the reason that was given for the suspension, if there was one. */
  | { outcome: 'suspended'; reason: string | undefined }
  | { outcome: 'blocked_network' }
  | ({ outcome: 'too_many' } & TooFast);

/**
 * Start a session if username and password are right and the account has no second factor. An unknown username
 * takes as long as a wrong password and gets the same answer. Beyond the limit even the right password is refused.
 */
export async function signIn(identity: Identity, credentials: Credentials): Promise<SignIn> {
  const { address } = credentials;
  if (isBlockedNetwork(await identity.guestRules(), address)) return { outcome: 'blocked_network' };
  const signedIn = await inPasswordTurn(address, () => signInNow(identity, credentials));
  return signedIn ?? { outcome: 'too_many', ...BUSY };
}

async function signInNow(identity: Identity, credentials: Credentials): Promise<SignIn> {
  const { username, password, address } = credentials;
  const user = await findAccount(identity, username);
  const hash = user && (await identity.reads.findPasswordHash(user.id));
  const account =
    user && hash !== undefined
      ? { userId: user.id, passwordHash: hash, hasFactor: user.hasFactor }
      : undefined;
  const limits = limitsOf(credentials, account, identity.clock());
  const lock = await countFailure(identity, limits);
  if (lock !== undefined) {
    const { reached: detail, subject, isHidden, tooFast } = lock;
    const about = user === undefined || detail === 'address' ? {} : { userId: user.id };
    await recordLock(identity, subject, { ...about, address, detail });
    if (!isHidden) return { outcome: 'too_many', ...tooFast };
    await verifyPassword(password, undefined);
    await recordFailure(identity, user, address, 'wrong_password');
    return { outcome: 'wrong' };
  }
  const isRight = await verifyPassword(password, hash);
  if (!isRight || user === undefined || hash === undefined) {
    const detail = user === undefined ? 'unknown_account' : 'wrong_password';
    await recordFailure(identity, user, address, detail);
    return { outcome: 'wrong' };
  }
  await takeAttemptBack(identity, limits);
  const hasSecondStep =
    user.status !== 'suspended' && user.hasFactor && !(await applyDueReset(identity, user.id));
  // Whoever has only the password must not use up the sign-ins of the member.
  const byPassword = { userId: user.id, passwordHash: hash, hasFactor: false };
  const tooFast = hasSecondStep ? undefined : await countSignIn(identity, byPassword, credentials);
  if (tooFast !== undefined) return { outcome: 'too_many', ...tooFast };
  // Only a person who knows the password learns the status. A closed account has no password.
  if (user.status === 'suspended') {
    await recordFailure(identity, user, address, 'account_suspended');
    return { outcome: 'suspended', reason: await identity.reads.suspensionReason(user.id) };
  }
  const currentHash = await renewedHash(identity, user.id, credentials.password, hash);
  if (hasSecondStep) {
    return { outcome: 'second_factor', account: { userId: user.id, passwordHash: currentHash } };
  }
  const cookie = await startSessionByPassword(identity, user.id, currentHash, {
    method: 'password',
    address,
    browser: startedBrowser(credentials, byPassword),
  });
  if (cookie !== undefined) identity.onMail?.();
  if (cookie !== undefined) return { outcome: 'signed_in', userId: user.id, cookie };
  await recordFailure(identity, user, address, 'wrong_password');
  return { outcome: 'wrong' };
}

async function countSignIn(
  identity: Identity,
  account: KnownAccount,
  credentials: Credentials,
): Promise<TooFast | undefined> {
  const now = identity.clock();
  const subject = `${signInSubject(account, credentials)} with any password`;
  const ofPassword = signInsOfDay(account, credentials, now);
  const ofAny = dailyLimit(now, MOST_WITH_ANY_PASSWORD, subject, account.userId);
  return (await attempted(identity, ofPassword)) ?? attempted(identity, ofAny);
}

/** The limit on sign-ins of a day. Browsers that signed the member in before have one of their own. */
export function signInsOfDay(
  account: KnownAccount,
  from: Pick<Credentials, 'browser'>,
  now: Timestamp,
): AttemptLimit {
  const { userId, passwordHash } = account;
  return dailyLimit(now, MOST_SIGN_INS_A_DAY, signInSubject(account, from), userId, passwordHash);
}

function signInSubject(account: KnownAccount, { browser }: Pick<Credentials, 'browser'>): string {
  const isKnown = browser !== undefined && browserOf(browser, account) !== undefined;
  return isKnown ? 'signed in where known' : 'signed in';
}

// An imported hash may take far more work than ours, whose time would tell that the account exists.
async function renewedHash(
  { writes }: Identity,
  userId: number,
  password: string,
  hash: string,
): Promise<string> {
  if (!isOutdatedHash(hash)) return hash;
  const renewed = await hashPassword(password);
  return (await writes.renewPasswordHash(userId, hash, renewed)) ? renewed : hash;
}

interface Limit extends AttemptLimit {
  of: 'account' | 'address';
  /** A refusal looks like a wrong password. */
  isHidden: boolean;
}

// In the order in which an attempt is counted. Subjects are digests, so that the database has no network address
// and no mistyped username.
function limitsOf(
  { username, address, browser }: Credentials,
  account: KnownAccount | undefined,
  now: Timestamp,
): Limit[] {
  const limit = (of: Limit['of'], most: number, ...subject: (string | number)[]): Limit => ({
    of,
    isHidden: false,
    subject: digestOf(subject.join('\n')),
    most,
    now,
    closesAt: now + FAILURE_WINDOW,
  });
  const known = browser && account && browserOf(browser, account);
  // Others' guesses must not shut out a browser that signed the member in before, so only known ones count here.
  if (account !== undefined && known !== undefined) {
    const { userId } = account;
    return [
      limit('account', MOST_FAILURES, 'sign-in with', userId, known),
      limit('account', MOST_FAILURES_OF_KNOWN, 'sign-in with known', userId),
    ];
  }
  const typed = accountKey(username);
  const failures = account === undefined ? ['sign-in to nobody', typed] : ['sign-in to', account.userId];
  const network = networkAround(address);
  const ranges = [
    { range: address, times: 1 },
    ...(network === undefined ? [] : [{ range: network, times: MORE_FROM_NETWORK }]),
  ];
  return [
    ...ranges.map(({ range, times }) => limit('account', MOST_FAILURES * times, 'sign-in', typed, range)),
    ...ranges.map(({ range, times }) =>
      limit('address', MOST_FAILURES_FROM_ADDRESS * times, 'sign-in from', range),
    ),
    // One count for the account, by whichever name. It is hidden and comes last: if failures by a username made the
    // page refuse an email address, it would tell whose address it is. Unknown accounts are counted too, which
    // takes as long.
    ...ranges.map(({ range, times }) => ({
      ...limit('account', MOST_FAILURES * times, ...failures, range),
      isHidden: true,
    })),
  ];
}

/** A limit that refuses the attempt. */
interface Lock {
  reached: Limit['of'];
  isHidden: boolean;
  subject: string;
  tooFast: TooFast;
}

// An attempt counts as failed until its password proves right. Otherwise parallel guesses would all pass the limit.
async function countFailure(identity: Identity, limits: Limit[]): Promise<Lock | undefined> {
  // Looked at first, so that an attempt beyond a limit writes nothing.
  for (const step of [exhausted, counted]) {
    // The widest limit is looked at first, and counted last. A hidden one is only counted, after the others.
    const visible = limits.filter(({ isHidden }) => !isHidden);
    for (const limit of step === exhausted ? visible.toReversed() : limits) {
      const tooFast = await step(identity, limit);
      if (tooFast !== undefined) {
        const { of: reached, subject, isHidden } = limit;
        return { reached, subject, isHidden, tooFast };
      }
    }
  }
  return undefined;
}

// Other attempts stay counted, so that no more passwords are checked at once than the limit allows.
async function takeAttemptBack({ writes }: Identity, limits: readonly Limit[]): Promise<void> {
  await Promise.all(limits.map(({ subject }) => writes.takeAttemptBack(subject)));
}
