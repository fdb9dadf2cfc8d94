// The keys that id_tokens are signed with, and their turn: next → active → retired (contract §6). A key is published
// before it signs and stays published while what it signed can live.

import {
  createPrivateKey,
  type JsonWebKeyInput,
  type KeyObject,
  type SignKeyObjectInput,
  sign,
} from 'node:crypto';
import { promisify } from 'node:util';
import type { JWK } from 'jose';
import type { Act } from '../identity/act.ts';
import { DAY, HOUR, MINUTE, type Timestamp } from '../lib/clock.ts';
import { digestOf } from '../lib/secrets.ts';
import type { AuthorizationServer } from './authorization-server.ts';

/** How an id_token is signed: RS256 unless the application asks for ES256. */
export const SIGNING_ALGORITHMS = ['RS256', 'ES256'] as const;
export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number];

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

/** How long a key signs before the next takes over. */
export const SIGNING_KEY_LIFETIME = 90 * DAY;
/** How long clients may keep the published keys; a key waits at least this long before it signs. */
export const JWKS_CACHE_TIME = 5 * MINUTE;
/** How long a retired key stays published: the life of an id_token, and what clients' clocks and caches add to it. */
export const RETIRED_KEY_PUBLISHED = 1 * HOUR + 1 * DAY;

/** There were keys once and now they are gone. Making new ones would break every id_token and hide the loss. */
export class SigningKeysMissing extends Error {
  constructor() {
    super(
      'The signing keys are missing from a database that had them. Restore a backup that has them; new ones are not made silently.',
    );
    this.name = 'SigningKeysMissing';
  }
}

/** Makes the first keys. Of processes that start at once one makes them; the others use those. */
export async function prepareSigningKeys(server: AuthorizationServer): Promise<void> {
  const { reads, writes, clock } = server;
  // Asked first: keys that another process adds a moment later are then found, and not taken for missing.
  const hadKeys = await reads.hadSigningKeys();
  const known = await reads.signingKeys();
  if (hasActiveKeys(known)) return;
  if (hadKeys || known.length > 0) throw new SigningKeysMissing();
  const now = clock();
  const made = await Promise.all(
    SIGNING_ALGORITHMS.flatMap((alg) => [newKey(alg, 'active', now), newKey(alg, 'next', now)]),
  );
  await writes.addFirstSigningKeys(made);
  if (!hasActiveKeys(await reads.signingKeys())) throw new SigningKeysMissing();
}

/**
 * A secret for a purpose, the same for all who have these keys: what needs to be neither kept nor told around. Another
 * one when the keys have been rotated.
 */
export async function sharedSecret(server: AuthorizationServer, purpose: string): Promise<string> {
  const { privateJwk } = await activeKey(server, 'RS256');
  return digestOf(`${purpose} ${privateJwk.d}`);
}

/** Rotates when an active key has served its time, and forgets keys that nothing can need. Call it now and then. */
export async function tendSigningKeys(server: AuthorizationServer): Promise<void> {
  const now = server.clock();
  await server.writes.deleteSigningKeysRetiredBefore(now - RETIRED_KEY_PUBLISHED);
  const keys = await server.reads.signingKeys();
  for (const alg of SIGNING_ALGORITHMS) {
    const active = keys.find((key) => key.alg === alg && key.state === 'active');
    if (active !== undefined && now - (active.activatedAt ?? active.createdAt) >= SIGNING_KEY_LIFETIME) {
      await rotateSigningKey(server, alg);
    }
  }
}

/**
 * Lets the next key sign from the next request on, retires the active one and makes a new next one, in one step. Of
 * calls at once one rotates. Answers 'too_soon', and changes nothing, while clients may not have seen the next key.
 */
export async function rotateSigningKey(
  server: AuthorizationServer,
  alg: SigningAlgorithm,
  act?: Act,
): Promise<'rotated' | 'too_soon' | 'rotated_by_another'> {
  const now = server.clock();
  const keys = await server.reads.signingKeys();
  const active = keys.find((key) => key.alg === alg && key.state === 'active');
  const next = keys.find((key) => key.alg === alg && key.state === 'next');
  if (active === undefined || next === undefined) throw new SigningKeysMissing();
  if (now < rotationPossibleAt(next)) return 'too_soon';
  const following = await newKey(alg, 'next', now);
  const rotated = await server.writes.rotateSigningKey(active.kid, next.kid, following, now, act);
  return rotated ? 'rotated' : 'rotated_by_another';
}

/** From when on a next key may sign: by then clients have seen it. */
export function rotationPossibleAt(next: SigningKey): Timestamp {
  return next.createdAt + JWKS_CACHE_TIME;
}

/** The keys that clients verify with (RFC 7517): public parts of all that signed, sign or will sign. */
export async function publishedKeys(server: AuthorizationServer): Promise<{ keys: JWK[] }> {
  const keys = await server.reads.signingKeys();
  return { keys: keys.map(({ publicJwk, alg, kid }) => ({ ...publicJwk, use: 'sig', alg, kid })) };
}

/** The key that signs now. Asked for at each signing, so that a rotation by any process is obeyed at once. */
export async function activeKey(server: AuthorizationServer, alg: SigningAlgorithm): Promise<SigningKey> {
  const active = await server.reads.activeSigningKey(alg);
  if (active === undefined) throw new SigningKeysMissing();
  return active;
}

/**
 * Signs a text (RFC 7518 §3.3, §3.4); in base64url. An RS256 signature takes as long as several requests and is made
 * off the main thread; an ES256 one takes less than the way to another thread and back.
 */
export async function signature({ kid, alg, privateJwk }: SigningKey, text: string): Promise<string> {
  const key = { key: imported(kid, privateJwk), dsaEncoding: 'ieee-p1363' } as const;
  const data = Buffer.from(text);
  const bytes = alg === 'ES256' ? sign('sha256', data, key) : await signOffThread('sha256', data, key);
  return bytes.toString('base64url');
}

const signOffThread = promisify<string, Buffer, SignKeyObjectInput, Buffer>(sign);

// Importing costs as much as signing; a kid names its key for ever.
const importedKeys = new Map<string, KeyObject>();

function imported(kid: string, jwk: JWK): KeyObject {
  let key = importedKeys.get(kid);
  if (key === undefined) {
    key = createPrivateKey({ key: jwk, format: 'jwk' } as JsonWebKeyInput);
    importedKeys.set(kid, key);
  }
  return key;
}

function hasActiveKeys(keys: readonly SigningKey[]): boolean {
  return SIGNING_ALGORITHMS.every((alg) => keys.some((key) => key.alg === alg && key.state === 'active'));
}

async function newKey(alg: SigningAlgorithm, state: 'active' | 'next', now: Timestamp): Promise<SigningKey> {
  // Loaded when a key is made, which is seldom: not at each start.
  const { calculateJwkThumbprint, exportJWK, generateKeyPair } = await import('jose');
  const pair = await generateKeyPair(alg, { extractable: true, modulusLength: 2048 });
  const publicJwk = await exportJWK(pair.publicKey);
  return {
    kid: await calculateJwkThumbprint(publicJwk),
    alg,
    state,
    publicJwk,
    privateJwk: await exportJWK(pair.privateKey),
    createdAt: now,
    activatedAt: state === 'active' ? now : undefined,
    retiredAt: undefined,
  };
}
