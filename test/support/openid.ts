// Signing in with OpenID Connect, as an application does: the tokens, and the claims of their id_token.

import assert from 'node:assert/strict';
import { createLocalJWKSet, type JWTPayload, jwtVerify, type ProtectedHeaderParameters } from 'jose';
import type { App } from './app.ts';
import type { Browser } from './browser.ts';
import { json } from './json.ts';
import type { RegisteredClient } from './people.ts';
import {
  answerConsent,
  askToken,
  authorizationRequest,
  pkce,
  type Site,
  type Tokens,
} from './relying-party.ts';

export const NONCE = 'n-0S6_WzA2Mj';

export type OpenIdTokens = Tokens & { id_token?: string };

/** Return a correct authorization request of OpenID Connect. An empty parameter is left out. */
export function openIdRequest(client: RegisteredClient, more: Record<string, string> = {}): URLSearchParams {
  return authorizationRequest(client, { scope: 'openid', nonce: NONCE, ...more });
}

/** Go through the whole flow in a signed-in browser. Returns the tokens. */
export async function openIdTokens(
  app: Site,
  client: RegisteredClient,
  browser: Browser,
  more: Record<string, string> = {},
): Promise<OpenIdTokens> {
  const { verifier, challenge } = pkce();
  const proof = { code_challenge: challenge, code_challenge_method: 'S256' };
  const callback = await answerConsent(browser, openIdRequest(client, { ...proof, ...more }));
  const code = callback.searchParams.get('code');
  assert.ok(code, callback.href);
  const answer = await askToken(app, client, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: client.redirectUri,
    code_verifier: verifier,
  });
  assert.equal(answer.status, 200, await answer.clone().text());
  return json(answer);
}

/** Go through the whole flow in a signed-in browser. Returns the id_token. */
export async function idTokenOf(
  app: App,
  client: RegisteredClient,
  browser: Browser,
  more: Record<string, string> = {},
): Promise<string> {
  const { id_token: idToken } = await openIdTokens(app, client, browser, more);
  assert.ok(idToken);
  return idToken;
}

/** Verify an id_token with the published keys alone. Returns its claims and header; rejects if it is invalid. */
export async function verify(
  app: App,
  idToken: string | undefined,
  client: RegisteredClient,
): Promise<{ payload: JWTPayload; protectedHeader: ProtectedHeaderParameters }> {
  const metadata = await json(await fetch(`${app.url}/.well-known/openid-configuration`));
  const keys = createLocalJWKSet(await json(await fetch(metadata.jwks_uri)));
  return jwtVerify(idToken ?? '', keys, {
    issuer: metadata.issuer,
    audience: client.id,
    algorithms: ['RS256', 'ES256'],
    currentDate: new Date(app.clock.now),
  });
}
