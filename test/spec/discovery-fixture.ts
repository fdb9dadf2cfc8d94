// The fixture of the tests of discovery: alice is signed in and has allowed an application everything.

import assert from 'node:assert/strict';
import { type App, openApp } from '../support/app.ts';
import type { Browser } from '../support/browser.ts';
import { json } from '../support/json.ts';
import { openIdRequest, openIdTokens } from '../support/openid.ts';
import { browserOf, notebook, person, pocket, type RegisteredClient } from '../support/people.ts';
import { answerConsent, pkce } from '../support/relying-party.ts';

export let app: App;
export let alice: { id: number };
/** Alice is signed in here. */
export let browser: Browser;
/** Alice has allowed it everything. */
export let client: RegisteredClient;
export let phone: RegisteredClient;
// biome-ignore lint/suspicious/noExplicitAny: tests read whatever fields the document has
export let metadata: Record<string, any>;

export const EVERYTHING = 'openid profile:read posts:read';
export const WELL_KNOWN = [
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/.well-known/jwks.json',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/api/open/v1',
  '/.well-known/oauth-protected-resource/mcp',
];

/** Open the program with its members and applications. */
export async function openFixture(): Promise<void> {
  app = await openApp();
  alice = await person(app.portico, 'alice');
  client = await notebook(app.portico, { postLogoutRedirectUris: ['https://notebook.example.com/bye'] });
  phone = await pocket(app.portico);
  browser = await browserOf(app, 'alice');
  await openIdTokens(app, client, browser, { scope: EVERYTHING });
  metadata = await json(await fetch(`${app.url}/.well-known/openid-configuration`));
}

/** Open the authorization endpoint that the metadata names. */
export function authorize(more: Record<string, string> = {}, by = browser): Promise<Response> {
  const { pathname } = new URL(metadata.authorization_endpoint);
  return by.open(`${pathname}?${openIdRequest(client, more)}`);
}

export function redirectTarget(answer: Response): URL {
  assert.equal(answer.status, 303);
  return new URL(answer.headers.get('location') ?? '', app.url);
}

export function errorOf(answer: Response): string | null {
  return redirectTarget(answer).searchParams.get('error');
}

export function assertCode(answer: Response): void {
  assert.ok(redirectTarget(answer).searchParams.get('code'), answer.headers.get('location') ?? '');
}

/** Post to an endpoint as the application that authenticates with this method. */
export async function postAs(
  method: string,
  endpoint: string,
  fields: Record<string, string>,
): Promise<Response> {
  const basic = Buffer.from(`${client.id}:${client.secret}`).toString('base64');
  const credentials: Record<string, [Record<string, string>, Record<string, string>]> = {
    client_secret_basic: [{ Authorization: `Basic ${basic}` }, {}],
    client_secret_post: [{}, { client_id: client.id, client_secret: client.secret }],
    none: [{}, { client_id: phone.id }],
  };
  const [headers, more] = credentials[method] ?? assert.fail(`no test authenticates with ${method}`);
  return fetch(endpoint, { method: 'POST', headers, body: new URLSearchParams({ ...fields, ...more }) });
}

/** Get a code for the application that authenticates with this method. Returns the fields of its exchange. */
export async function exchangeFor(method: string): Promise<Record<string, string>> {
  const application = method === 'none' ? phone : client;
  const { verifier, challenge } = pkce();
  const request = openIdRequest(application, { code_challenge: challenge, code_challenge_method: 'S256' });
  const callback = await answerConsent(browser, request);
  return {
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code') ?? '',
    redirect_uri: application.redirectUri,
    code_verifier: verifier,
  };
}

export async function userinfoOf(token: string): Promise<Response> {
  return fetch(metadata.userinfo_endpoint, { headers: { Authorization: `Bearer ${token}` } });
}
