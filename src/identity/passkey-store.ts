// The port for passkeys. Each method is one atomic, durable step.

import type { MemberDoer } from '../audit/doer.ts';
import type { Timestamp } from '../lib/clock.ts';
import type { FactorChange, FactorEffect } from './factor-store.ts';
import type { User } from './user.ts';

/** What a device registers. */
export interface NewPasskey {
  /** In base64url. No two passkeys have the same. */
  credentialId: string;
  /** A COSE key. */
  publicKey: Uint8Array;
  /** How often the device has signed. 0 for devices that don't count. */
  counter: number;
  /** How browsers reach the device, separated by spaces. */
  transports: string;
  name: string;
}

export interface Passkey extends NewPasskey {
  id: number;
  userId: number;
  createdAt: Timestamp;
  lastUsedAt: Timestamp | undefined;
}

/** One use of a passkey, whose signature was verified. */
export interface PasskeyUse {
  id: number;
  userId: number;
  /** What the device says. */
  counter: number;
  at: Timestamp;
}

export interface PasskeyReads {
  /** The member's passkeys, oldest first. */
  passkeysOf(userId: number): Promise<Passkey[]>;
  findPasskey(credentialId: string): Promise<{ passkey: Passkey; user: User } | undefined>;
}

export interface PasskeyWrites {
  /**
   * Adds a passkey. Other sessions end if it is the account's first factor. False if the device is registered already,
   * if the account has `most`, or if the session has ended.
   */
  addPasskey(by: MemberDoer, passkey: NewPasskey, most: number, change: FactorChange): Promise<boolean>;
  renamePasskey(by: MemberDoer, id: number, name: string): Promise<boolean>;
  /**
   * Removes a passkey, which ends all other sessions. Without a factor left the recovery codes go too. False if the
   * member has no such passkey, or if the session has ended.
   */
  removePasskey(by: MemberDoer, id: number, sessionKey: string): Promise<boolean>;
  /**
   * Notes the use, with its effect. False, and no effect, if the counter does not go up, unless the device never
   * counts, if the passkey is gone, or if the account is not active.
   */
  usePasskey(use: PasskeyUse, effect: FactorEffect): Promise<boolean>;
}
