// Codes of an authenticator app (TOTP, RFC 6238): six digits that change every 30 seconds.

import { createHmac } from 'node:crypto';
import type { MemberDoer } from '../audit/doer.ts';
import { SECOND, type Timestamp } from '../lib/clock.ts';
import { attemptedCode } from './code-limit.ts';
import { recordFactorFailure } from './failed-sign-in.ts';
import type { Identity } from './identity.ts';
import { newRecoveryCodes, recoveryCodeDigest } from './recovery-code.ts';

// A code of the step before or after is accepted: clocks differ, and typing takes time. RFC 6238 §5.2 advises no more.
const WINDOW = 1;
const PERIOD_SECONDS = 30;
const SECRET_BYTES = 20;

/** An app that waits for its first code. */
export interface NewApp {
  /** In base32. */
  secret: string;
  /** What the QR code says. */
  uri: string;
}

/** Make the secret of a new app, which replaces one that waits for its first code. False if the account has an app. */
export async function startApp(by: MemberDoer, { writes }: Identity): Promise<boolean> {
  const { Secret } = await import('otpauth');
  return writes.startApp(by, new Secret({ size: SECRET_BYTES }).base32);
}

/** Read the app that waits for its first code, as this session shows it. Undefined if there is none. */
export async function pendingApp(
  { reads }: Identity,
  userId: number,
  { sessionKey, ...names }: { site: string; username: string; sessionKey: string },
): Promise<NewApp | undefined> {
  const app = await reads.findApp(userId);
  if (app === undefined || app.confirmedAt !== undefined) return undefined;
  const { TOTP } = await import('otpauth');
  const secret = await secretFor(app.secret, sessionKey);
  return { secret, uri: new TOTP({ issuer: names.site, label: names.username, secret }).toString() };
}

/** Why an app is not added: the code is wrong, or the member started anew in another window. */
export type AppProblem =
  | { problem: 'wrong_code' | 'outdated' }
  | { problem: 'too_many'; retryAfterSeconds: number };

/** Make the app a factor with its first code. Returns new recovery codes, if it is the account's first factor. */
export async function confirmApp(
  by: MemberDoer,
  identity: Identity,
  { code, sessionKey }: { code: string; sessionKey: string },
): Promise<{ recoveryCodes: string[] } | AppProblem> {
  const app = await identity.reads.findApp(by.userId);
  if (app === undefined || app.confirmedAt !== undefined) return { problem: 'outdated' };
  const attempt = await attemptedCode(identity, ['new app', by.userId], by.userId, by.address);
  if ('tooFast' in attempt) return { problem: 'too_many', ...attempt.tooFast };
  const secret = await secretFor(app.secret, sessionKey);
  const step = await stepOfCode(secret, code, by.at);
  if (step === undefined) {
    await recordFactorFailure(identity, by.userId, by.address, 'app');
    return { problem: 'wrong_code' };
  }
  await attempt.takeBack();
  const recoveryCodes =
    (await identity.reads.factorsOf(by.userId)).recoveryCodes === 0 ? newRecoveryCodes() : [];
  const change = { sessionKey, recoveryCodes: digestsOf(recoveryCodes) };
  const isAdded = await identity.writes.confirmApp(by, { pending: app.secret, secret }, step, change);
  return isAdded ? { recoveryCodes } : { problem: 'outdated' };
}

/** Remove the app. False if there is none, or if the session has ended. */
export function removeApp(by: MemberDoer, { writes }: Identity, sessionKey: string): Promise<boolean> {
  return writes.removeApp(by, sessionKey);
}

/** Replace the recovery codes by new ones. Undefined if the account has no factor, or if the session has ended. */
export async function renewRecoveryCodes(
  by: MemberDoer,
  { writes }: Identity,
  sessionKey: string,
): Promise<string[] | undefined> {
  const codes = newRecoveryCodes();
  return (await writes.replaceRecoveryCodes(by, sessionKey, digestsOf(codes))) ? codes : undefined;
}

// A stranger who is signed in at this moment must not see the secret that the member scans, nor replace it by one that
// the stranger knows. So each session shows its own, and the stored one is shown to none.
async function secretFor(pending: string, sessionKey: string): Promise<string> {
  const { Secret } = await import('otpauth');
  const bytes = createHmac('sha256', pending).update(sessionKey).digest().subarray(0, SECRET_BYTES);
  return new Secret({ buffer: new Uint8Array(bytes).buffer }).base32;
}

/** Return the step of the app's clock that a code belongs to. Undefined for a code of no step that is accepted now. */
export async function stepOfCode(secret: string, code: string, now: Timestamp): Promise<number | undefined> {
  const { Secret, TOTP } = await import('otpauth');
  const delta = TOTP.validate({
    token: code.replaceAll(/\s/g, ''),
    secret: Secret.fromBase32(secret),
    period: PERIOD_SECONDS,
    timestamp: now,
    window: WINDOW,
  });
  return delta === null ? undefined : Math.floor(now / (PERIOD_SECONDS * SECOND)) + delta;
}

export function digestsOf(codes: readonly string[]): string[] {
  return codes.map(recoveryCodeDigest).filter((digest) => digest !== undefined);
}
