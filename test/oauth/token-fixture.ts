// A new provider for each test, and the steps of the flow, by default for notebook and alice.

import assert from 'node:assert/strict';
import { byServer } from '../../src/audit/doer.ts';
import { createPersonalToken } from '../../src/oauth/personal-token.ts';
import * as at from './provider.ts';

export let provider: at.Provider;

export async function openFixture(): Promise<void> {
  provider = await at.openProvider();
}

export async function closeFixture(): Promise<void> {
  await provider.close();
}

/** Let a member allow the ticked scopes, all by default. Returns the code. */
export function allow(
  client = provider.notebook,
  person = provider.alice,
  options: at.ConsentOptions = {},
): Promise<string> {
  return at.allow(provider, client, person, options);
}

/** Present a code as its application would, except for the changes. */
export function redeem(
  code: string,
  client = provider.notebook,
  changes: at.Parameters = {},
): Promise<at.LastingTokens> {
  return at.redeem(provider, client, code, changes);
}

/** Go from consent to tokens. */
export function signIn(client = provider.notebook, person = provider.alice): Promise<at.LastingTokens> {
  return at.signIn(provider, client, person);
}

export function refresh(
  refreshToken: string,
  client = provider.notebook,
  scope?: string,
): Promise<at.LastingTokens> {
  return at.refresh(provider, client, refreshToken, scope);
}

export function revoke(token: string, client = provider.notebook, hint?: string): Promise<void> {
  return at.revoke(provider, client, token, hint);
}

/** Whether the resource API accepts the token now. */
export function isHonoured(accessToken: string): Promise<boolean> {
  return at.isHonoured(provider, accessToken);
}

/** Expect both tokens to be valid. Uses up the refresh token, and returns the new tokens. */
export async function assertLives(
  tokens: at.LastingTokens,
  client = provider.notebook,
): Promise<at.LastingTokens> {
  assert.equal(await isHonoured(tokens.accessToken), true);
  return refresh(tokens.refreshToken, client);
}

/** Expect both tokens to be refused. */
export async function assertDead(tokens: at.LastingTokens, client = provider.notebook): Promise<void> {
  assert.equal(await isHonoured(tokens.accessToken), false);
  await at.assertRefused(refresh(tokens.refreshToken, client), 'invalid_grant');
}

/** Create a personal token of alice, who may read her posts with it. */
export async function personalToken(): Promise<string> {
  const { server, alice } = provider;
  const token = await createPersonalToken(byServer(server.clock), server, {
    userId: alice.userId,
    name: 'script',
    scopes: ['posts:read'],
    days: 90,
  });
  assert('text' in token);
  return token.text;
}
