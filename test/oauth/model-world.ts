// The real provider beside its model: the credentials that it has issued, its answers, and the comparison of
// both.

import assert from 'node:assert/strict';
import { byServer } from '../../src/audit/doer.ts';
import { registerClient } from '../../src/oauth/client.ts';
import { authenticateClient } from '../../src/oauth/client-authentication.ts';
import type { Client } from '../../src/oauth/client-store.ts';
import { OAuthError } from '../../src/oauth/errors.ts';
import { revokeToken } from '../../src/oauth/revocation.ts';
import { API_SCOPES, isSubset, parseScope } from '../../src/oauth/scope.ts';
import { answerTokenRequest, type TokenResponse } from '../../src/oauth/token-request.ts';
import type { ApplicationName, Expected, Model, PersonName } from './model.ts';
import { formOf, openProvider, type Parameters, type Provider, scopesOf } from './provider.ts';

/** The real provider, with every credential that it has issued, in the order of the model's lists. */
export interface World {
  provider: Provider;
  applications: Record<ApplicationName, { client: Client; secret: string | undefined }>;
  codes: string[];
  /** The refresh tokens of each sign-in, oldest first. */
  refreshTokens: string[][];
  accessTokens: string[];
  /** Access tokens that were refused while account and application were in use, and the consent not paused. */
  deadAccessTokens: Set<string>;
  responsesPerCode: Map<string, number>;
}

export async function openWorld(): Promise<World> {
  const provider = await openProvider();
  const register = (kind: Client['kind'], name: string) =>
    registerClient(byServer(provider.server.clock), provider.server, {
      name,
      kind,
      redirectUris: [`https://${name}.example/cb`],
    });
  return {
    provider,
    applications: {
      notebook: await register('confidential', 'notebook'),
      pocket: await register('public', 'pocket'),
    },
    codes: [],
    refreshTokens: [],
    accessTokens: [],
    deadAccessTokens: new Set(),
    responsesPerCode: new Map(),
  };
}

/** Send a request of an application to the token endpoint. Returns the answer or the error. */
export async function request(
  { provider, applications }: World,
  by: ApplicationName,
  parameters: Parameters,
): Promise<TokenResponse | OAuthError> {
  const { client, secret } = applications[by];
  const form = formOf({ client_id: client.id, client_secret: secret, ...parameters });
  try {
    const authentic = await authenticateClient(provider.server, form, undefined);
    if (parameters.token === undefined) return await answerTokenRequest(provider.server, authentic, form);
    await revokeToken(provider.server, authentic, form);
    return new OAuthError('invalid_token', 'Nothing is issued where something is revoked.');
  } catch (error) {
    if (error instanceof OAuthError) return error;
    throw error;
  }
}

export function compare(answer: TokenResponse | { code: string } | OAuthError, expected: Expected): void {
  if (answer instanceof OAuthError) assert.equal(answer.code, expected);
  else assert(typeof expected !== 'string', `expected ${expected}, got tokens`);
  if ('scope' in answer && typeof expected !== 'string')
    assert.deepEqual(parseScope(answer.scope), expected.scopes);
}

/** Check that the scopes of an access token are within the member's consent at its issue. */
export async function checkConsent(
  world: World,
  person: PersonName,
  by: ApplicationName,
  scope: string,
): Promise<void> {
  const { provider, applications } = world;
  const grant = await provider.server.reads.findGrant(
    provider[person].userId,
    applications[by].client.id,
    provider.server.clock(),
  );
  assert(grant !== undefined && grant.withdrawnAt === undefined);
  assert(isSubset(parseScope(scope) ?? API_SCOPES, grant.scopes));
}

/**
 * Check after each step that exactly the tokens that the model accepts are valid, and that no revoked one
 * returns.
 */
export async function checkAllTokens(model: Model, world: World): Promise<void> {
  for (const [index, token] of model.accessTokens.entries()) {
    const text = world.accessTokens[index] ?? '';
    const scopes = await scopesOf(world.provider, text);
    assert.deepEqual(scopes, model.scopesOf(token), `access token ${index}`);
    if (scopes !== undefined) assert(!world.deadAccessTokens.has(text), `access token ${index} came back`);
    else if (model.isUsable(token.family) && !model.isPaused(token.family)) world.deadAccessTokens.add(text);
  }
}
