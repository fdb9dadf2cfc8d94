// The signing keys of id_tokens and their states: next → active → retired (contract §6). A key is published
// before it signs, and it stays published as long as the id_tokens that it signed are valid.

import { byServer, type Doer } from '../audit/doer.ts';
import { DAY, type Timestamp } from '../lib/clock.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { JWKS_CACHE_TIME, RETIRED_KEY_LIFETIME } from './jwks.ts';
import { canSign } from './signature.ts';
import { SIGNING_ALGORITHMS, type SigningAlgorithm } from './signing-algorithm.ts';
import type { SigningKey } from './signing-key-store.ts';

/** How long a key signs before the next takes over. */
export const SIGNING_KEY_LIFETIME = 90 * DAY;

/** The database had keys and has lost them. New ones would break every id_token and hide the loss. */
export class SigningKeysMissing extends Error {
  constructor() {
    super(
      'The signing keys are missing from a database that had them. Restore a backup that contains them, or run keys rotate --lost to start with new ones. The server does not replace lost keys by itself.',
    );
    this.name = 'SigningKeysMissing';
  }
}

/** Create the first keys. If several processes start together, only one creates them. */
export async function prepareSigningKeys(server: AuthorizationServer): Promise<void> {
  const { reads, writes, clock } = server;
  // Read before the keys, so that keys which another process adds in between don't look like lost ones.
  const hadKeys = await reads.hadSigningKeys();
  const keys = await reads.signingKeys();
  if (hasActiveKeys(keys)) return;
  if (hadKeys || keys.length > 0) throw new SigningKeysMissing();
  const now = clock();
  const firstKeys = await Promise.all(
    SIGNING_ALGORITHMS.flatMap((alg) => [
      newKey(server, alg, 'active', now),
      newKey(server, alg, 'next', now),
    ]),
  );
  await writes.addFirstSigningKeys(firstKeys);
  if (!hasActiveKeys(await reads.signingKeys())) throw new SigningKeysMissing();
}

/**
 * Rotate the keys that have signed long enough, and delete retired keys that are no longer published. Call it
 * often.
 */
export async function maintainSigningKeys(server: AuthorizationServer): Promise<void> {
  const by = byServer(server.clock);
  await server.writes.deleteSigningKeysRetiredBefore(by.at - RETIRED_KEY_LIFETIME);
  const keys = await server.reads.signingKeys();
  for (const alg of SIGNING_ALGORITHMS) {
    const active = keys.find((key) => key.alg === alg && key.state === 'active');
    if (active !== undefined && by.at >= rotationDueAt(active)) {
      await rotateSigningKey(by, server, alg);
    }
  }
}

/**
 * Retire the active key, activate the next one and add a new next one, in one step. Of parallel calls, only
 * one rotates. Returns 'too_soon' while applications may still cache a key set without the next key.
 */
export async function rotateSigningKey(
  by: Doer,
  server: AuthorizationServer,
  alg: SigningAlgorithm,
): Promise<'rotated' | 'too_soon' | 'rotated_by_another'> {
  const keys = await server.reads.signingKeys();
  const active = keys.find((key) => key.alg === alg && key.state === 'active');
  const next = keys.find((key) => key.alg === alg && key.state === 'next');
  if (active === undefined || next === undefined) throw new SigningKeysMissing();
  if (by.at < rotationPossibleAt(next)) return 'too_soon';
  const following = await newKey(server, alg, 'next', by.at);
  const rotation = { activeKid: active.kid, nextKid: next.kid, following };
  return (await server.writes.rotateSigningKey(by, rotation)) ? 'rotated' : 'rotated_by_another';
}

/**
 * Replace every key of an algorithm at once, after a private key leaked. The old keys are deleted: the server no
 * longer publishes them, and accepts no id_token that they signed. The next key was stored beside the leaked
 * one, so it is replaced too.
 */
export async function replaceCompromisedKeys(
  by: Doer,
  server: AuthorizationServer,
  alg: SigningAlgorithm,
): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const compromised = await activeKey(server, alg);
    const keys = await Promise.all([
      newKey(server, alg, 'active', by.at),
      newKey(server, alg, 'next', by.at),
    ]);
    if (await server.writes.replaceCompromisedSigningKeys(by, compromised, keys)) return;
    // A rotation came in between, and has left the compromised key published.
  }
  throw new Error('The signing keys changed faster than they could be replaced.');
}

const MOST_TRIES = 10;

/** Create the keys that are missing or damaged. Returns how many there were. */
export async function replaceLostKeys(by: Doer, server: AuthorizationServer): Promise<number> {
  const keys = await server.reads.signingKeys();
  const newKeys: SigningKey[] = [];
  for (const alg of SIGNING_ALGORITHMS) {
    for (const state of ['active', 'next'] as const) {
      const key = keys.find((one) => one.alg === alg && one.state === state);
      if (key === undefined || !(await canSign(key))) newKeys.push(await newKey(server, alg, state, by.at));
    }
  }
  if (newKeys.length > 0) await server.writes.replaceLostSigningKeys(by, newKeys);
  return newKeys.length;
}

/** When the server retires an active key. */
export function rotationDueAt({ activatedAt, createdAt }: SigningKey): Timestamp {
  return (activatedAt ?? createdAt) + SIGNING_KEY_LIFETIME;
}

/** When the server stops publishing a retired key. */
export function retiredKeyLeavesAt({ retiredAt, createdAt }: SigningKey): Timestamp {
  return (retiredAt ?? createdAt) + RETIRED_KEY_LIFETIME;
}

/** The earliest time at which a next key may sign: by then applications have fetched it. */
export function rotationPossibleAt(next: SigningKey): Timestamp {
  return next.createdAt + JWKS_CACHE_TIME;
}

/**
 * Read the key that signs now. Read it for each signature, so that a rotation by any process takes effect at
 * once.
 */
export async function activeKey(server: AuthorizationServer, alg: SigningAlgorithm): Promise<SigningKey> {
  const active = await server.reads.activeSigningKey(alg);
  if (active === undefined) throw new SigningKeysMissing();
  return active;
}

function hasActiveKeys(keys: readonly SigningKey[]): boolean {
  return SIGNING_ALGORITHMS.every((alg) => keys.some((key) => key.alg === alg && key.state === 'active'));
}

async function newKey(
  { rsaKeyBits }: AuthorizationServer,
  alg: SigningAlgorithm,
  state: 'active' | 'next',
  now: Timestamp,
): Promise<SigningKey> {
  // Imported here, because most starts create no key.
  const { calculateJwkThumbprint, exportJWK, generateKeyPair } = await import('jose');
  const pair = await generateKeyPair(alg, { extractable: true, modulusLength: rsaKeyBits });
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
