// The steps of these tests: alice asks, answers, and changes her consent to notebook.

import assert from 'node:assert/strict';
import { approve, authorize, type ConsentAnswer } from '../../src/oauth/authorization.ts';
import { authenticateBearer } from '../../src/oauth/bearer-token.ts';
import { OAuthError } from '../../src/oauth/errors.ts';
import { narrowOwnConsent } from '../../src/oauth/narrowing.ts';
import { pauseOwnConsent, resumeOwnConsent } from '../../src/oauth/pause.ts';
import type { ScopeSet } from '../../src/oauth/scope.ts';
import { answerTokenRequest, type TokenResponse } from '../../src/oauth/token-request.ts';
import { withdrawOwnConsent } from '../../src/oauth/withdrawal.ts';
import {
  asMember,
  asSignedIn,
  authorizationRequestOf,
  formOf,
  type Parameters,
  VERIFIER,
} from './provider.ts';
import { provider } from './token-fixture.ts';

export const EVERYTHING = { newScopes: ['profile:read', 'posts:read'], heldScopes: [] };

export async function ask(changes: Parameters = {}) {
  const request = await authorizationRequestOf(provider, provider.notebook, changes);
  return authorize(provider.server, asSignedIn(provider, provider.alice), request);
}

export async function answer(consent: ConsentAnswer, changes: Parameters = {}): Promise<string> {
  const request = await authorizationRequestOf(provider, provider.notebook, changes);
  const outcome = await approve(asSignedIn(provider, provider.alice), provider.server, request, consent);
  assert(outcome !== undefined);
  if (outcome instanceof OAuthError) throw outcome;
  return outcome.code;
}

export function narrow(...ticked: ScopeSet) {
  return narrowOwnConsent(asMember(provider, provider.alice), provider.server, provider.notebook.id, ticked);
}

export const pause = () =>
  pauseOwnConsent(asMember(provider, provider.alice), provider.server, provider.notebook.id);
export const resume = () =>
  resumeOwnConsent(asMember(provider, provider.alice), provider.server, provider.notebook.id);
export const withdraw = () =>
  withdrawOwnConsent(asMember(provider, provider.alice), provider.server, provider.notebook.id);

export async function scopesOf(accessToken: string): Promise<ScopeSet> {
  return (await authenticateBearer(provider.server, accessToken)).scopes;
}

/** The whole answer of the token endpoint. */
export function respond(parameters: Parameters): Promise<TokenResponse> {
  return answerTokenRequest(provider.server, provider.notebook, formOf(parameters));
}

export function redemption(code: string): Parameters {
  const [redirect_uri] = provider.notebook.redirectUris;
  return { grant_type: 'authorization_code', code, redirect_uri, code_verifier: VERIFIER };
}
