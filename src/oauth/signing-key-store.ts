// The port for signing keys.

import type { JWK } from 'jose';
import type { Doer } from '../audit/doer.ts';
import type { Timestamp } from '../lib/clock.ts';
import type { SigningAlgorithm } from './signing-algorithm.ts';

export interface SigningKey {
  /** The RFC 7638 thumbprint of the public key. */
  kid: string;
  alg: SigningAlgorithm;
  state: 'next' | 'active' | 'retired';
  publicJwk: JWK;
  privateJwk: JWK;
  createdAt: Timestamp;
  activatedAt: Timestamp | undefined;
  retiredAt: Timestamp | undefined;
}

/** A rotation of the keys of one algorithm, decided on the keys that were read. */
export interface KeyRotation {
  /** The key that retires. */
  activeKid: string;
  /** The key that becomes active. */
  nextKid: string;
  /** The new next key. */
  following: SigningKey;
}

export interface SigningKeyReads {
  /** All keys that can be read, newest first. */
  signingKeys(): Promise<SigningKey[]>;
  activeSigningKey(alg: SigningAlgorithm): Promise<SigningKey | undefined>;
  /** Reports whether this database has ever had keys. */
  hadSigningKeys(): Promise<boolean>;
}

export interface SigningKeyWrites {
  /**
   * Adds the first keys. False, and none added, if the database has ever had keys. Of parallel calls exactly
   * one returns true.
   */
  addFirstSigningKeys(keys: readonly SigningKey[]): Promise<boolean>;
  /** False, and nothing changed, if the active key of the rotation is no longer active. */
  rotateSigningKey(by: Doer, rotation: KeyRotation): Promise<boolean>;
  /**
   * Deletes every key of the compromised key's algorithm, and adds the new ones. False, and nothing changed,
   * if the compromised key is no longer active.
   */
  replaceCompromisedSigningKeys(
    by: Doer,
    compromised: Pick<SigningKey, 'kid' | 'alg'>,
    keys: readonly SigningKey[],
  ): Promise<boolean>;
  /** Adds each key in place of one that has the same algorithm and state, whether or not it can be read. */
  replaceLostSigningKeys(by: Doer, keys: readonly SigningKey[]): Promise<void>;
  deleteSigningKeysRetiredBefore(moment: Timestamp): Promise<void>;
}
