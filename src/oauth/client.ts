// The registered application, and what may be registered.

import type { Act } from '../identity/act.ts';
import type { Timestamp } from '../lib/clock.ts';
import { sameDigest, timeOrderedKey } from '../lib/secrets.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { problemWithRedirectUri } from './redirect-uri.ts';
import { SCOPES, type ScopeSet, scopeSet } from './scope.ts';
import type { SigningAlgorithm } from './signing-key.ts';
import { mintToken, readTokenOf } from './token.ts';

const MOST_URIS = 20;

/** A third-party application. Pages call it "application". */
export interface Client {
  id: string;
  name: string;
  /** A public client can't keep a secret (RFC 6749 §2.1) and must use PKCE. */
  kind: 'confidential' | 'public';
  secretDigest: string | undefined;
  ownerId: number | undefined;
  /** What it may ask for. */
  scopes: ScopeSet;
  redirectUris: readonly string[];
  postLogoutRedirectUris: readonly string[];
  /** For old libraries and certification runs: `state` and `nonce` are then optional. */
  acceptsMissingStateAndNonce: boolean;
  /** How its id_tokens are signed. */
  idTokenAlg: SigningAlgorithm;
  status: 'active' | 'deactivated';
  createdAt: Timestamp;
}

export interface ClientRegistration {
  name: string;
  kind: Client['kind'];
  redirectUris: readonly string[];
  scopes?: readonly string[];
  ownerId?: number;
  postLogoutRedirectUris?: readonly string[];
  acceptsMissingStateAndNonce?: boolean;
  idTokenAlg?: SigningAlgorithm;
}

/** The registration can't be accepted; the message says why, for the developer. */
export class InvalidRegistration extends Error {}

/** Registers an application. The secret, for a confidential one, is in clear here and never again. */
export async function registerClient(
  server: AuthorizationServer,
  registration: ClientRegistration,
  act?: Act,
): Promise<{ client: Client; secret: string | undefined }> {
  const now = server.clock();
  checkRegistration(registration);
  const secret =
    registration.kind === 'confidential' ? mintToken('clientSecret', server.brand, now) : undefined;
  const client: Client = {
    // Chosen here, never by the application, and unlike any member's number (RFC 9700 §4.15).
    id: `app_${timeOrderedKey(now)}`,
    name: registration.name.trim(),
    kind: registration.kind,
    secretDigest: secret?.digest,
    ownerId: registration.ownerId,
    scopes: scopeSet(registration.scopes ?? SCOPES),
    redirectUris: registration.redirectUris,
    postLogoutRedirectUris: registration.postLogoutRedirectUris ?? [],
    acceptsMissingStateAndNonce: registration.acceptsMissingStateAndNonce ?? false,
    idTokenAlg: registration.idTokenAlg ?? 'RS256',
    status: 'active',
    createdAt: now,
  };
  await server.writes.addClient(client, act);
  return { client, secret: secret?.text };
}

/** Replaces the secret; the old one is refused from the next request on. Undefined if there is no such client. */
export async function rotateClientSecret(
  server: AuthorizationServer,
  clientId: string,
  act?: Act,
): Promise<string | undefined> {
  const secret = mintToken('clientSecret', server.brand, server.clock());
  return (await server.writes.replaceClientSecret(clientId, secret.digest, act)) ? secret.text : undefined;
}

/** Reports whether the secret is the client's present one. A public client has none. */
export function isSecretOf(client: Client, secret: string, brand: string): boolean {
  const presented = readTokenOf('clientSecret', secret, brand);
  return (
    presented !== undefined &&
    client.secretDigest !== undefined &&
    sameDigest(presented.digest, client.secretDigest)
  );
}

function checkRegistration(registration: ClientRegistration): void {
  const { name, redirectUris, scopes, postLogoutRedirectUris } = registration;
  const length = [...name.trim()].length;
  if (length < 1 || length > 60) throw new InvalidRegistration('The name must have 1 to 60 characters.');
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name))
    throw new InvalidRegistration('The name contains a hidden character.');
  if (redirectUris.length === 0) throw new InvalidRegistration('At least one redirect URI is needed.');
  if (redirectUris.length > MOST_URIS || (postLogoutRedirectUris ?? []).length > MOST_URIS) {
    throw new InvalidRegistration(`At most ${MOST_URIS} redirect URIs of a kind can be registered.`);
  }
  for (const uri of [...redirectUris, ...(postLogoutRedirectUris ?? [])]) {
    const problem = problemWithRedirectUri(uri);
    if (problem !== undefined) throw new InvalidRegistration(`${uri}: ${problem}`);
  }
  const unknown = scopes?.find((scope) => !(SCOPES as readonly string[]).includes(scope));
  if (unknown !== undefined)
    throw new InvalidRegistration(`Unknown scope ${unknown}; there are ${SCOPES.join(', ')}.`);
  if (scopes?.length === 0) throw new InvalidRegistration('At least one scope is needed.');
}
