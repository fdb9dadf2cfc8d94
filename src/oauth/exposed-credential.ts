// Credentials of this site that were found in public: recognising them in a text, and revoking them, whoever found
// them. Nobody learns from the answer whether one was live.

import {
  type AboutExposure,
  type ExposureSource,
  MASK,
  type MaskCredentials,
} from '../audit/credential-notice.ts';
import type { Timestamp } from '../lib/clock.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { Client } from './client-store.ts';
import { isLive } from './personal-token.ts';
import type { PersonalToken } from './personal-token-store.ts';
import type { AccessToken, TokenFamily } from './store.ts';
import { isGenuine, readToken } from './token.ts';

/** A genuine credential of this site, which may be dead. */
export type KnownCredential =
  | { kind: 'personal'; token: PersonalToken }
  | { kind: 'access'; token: AccessToken }
  | { kind: 'refresh'; family: TokenFamily }
  | { kind: 'client_secret'; client: Client };

/** Where a credential was found. */
export interface Finding {
  source: ExposureSource;
  /** The page, if the one who found it is trusted to name it. */
  url?: string | undefined;
}

/**
 * Find the record of a credential. Of the refresh tokens of a sign-in only the newest two can be told from a forgery;
 * older ones are dead. Undefined for codes, which are valid for minutes only.
 */
export async function findCredential(
  { reads, brand }: AuthorizationServer,
  text: string,
): Promise<KnownCredential | undefined> {
  const credential = readToken(text, brand);
  switch (credential?.kind) {
    case 'personal': {
      const token = await reads.findPersonalToken(credential.key);
      return token && isGenuine(credential, token.digest) ? { kind: 'personal', token } : undefined;
    }
    case 'access': {
      const token = await reads.findAccessToken(credential.key);
      return token && isGenuine(credential, token.digest) ? { kind: 'access', token } : undefined;
    }
    case 'refresh': {
      const family = await reads.findTokenFamily(credential.key);
      const digests = [family?.refreshDigest, family?.previousDigest];
      const isKnown = digests.some((digest) => digest !== undefined && isGenuine(credential, digest));
      return family && isKnown ? { kind: 'refresh', family } : undefined;
    }
    case 'clientSecret': {
      const client = await reads.findClientBySecret(credential.digest);
      return client && { kind: 'client_secret', client };
    }
    default:
      return undefined;
  }
}

/**
 * Revoke a credential that was found in public, and tell its owner: an access token alone, a refresh token with its
 * sign-in, an API token. The secret of an application goes on working, since it opens no account by itself and the
 * application would stop for all its members: its owner and the operators are told, once a day. Returns true if the
 * credential was live until now.
 */
export async function revokeExposed(
  server: AuthorizationServer,
  text: string,
  finding: Finding,
): Promise<boolean> {
  const found = await findCredential(server, text);
  if (found === undefined || !isAlive(found, server.clock())) return false;
  const { writes, clock } = server;
  const at = clock();
  const about = (name: string): AboutExposure => ({ kind: found.kind, name, ...finding });
  switch (found.kind) {
    case 'personal':
      return writes.revokeExposedPersonalToken(found.token, about(found.token.name), at);
    case 'access': {
      const { key, clientId, user } = found.token;
      const exposed = { key, clientId, userId: user.id };
      return writes.revokeExposedAccessToken(exposed, about(await nameOf(server, found.token)), at);
    }
    case 'refresh':
      return writes.revokeExposedFamily(found.family, about(await nameOf(server, found.family)), at);
    case 'client_secret':
      return writes.tellOfExposedSecret(found.client, about(found.client.name), at);
  }
}

/** Report whether a credential still works. Doesn't check the account or the application. */
export function isAlive(found: KnownCredential, now: Timestamp): boolean {
  switch (found.kind) {
    case 'personal':
      return isLive(found.token, now);
    case 'access': {
      const { revokedAt, familyRevokedAt, expiresAt } = found.token;
      return revokedAt === undefined && familyRevokedAt === undefined && expiresAt > now;
    }
    case 'refresh':
      return found.family.revokedAt === undefined && found.family.refreshExpiresAt > now;
    case 'client_secret':
      return true;
  }
}

async function nameOf({ reads }: AuthorizationServer, { clientId }: { clientId: string }): Promise<string> {
  return (await reads.findClient(clientId))?.name ?? clientId;
}

// The letter of its kind, and an underscore.
const PREFIX_LENGTH = 2;

// A text with more is no mistake of its author, and each takes a query.
const MOST_IN_TEXT = 20;

/** List the credentials in a text, by their form and checksum alone. */
export function credentialsIn(text: string, brand: string): string[] {
  if (!text.includes(brand)) return [];
  const found =
    text.match(new RegExp(`(?<![0-9A-Za-z])${brand}[oprs]_[0-9A-Za-z]{60}(?![0-9A-Za-z])`, 'g')) ?? [];
  return [...new Set(found)].filter((one) => readToken(one, brand) !== undefined).slice(0, MOST_IN_TEXT);
}

/** Make the function that masks and revokes the live credentials in a text that becomes public. */
export function credentialMask(server: AuthorizationServer): MaskCredentials {
  return (text, source) => maskExposed(server, text, source);
}

async function maskExposed(
  server: AuthorizationServer,
  text: string,
  source: ExposureSource,
): Promise<string> {
  let masked = text;
  for (const one of credentialsIn(text, server.brand)) {
    const found = await findCredential(server, one);
    // A secret is masked also when its owner was told before.
    if (found === undefined || !isAlive(found, server.clock())) continue;
    await revokeExposed(server, one, { source });
    masked = masked.replaceAll(one, one.slice(0, PREFIX_LENGTH + server.brand.length) + MASK);
  }
  return masked;
}
