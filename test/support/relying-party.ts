// An application's side of the flow, step by step. (test/clients tests it with real libraries.)

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import type { Browser } from './browser.ts';
import { browserOf, type RegisteredClient } from './people.ts';

/** A running service. */
export interface Site {
  /** Its root address, without a trailing slash. */
  url: string;
}

export interface Tokens {
  access_token: string;
  token_type: string;
  expires_in: number;
  refresh_token: string;
  scope: string;
}

export function pkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** Return a correct authorization request. An empty parameter is left out. */
export function authorizationRequest(
  client: RegisteredClient,
  more: Record<string, string> = {},
): URLSearchParams {
  const parameters = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: client.redirectUri,
    scope: 'profile:read posts:read',
    state: 'af0ifjsldkj',
    ...more,
  };
  return new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== ''));
}

/** Open the authorization page in a signed-in browser and answer it. Returns the address of the redirect. */
export async function answerConsent(
  browser: Browser,
  request: URLSearchParams,
  fields: { decision: string; scope?: string[]; duration?: string } = { decision: 'allow' },
): Promise<URL> {
  const first = await browser.open(`/oauth/authorize?${request}`);
  const redirect =
    first.status === 200 ? await browser.submit(await first.text(), '/oauth/consent', { ...fields }) : first;
  assert.equal(redirect.status, 303, await redirect.clone().text());
  return new URL(redirect.headers.get('location') ?? '');
}

/** Send a request to the token endpoint, with the application's id and secret in the body. */
export async function askToken(
  app: Site,
  client: RegisteredClient,
  fields: Record<string, string>,
): Promise<Response> {
  return postForm(app, '/api/oauth/token', { ...credentials(client), ...fields });
}

/** Send a token to the revocation endpoint. */
export async function revoke(app: Site, client: RegisteredClient, token: string): Promise<Response> {
  return postForm(app, '/api/oauth/revoke', { ...credentials(client), token });
}

/** Go through the whole flow with PKCE and consent. Returns the tokens. */
export async function signInWith(
  app: Site,
  client: RegisteredClient,
  username: string,
  scope?: string,
): Promise<Tokens> {
  const { verifier, challenge } = pkce();
  const browser = await browserOf(app, username);
  const request = authorizationRequest(client, {
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...(scope === undefined ? {} : { scope }),
  });
  const callback = await answerConsent(browser, request);
  const answer = await askToken(app, client, {
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code') ?? '',
    redirect_uri: client.redirectUri,
    code_verifier: verifier,
  });
  assert.equal(answer.status, 200, await answer.clone().text());
  return (await answer.json()) as Tokens;
}

/** Call the resource API with a token. */
export function callApi(app: Site, path: string, token: string): Promise<Response> {
  return fetch(`${app.url}/api/open/v1${path}`, { headers: { Authorization: `Bearer ${token}` } });
}

/**
 * Send a request many times at once. The connections are opened before: requests that open their own would arrive one
 * after another, and never race.
 */
export async function atOnce(app: Site, times: number, send: () => Promise<Response>): Promise<Response[]> {
  const all = <T>(one: () => Promise<T>) => Promise.all(Array.from({ length: times }, one));
  await all(async () => (await fetch(`${app.url}/healthz`)).text());
  return all(send);
}

export function postForm(app: Site, path: string, fields: Record<string, string>): Promise<Response> {
  return fetch(app.url + path, { method: 'POST', body: new URLSearchParams(fields) });
}

function credentials(client: RegisteredClient): Record<string, string> {
  return client.secret === ''
    ? { client_id: client.id }
    : { client_id: client.id, client_secret: client.secret };
}
