// RFC 8707 at the authorization and the token endpoint.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type App, openApp } from '../support/app.ts';
import type { Browser } from '../support/browser.ts';
import { json } from '../support/json.ts';
import { browserOf, notebook, person, type RegisteredClient } from '../support/people.ts';
import { answerConsent, askToken, authorizationRequest, callApi } from '../support/relying-party.ts';

let app: App;
let client: RegisteredClient;
let browser: Browser;

before(async () => {
  app = await openApp();
  await person(app.portico, 'alice');
  client = await notebook(app.portico);
  browser = await browserOf(app, 'alice');
});
after(() => app.close());

async function codeFor(resource: string): Promise<string> {
  const callback = await answerConsent(browser, authorizationRequest(client, { resource }));
  return callback.searchParams.get('code') ?? '';
}

function redeem(code: string, resource: string): Promise<Response> {
  const redirect = { redirect_uri: client.redirectUri };
  return askToken(app, client, { grant_type: 'authorization_code', code, resource, ...redirect });
}

test('A token for the endpoint for assistants is for the API as well: tokens are for the whole service.', async () => {
  const answer = await redeem(await codeFor(`${app.url}/mcp`), `${app.url}/mcp`);

  const { access_token: token } = await json(answer);
  assert.equal((await callApi(app, '/me', token)).status, 200);
});

test('A resource of another service is invalid_target, and uses nothing up.', async () => {
  const other = 'https://other.example/mcp';
  const code = await codeFor(`${app.url}/api/open/v1`);

  const atAuthorize = await browser.open(
    `/oauth/authorize?${authorizationRequest(client, { resource: other })}`,
  );
  const atToken = await redeem(code, other);
  const repeated = authorizationRequest(client, { resource: `${app.url}/mcp` });
  repeated.append('resource', `${app.url}/api/open/v1`);
  const twice = await browser.open(`/oauth/authorize?${repeated}`);

  const errorOf = (answer: Response) =>
    new URL(answer.headers.get('location') ?? '').searchParams.get('error');
  assert.equal(errorOf(atAuthorize), 'invalid_target');
  assert.equal(errorOf(twice), 'invalid_request');
  assert.equal(atToken.status, 400);
  assert.equal((await json(atToken)).error, 'invalid_target');
  assert.equal((await redeem(code, '')).status, 200);
});

test('A used code or refresh token ends the sign-in also where the request names a resource of another service.', async () => {
  const other = 'https://other.example/mcp';
  const code = await codeFor('');
  const first = await json(await redeem(code, ''));
  const replay = await redeem(code, other);
  const second = await json(await redeem(await codeFor(''), ''));
  const refresh = (resource: string) =>
    askToken(app, client, { grant_type: 'refresh_token', refresh_token: second.refresh_token, resource });
  const rotated = await json(await refresh(''));
  app.clock.advance(60_000);
  const reuse = await refresh(other);

  assert.equal((await json(replay)).error, 'invalid_grant');
  assert.equal((await callApi(app, '/me', first.access_token)).status, 401);
  assert.equal((await json(reuse)).error, 'invalid_grant');
  assert.equal((await callApi(app, '/me', rotated.access_token)).status, 401);
});
