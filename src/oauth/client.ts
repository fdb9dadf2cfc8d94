// Registering applications, and the rules for what can be registered.

import type { Doer } from '../audit/doer.ts';
import type { Timestamp } from '../lib/clock.ts';
import { sameDigest, timeOrderedKey } from '../lib/secrets.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { forgetOldUses } from './client-numbers.ts';
import type {
  Client,
  ClientDocumentFacts,
  ClientManagement,
  ClientSecrets,
  Introduction,
} from './client-store.ts';
import { checkedIntroduction, NO_INTRODUCTION } from './introduction.ts';
import { checkRegistration } from './registration-rules.ts';
import { SCOPES, scopeSet } from './scope.ts';
import { type MintedToken, mintToken, readTokenOf } from './token.ts';

export { InvalidRegistration } from './invalid-registration.ts';

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
  const { client, secret } = newClient(by, server, registration);
  await server.writes.addClient(by, client);
  return { client, secret };
}

/** Make the record of a new application. Throws `InvalidRegistration`. */
export function newClient(
  by: Doer,
  server: Pick<AuthorizationServer, 'brand'>,
  registration: ClientRegistration,
  key = newClientKey(by.at),
): { client: Client; secret: string | undefined } {
  checkRegistration(registration);
  const isConfidential = registration.kind === 'confidential';
  const secret = isConfidential ? mintToken('clientSecret', server.brand, by.at) : undefined;
  const scopes = scopeSet(registration.scopes ?? SCOPES);
  const client: Client = {
    id: `app_${key}`,
    name: registration.name.trim(),
    kind: registration.kind,
    ownerId: registration.ownerId,
    scopes,
    redirectUris: registration.redirectUris,
    postLogoutRedirectUris: registration.postLogoutRedirectUris ?? [],
    acceptsMissingStateAndNonce: registration.acceptsMissingStateAndNonce ?? false,
    idTokenAlg: registration.idTokenAlg ?? 'RS256',
    status: 'active',
    createdAt: by.at,
    ...checkedIntroduction(scopes, { ...NO_INTRODUCTION, ...registration.introduction }),
    ...firstSecret(secret, by.at),
    ...NO_MANAGEMENT,
  };
  return { client, secret: secret?.text };
}

/** The server chooses the id of an application, and no id looks like a user id (RFC 9700 §4.15). */
export function newClientKey(at: Timestamp): string {
  return timeOrderedKey(at);
}

/** The first secret of an application, or none for a public one. */
export function firstSecret(secret: MintedToken | undefined, at: Timestamp): ClientSecrets {
  return {
    secretDigest: secret?.digest,
    secretEnding: secret && endingOf(secret.text),
    secretAddedAt: secret && at,
    previousSecretDigest: undefined,
    previousSecretEnding: undefined,
    previousSecretUntil: undefined,
  };
}

/** The state of a registered application that nobody has deactivated, deleted, given away or reviewed. */
export const NO_MANAGEMENT: ClientManagement & ClientDocumentFacts = {
  deactivation: undefined,
  deleteAt: undefined,
  transferTo: undefined,
  transferUntil: undefined,
  formerName: undefined,
  renamedAt: undefined,
  ownerSince: undefined,
  documentUrl: undefined,
  documentFreshUntil: undefined,
  claimedName: undefined,
  logo: undefined,
  isLogoApproved: false,
  approvedAt: undefined,
  reviewNote: undefined,
};

/**
 * Replace a client's secret. The server accepts the old one for `overlap` milliseconds more, and any earlier one no
 * longer. Undefined if there is no such confidential client.
 */
export async function rotateClientSecret(
  by: Doer,
  server: AuthorizationServer,
  clientId: string,
  overlap = 0,
): Promise<string | undefined> {
  const secret = mintToken('clientSecret', server.brand, by.at);
  const isReplaced = await server.writes.replaceClientSecret(
    by,
    clientId,
    { digest: secret.digest, ending: endingOf(secret.text) },
    overlap === 0 ? undefined : by.at + overlap,
  );
  if (!isReplaced) return undefined;
  await forgetOldUses(server, clientId);
  return secret.text;
}

/** End the secret before the present one now. False if there is none. */
export function endPreviousSecret(by: Doer, server: AuthorizationServer, clientId: string): Promise<boolean> {
  return server.writes.endPreviousSecret(by, clientId);
}

/**
 * Tell which of the client's secrets this is: its present one, or the one before until its end. Undefined for any other
 * text. A public client has none.
 */
export function secretOf(
  client: ClientSecrets,
  secret: string,
  brand: string,
  now: Timestamp,
): 'present' | 'previous' | undefined {
  const token = readTokenOf('clientSecret', secret, brand);
  if (token === undefined || client.secretDigest === undefined) return undefined;
  if (sameDigest(token.digest, client.secretDigest)) return 'present';
  const { previousSecretDigest, previousSecretUntil = 0 } = client;
  if (previousSecretDigest === undefined || previousSecretUntil <= now) return undefined;
  return sameDigest(token.digest, previousSecretDigest) ? 'previous' : undefined;
}

/** Report whether the server accepts the secret for the client. */
export function isSecretOf(client: ClientSecrets, secret: string, brand: string, now: Timestamp): boolean {
  return secretOf(client, secret, brand, now) !== undefined;
}

function endingOf(text: string): string {
  return text.slice(-4);
}
