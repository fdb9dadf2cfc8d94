// The second step of a sign-in: after the password, a code of an authenticator app, or a recovery code. Between the two
// steps the browser has a sealed note that its visitor knows the password. It is no session, opens no page, and is void
// with a new password.

import { createHmac } from 'node:crypto';
import type { SessionStart } from '../audit/security-event.ts';
import { counted, exhausted, type TooFast } from '../lib/attempt.ts';
import { MINUTE, type Timestamp } from '../lib/clock.ts';
import { sameDigest } from '../lib/secrets.ts';
import { stepOfCode } from './authenticator-app.ts';
import { attemptedFromAddress, attemptedSignInCode, type CountedAttempt } from './code-limit.ts';
import { applyDueReset } from './factor-reset.ts';
import type { CodeUse, FactorEffect } from './factor-store.ts';
import { recordFactorFailure } from './failed-sign-in.ts';
import type { Identity } from './identity.ts';
import { type KnownBrowser, type SealedAccount, startedBrowser } from './known-browser.ts';
import { recoveryCodeDigest } from './recovery-code.ts';
import { newSession } from './session.ts';
import { signInsOfDay } from './sign-in.ts';

/** How long the visitor has for the second step. */
export const SIGN_IN_STEP_LIFETIME = 10 * MINUTE;

/** Make the note of a browser whose visitor has just entered the account's password. */
export function sealSignIn(secret: string, account: SealedAccount, now: Timestamp): string {
  const expiresAt = now + SIGN_IN_STEP_LIFETIME;
  return `${account.userId}.${expiresAt}.${sealOf(secret, account, expiresAt)}`;
}

/** Read a note. Undefined if it is not valid, or if the account has another password by now. */
export async function openSignIn(
  { reads, clock }: Identity,
  secret: string,
  note: string | undefined,
): Promise<SealedAccount | undefined> {
  const [, id, expiry, seal = ''] = /^(\d{1,15})\.(\d{1,15})\.([\w-]{43})$/.exec(note ?? '') ?? [];
  if (id === undefined || Number(expiry) <= clock()) return undefined;
  const userId = Number(id);
  const passwordHash = await reads.findPasswordHash(userId);
  if (passwordHash === undefined) return undefined;
  const account = { userId, passwordHash };
  return sameDigest(seal, sealOf(secret, account, Number(expiry))) ? account : undefined;
}

function sealOf(secret: string, { userId, passwordHash }: SealedAccount, expiresAt: Timestamp): string {
  return createHmac('sha256', secret).update(`${userId} ${expiresAt} ${passwordHash}`).digest('base64url');
}

export type CodeOutcome =
  | { outcome: 'accepted' }
  | { outcome: 'wrong' }
  | ({ outcome: 'too_many' } & TooFast);

/** Where a code comes from. */
export interface CodeSource {
  address: string;
  browser: KnownBrowser;
  /** The short name of the browser. */
  program?: string;
}

/** Finish the sign-in of a visitor who knows the password. Returns the cookie of the new session. */
export async function signInWithCode(
  identity: Identity,
  account: SealedAccount,
  code: string,
  from: CodeSource,
): Promise<{ outcome: 'signed_in'; cookie: string } | Exclude<CodeOutcome, { outcome: 'accepted' }>> {
  const ofDay = signInsOfDay({ ...account, hasFactor: true }, from, identity.clock());
  const tooFast = await exhausted(identity, ofDay);
  if (tooFast !== undefined) return { outcome: 'too_many', ...tooFast };
  const { cookie, session } = newSession(identity.clock(), account.userId);
  const method: SessionStart['method'] = isAppCode(code) ? 'app' : 'recovery_code';
  const start = {
    method,
    address: from.address,
    browser: startedBrowser(from, { ...account, hasFactor: true }),
  };
  const result = await useCode(identity, account, code, from, { session, start });
  if (result.outcome !== 'accepted') return result;
  await counted(identity, ofDay);
  identity.onMail?.();
  return { outcome: 'signed_in', cookie };
}

/** Use up a code of the account, if it is right. Each works once, also if it is sent twice at the same time. */
export async function useCode(
  identity: Identity,
  account: SealedAccount,
  code: string,
  from: CodeSource,
  effect: FactorEffect,
): Promise<CodeOutcome> {
  await applyDueReset(identity, account.userId);
  const attempt = await countAttempt(identity, account, code, from);
  if ('tooFast' in attempt) return { outcome: 'too_many', ...attempt.tooFast };
  const use = await codeUse(identity, account, code);
  if (use === undefined || !(await identity.writes.useCode(use, effect))) {
    const detail = isAppCode(code) ? 'app' : 'recovery_code';
    await recordFactorFailure(identity, account.userId, from.address, detail);
    return { outcome: 'wrong' };
  }
  await attempt.takeBack();
  return { outcome: 'accepted' };
}

function countAttempt(
  identity: Identity,
  account: SealedAccount,
  code: string,
  { address, browser }: CodeSource,
): Promise<CountedAttempt> {
  const { userId } = account;
  return isAppCode(code)
    ? attemptedSignInCode(identity, account, browser, address)
    : attemptedFromAddress(identity, 'recovery code', userId, address);
}

async function codeUse(
  { reads, clock }: Identity,
  account: SealedAccount,
  code: string,
): Promise<CodeUse | undefined> {
  if (!isAppCode(code)) {
    const digest = recoveryCodeDigest(code);
    return digest === undefined ? undefined : { ...account, factor: 'recovery_code', digest };
  }
  const app = await reads.findApp(account.userId);
  if (app?.confirmedAt === undefined) return undefined;
  const step = await stepOfCode(app.secret, code, clock());
  return step === undefined ? undefined : { ...account, factor: 'app', step };
}

function isAppCode(code: string): boolean {
  return /^\d{6}$/.test(code.replaceAll(/\s/g, ''));
}
