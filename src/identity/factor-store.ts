// The port for second factors: an authenticator app, recovery codes and passkeys. Each method is one atomic, durable
// step.

import type { Doer, MemberDoer, SystemDoer } from '../audit/doer.ts';
import type { SessionStart } from '../audit/security-event.ts';
import type { Timestamp } from '../lib/clock.ts';
import type { NewSession } from './session-record.ts';

/** An app that shows codes. Not a factor until its first code was checked. */
export interface AuthenticatorApp {
  /** In base32, as members type it. Before the first code it is what the secrets of the sessions are made from. */
  secret: string;
  confirmedAt: Timestamp | undefined;
}

/** What an account has besides its password. */
export interface Factors {
  /** When the app was confirmed. Undefined: the account has none. */
  appSince: Timestamp | undefined;
  passkeys: number;
  recoveryCodes: number;
}

/** A code that is used up: a step of the app's clock, or a recovery code. */
export type CodeUse = { userId: number; passwordHash: string } & (
  | { factor: 'app'; step: number }
  | { factor: 'recovery_code'; digest: string }
);

/** What a used factor leads to: a session, or the proof that a session's browser has the member. */
export type FactorEffect =
  | { session: NewSession; start: SessionStart }
  | { sessionKey: string; at: Timestamp; address: string | undefined };

/** What a change of factors does besides. */
export interface FactorChange {
  /** The session in which the change is made. Others may end. */
  sessionKey: string;
  /** The digests of new recovery codes, which replace all others. Empty: the codes stay. */
  recoveryCodes: readonly string[];
}

export interface FactorReads {
  factorsOf(userId: number): Promise<Factors>;
  findApp(userId: number): Promise<AuthenticatorApp | undefined>;
  /** From when on the account can't go on without a factor. Undefined: it was not asked for one yet. */
  factorDueAt(userId: number): Promise<Timestamp | undefined>;
}

export interface FactorWrites {
  /** Stores the secret of an app that isn't confirmed yet, in place of an earlier one. False with a confirmed app. */
  startApp(by: MemberDoer, secret: string): Promise<boolean>;
  /**
   * Makes the app a factor, with its secret and the step of its first code. Other sessions end if it is the account's
   * first factor. False if the account has another pending secret by now, or a confirmed app, or if the session has
   * ended.
   */
  confirmApp(
    by: MemberDoer,
    app: { pending: string; secret: string },
    step: number,
    change: FactorChange,
  ): Promise<boolean>;
  /**
   * Removes the app, which ends all other sessions. Without a factor left the recovery codes go too. False if there is
   * none, or if the session has ended.
   */
  removeApp(by: MemberDoer, sessionKey: string): Promise<boolean>;
  /** Replaces all recovery codes. False if the account has no factor, or if the session has ended. */
  replaceRecoveryCodes(by: MemberDoer, sessionKey: string, digests: readonly string[]): Promise<boolean>;
  /**
   * Uses up a code, with its effect. False, and no effect, if it was used before, if the account is not active,
   * or if it has another password by now. Of parallel calls with one code exactly one returns true.
   */
  useCode(use: CodeUse, effect: FactorEffect): Promise<boolean>;
  /** Sets that time. Does nothing if the account has one. */
  setFactorDue(by: MemberDoer, due: Timestamp): Promise<void>;
  /** Notes that the member has proved who they are in the browser of this session. */
  proveSession(sessionKey: string, at: Timestamp): Promise<void>;
}

/** An operator's removal of all factors that waits. */
export interface FactorReset {
  dueAt: Timestamp;
}

export interface FactorResetReads {
  findFactorReset(userId: number): Promise<FactorReset | undefined>;
}

export interface FactorResetWrites {
  /**
   * Asks for the removal, and mails the member. False if one waits already, if the account has no factor or is closed,
   * if an operator changed its address after `addressUnchangedSince`, or if it is an operator's unless `mayBeOperator`.
   */
  addFactorReset(
    by: Doer,
    userId: number,
    options: { dueAt: Timestamp; mayBeOperator: boolean; addressUnchangedSince: Timestamp },
  ): Promise<boolean>;
  cancelFactorReset(by: MemberDoer): Promise<boolean>;
  /** Removes all factors and recovery codes, and ends every session. False if no removal is due. */
  applyFactorReset(by: SystemDoer, userId: number): Promise<boolean>;
}
