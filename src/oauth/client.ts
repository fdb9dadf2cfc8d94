// Registering applications, and the rules for what can be registered.

import type { Doer } from '../audit/doer.ts';
import { hasHiddenCharacters } from '../lib/one-line.ts';
import { sameDigest, timeOrderedKey } from '../lib/secrets.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { Client, Introduction } from './client-store.ts';
import { checkedIntroduction, NO_INTRODUCTION } from './introduction.ts';
import { InvalidRegistration } from './invalid-registration.ts';
import { problemWithRedirectUri } from './redirect-uri.ts';
import { SCOPES, scopeSet } from './scope.ts';
import { mintToken, readTokenOf } from './token.ts';

export { InvalidRegistration } from './invalid-registration.ts';

const MOST_URIS = 20;

export interface ClientRegistration {
  name: string;
  kind: Client['kind'];
  redirectUris: readonly string[];
  /** All scopes if left out. */
  scopes?: readonly string[];
  ownerId?: number;
  postLogoutRedirectUris?: readonly string[];
  acceptsMissingStateAndNonce?: boolean;
  /** RS256 if left out. */
  idTokenAlg?: Client['idTokenAlg'];
  introduction?: Partial<Introduction>;
}

/** Register an application. The secret of a confidential one is returned in clear here and never again. */
export async function registerClient(
  by: Doer,
  server: AuthorizationServer,
  registration: ClientRegistration,
): Promise<{ client: Client; secret: string | undefined }> {
  checkRegistration(registration);
  const isConfidential = registration.kind === 'confidential';
  const secret = isConfidential ? mintToken('clientSecret', server.brand, by.at) : undefined;
  const scopes = scopeSet(registration.scopes ?? SCOPES);
  const client: Client = {
    // The server chooses the id, and no id looks like a user id (RFC 9700 §4.15).
    id: `app_${timeOrderedKey(by.at)}`,
    name: registration.name.trim(),
    kind: registration.kind,
    secretDigest: secret?.digest,
    ownerId: registration.ownerId,
    scopes,
    redirectUris: registration.redirectUris,
    postLogoutRedirectUris: registration.postLogoutRedirectUris ?? [],
    acceptsMissingStateAndNonce: registration.acceptsMissingStateAndNonce ?? false,
    idTokenAlg: registration.idTokenAlg ?? 'RS256',
    status: 'active',
    createdAt: by.at,
    ...checkedIntroduction(scopes, { ...NO_INTRODUCTION, ...registration.introduction }),
  };
  await server.writes.addClient(by, client);
  return { client, secret: secret?.text };
}

/**
 * Replace a client's secret. The server refuses the old one from the next request on. Undefined if there is
 * no such confidential client.
 */
export async function rotateClientSecret(
  by: Doer,
  server: AuthorizationServer,
  clientId: string,
): Promise<string | undefined> {
  const secret = mintToken('clientSecret', server.brand, by.at);
  const isReplaced = await server.writes.replaceClientSecret(by, clientId, secret.digest);
  return isReplaced ? secret.text : undefined;
}

/** Report whether the secret is the client's present one. A public client has none. */
export function isSecretOf(client: Client, secret: string, brand: string): boolean {
  const token = readTokenOf('clientSecret', secret, brand);
  return (
    token !== undefined && client.secretDigest !== undefined && sameDigest(token.digest, client.secretDigest)
  );
}

function checkRegistration(registration: ClientRegistration): void {
  const { name, redirectUris, scopes, postLogoutRedirectUris = [] } = registration;
  checkName(name);
  if (redirectUris.length === 0) throw new InvalidRegistration('At least one redirect URI is needed.');
  if (redirectUris.length > MOST_URIS || postLogoutRedirectUris.length > MOST_URIS) {
    throw new InvalidRegistration(`At most ${MOST_URIS} redirect URIs of each kind can be registered.`);
  }
  for (const uri of [...redirectUris, ...postLogoutRedirectUris]) {
    const problem = problemWithRedirectUri(uri);
    if (problem !== undefined) throw new InvalidRegistration(`${uri}: ${problem}`);
  }
  if (scopes !== undefined) checkScopes(scopes);
}

function checkName(name: string): void {
  const length = [...name.trim()].length;
  if (length < 1 || length > 60) throw new InvalidRegistration('The name must have 1 to 60 characters.');
  if (hasHiddenCharacters(name)) {
    throw new InvalidRegistration('The name contains a hidden character.');
  }
}

function checkScopes(scopes: readonly string[]): void {
  const unknownScope = scopes.find((scope) => !(SCOPES as readonly string[]).includes(scope));
  if (unknownScope !== undefined) {
    throw new InvalidRegistration(`Unknown scope ${unknownScope}; there are ${SCOPES.join(', ')}.`);
  }
  if (scopes.length === 0) throw new InvalidRegistration('At least one scope is needed.');
}
