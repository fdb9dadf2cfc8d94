// Passkeys (W3C Web Authentication): a device keeps a private key for this site, and signs a challenge after it has
// checked who holds it. So a passkey alone signs a member in, and is a second factor too.

import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { MemberDoer } from '../audit/doer.ts';
import type { Awaitable } from '../lib/awaitable.ts';
import { hasHiddenCharacters } from '../lib/one-line.ts';
import { digestsOf } from './authenticator-app.ts';
import { applyDueReset } from './factor-reset.ts';
import type { FactorEffect } from './factor-store.ts';
import { recordFactorFailure } from './failed-sign-in.ts';
import type { Identity } from './identity.ts';
import { type ChallengeUse, takeChallenge } from './passkey-challenge.ts';
import type { Passkey, PasskeyUse } from './passkey-store.ts';
import { newRecoveryCodes } from './recovery-code.ts';
import type { User } from './user.ts';

/** What passkeys are bound to. */
export interface PasskeySite {
  /** The host of the site. */
  id: string;
  origin: string;
}

/** The algorithms that devices can sign with, by their COSE numbers: EdDSA, ES256, RS256. */
export const PASSKEY_ALGORITHMS = [-8, -7, -257];

// How a browser can reach a device (W3C Web Authentication §5.8.4).
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];
const MOST_PASSKEYS = 20;
const MOST_NAME_CHARACTERS = 60;

/** What passkeys of this site are bound to. Undefined if it has no host name: browsers refuse IP addresses. */
export function passkeySite(baseUrl: string): PasskeySite | undefined {
  const { hostname, origin } = new URL(baseUrl);
  return /^[\d.]+$|^\[/.test(hostname) ? undefined : { id: hostname, origin };
}

/** What a browser sends: the answer of the device, as JSON, and the sealed challenge of the page. */
export interface PasskeyAnswer {
  response: string;
  challenge: string;
}

export type RegistrationProblem = 'refused' | 'registered_already';

/** Register a device. Returns new recovery codes, if it is the account's first factor. */
export async function registerPasskey(
  by: MemberDoer,
  identity: Identity,
  site: PasskeySite,
  use: ChallengeUse,
  { answer, name, sessionKey }: { answer: PasskeyAnswer; name: string; sessionKey: string },
): Promise<{ recoveryCodes: string[] } | { problem: RegistrationProblem }> {
  const challenge = await takeChallenge(identity, use, answer.challenge);
  const response = objectIn(answer.response) as unknown as RegistrationResponseJSON | undefined;
  if (challenge === undefined || response === undefined) return { problem: 'refused' };
  const isPlain = await isWithoutCertificates(response.response?.attestationObject);
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const verified = isPlain
    ? verifyRegistrationResponse({
        response,
        expectedChallenge: challenge,
        expectedOrigin: site.origin,
        expectedRPID: site.id,
        supportedAlgorithmIDs: PASSKEY_ALGORITHMS,
      })
    : undefined;
  const result = await verified?.catch(() => undefined);
  if (!result?.verified) {
    await recordFactorFailure(identity, by.userId, by.address, 'passkey');
    return { problem: 'refused' };
  }
  const { id, publicKey, counter, transports: sent } = result.registrationInfo.credential;
  // As the browser sent it, so it can be anything.
  const transports = TRANSPORTS.filter((name) => Array.isArray(sent) && (sent as string[]).includes(name));
  const recoveryCodes =
    (await identity.reads.factorsOf(by.userId)).recoveryCodes === 0 ? newRecoveryCodes() : [];
  const passkey = { credentialId: id, publicKey, counter, transports: transports.join(' '), name };
  const change = { sessionKey, recoveryCodes: digestsOf(recoveryCodes) };
  const isAdded = await identity.writes.addPasskey(by, passkey, MOST_PASSKEYS, change);
  return isAdded ? { recoveryCodes } : { problem: 'registered_already' };
}

/**
 * Report whether an attestation names no certificates. The page asks for none. The library would check certificates of
 * the sender's choice, and fetch the addresses that these name, from wherever they lead.
 */
export async function isWithoutCertificates(attestation: unknown): Promise<boolean> {
  if (typeof attestation !== 'string') return false;
  try {
    const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers');
    const object = decodeAttestationObject(isoBase64URL.toBuffer(attestation));
    const format = object.get('fmt');
    // A device may sign its own key ("packed" without x5c) where the page asks for nothing.
    return format === 'none' || (format === 'packed' && object.get('attStmt').get('x5c') === undefined);
  } catch {
    return false;
  }
}

/** Read the name that a member gives a passkey. Undefined if it can't be one. */
export function passkeyName(typed: string): string | undefined {
  const name = typed.trim();
  const { length } = [...name];
  return length >= 1 && length <= MOST_NAME_CHARACTERS && !hasHiddenCharacters(name) ? name : undefined;
}

/** Rename a member's passkey. False if there is none with this id. */
export function renamePasskey(
  by: MemberDoer,
  { writes }: Identity,
  id: number,
  name: string,
): Promise<boolean> {
  return writes.renamePasskey(by, id, name);
}

/** Remove a member's passkey. False if there is none with this id. */
export function removePasskey(
  by: MemberDoer,
  { writes }: Identity,
  id: number,
  sessionKey: string,
): Promise<boolean> {
  return writes.removePasskey(by, id, sessionKey);
}

export type PasskeyOutcome =
  | { outcome: 'accepted'; user: User }
  | { outcome: 'suspended'; user: User }
  | { outcome: 'refused' };

/** Check a passkey's signature, and let the use take effect. `effectFor` gets the member whose passkey it is. */
export async function usePasskey(
  identity: Identity,
  site: PasskeySite,
  use: ChallengeUse,
  answer: PasskeyAnswer,
  from: {
    address: string;
    effectFor(user: User): Awaitable<FactorEffect | undefined>;
  },
): Promise<PasskeyOutcome> {
  const challenge = await takeChallenge(identity, use, answer.challenge);
  const response = objectIn(answer.response) as unknown as AuthenticationResponseJSON | undefined;
  if (challenge === undefined || typeof response?.id !== 'string') return { outcome: 'refused' };
  const found = await identity.reads.findPasskey(response.id);
  const effect = found && (await from.effectFor(found.user));
  if (found === undefined || effect === undefined) return { outcome: 'refused' };
  const { passkey, user } = found;
  const counter = await signedCounter(site, passkey, response, challenge);
  if (counter === undefined) {
    await recordFactorFailure(identity, user.id, from.address, 'passkey');
    return { outcome: 'refused' };
  }
  if (await applyDueReset(identity, user.id)) return { outcome: 'refused' };
  // Only a person who has the passkey learns the status.
  if (user.status === 'suspended') return { outcome: 'suspended', user };
  const once: PasskeyUse = { id: passkey.id, userId: user.id, counter, at: identity.clock() };
  if (await identity.writes.usePasskey(once, effect)) return { outcome: 'accepted', user };
  // A counter that doesn't go up is the sign of a copied key.
  await recordFactorFailure(identity, user.id, from.address, 'passkey_counter');
  return { outcome: 'refused' };
}

/** Return the counter in the device's answer. Undefined if its signature, its site or its challenge is wrong. */
async function signedCounter(
  site: PasskeySite,
  { credentialId, publicKey }: Passkey,
  response: AuthenticationResponseJSON,
  challenge: string,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const result = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    // Storage compares the counters, in the step that uses the passkey.
    credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter: 0 },
  }).catch(() => undefined);
  return result?.verified ? result.authenticationInfo.newCounter : undefined;
}

function objectIn(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
