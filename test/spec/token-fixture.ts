// The fixture of the tests of the token endpoint: alice is signed in, and two applications are registered.

import assert from 'node:assert/strict';
import { type App, openApp } from '../support/app.ts';
import type { Browser } from '../support/browser.ts';
import { json } from '../support/json.ts';
import { browserOf, notebook, person, pocket, type RegisteredClient } from '../support/people.ts';
import { answerConsent, authorizationRequest, pkce } from '../support/relying-party.ts';

export let app: App;
export let client: RegisteredClient;
export let phone: RegisteredClient;
export let browser: Browser;

/** Open the program with its members and applications. */
export async function openFixture(): Promise<void> {
  app = await openApp({ TOKEN_RATE_LIMIT_PER_MINUTE: '100000' });
  await person(app.portico, 'alice');
  client = await notebook(app.portico);
  phone = await pocket(app.portico);
  browser = await browserOf(app, 'alice');
}

export const TOKEN = '/api/oauth/token';

/** Get a code. Returns the fields of a correct exchange. */
export async function exchange(of = client, withPkce = true): Promise<Record<string, string>> {
  const { verifier, challenge } = pkce();
  const proof = { code_challenge: challenge, code_challenge_method: 'S256' };
  const callback = await answerConsent(browser, authorizationRequest(of, withPkce ? proof : {}));
  return {
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code') ?? '',
    redirect_uri: of.redirectUri,
    ...(withPkce ? { code_verifier: verifier } : {}),
  };
}

export async function assertError(answer: Response, status: number, error: string): Promise<void> {
  const body = await json(answer);
  assert.equal(`${answer.status} ${body.error}`, `${status} ${error}`, body.error_description);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  assert.equal(answer.headers.get('pragma'), 'no-cache');
  assert.match(body.error_description, /^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/);
  assert.equal(body.error_uri, `${app.url}/docs/errors/${error}`);
}

export function basic(id: string, secret: string): Record<string, string> {
  return {
    Authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
  };
}

export function post(
  body: URLSearchParams | string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(app.url + TOKEN, { method: 'POST', body, headers });
}
