// Spec §1. Each title is a sentence of it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type App, openApp } from '../support/app.ts';
import { json } from '../support/json.ts';
import {
  browserOf,
  notebook,
  type Person,
  person,
  publish,
  type RegisteredClient,
} from '../support/people.ts';
import {
  answerConsent,
  askToken,
  authorizationRequest,
  callApi,
  signInWith,
} from '../support/relying-party.ts';

let app: App;
let alice: Person;
let client: RegisteredClient;

before(async () => {
  app = await openApp();
  alice = await person(app.portico, 'alice', 'Reads a lot');
  client = await notebook(app.portico);
});
after(() => app.close());

test("The service is a community posting site that lets third-party applications sign a user in and read that user's data.", async () => {
  await publish(app.portico, alice, 'On walking');

  const tokens = await signInWith(app, client, 'alice');

  const me = await json(await callApi(app, '/me', tokens.access_token));
  const posts = await json(await callApi(app, '/me/posts', tokens.access_token));
  assert.equal(me.username, 'alice');
  assert.equal(posts.items[0].title, 'On walking');
});

test('An application sends the user to an authorization page, receives a one-time code, and exchanges it for an access token and a refresh token (OAuth 2.0 authorization code flow).', async () => {
  const browser = await browserOf(app, 'alice');

  const callback = await answerConsent(browser, authorizationRequest(client));
  const exchange = {
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code') ?? '',
    redirect_uri: client.redirectUri,
  };
  const first = await askToken(app, client, exchange);
  const second = await askToken(app, client, exchange);

  const tokens = await json(first);
  assert.match(tokens.access_token, /^svco_/);
  assert.match(tokens.refresh_token, /^svcr_/);
  assert.equal(second.status, 400);
});

test("With the access token the application calls a read-only API to read the user's profile and the user's own published posts.", async () => {
  const bob = await person(app.portico, 'bob');
  await publish(app.portico, bob, 'Not for alice to list');
  const tokens = await signInWith(app, client, 'alice');

  const posts = await json(await callApi(app, '/me/posts?size=50', tokens.access_token));
  const attempt = await fetch(`${app.url}/api/open/v1/me`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${tokens.access_token}` },
  });

  assert.ok(!JSON.stringify(posts).includes('Not for alice to list'));
  assert.equal(attempt.status, 405);
});

test('A user can also create a personal token in the profile settings (section "API tokens") and use it in place of an OAuth access token.', async () => {
  const browser = await browserOf(app, 'alice');
  const page = await (await browser.open('/settings/tokens')).text();
  assert.match(page, /API tokens/);

  const answer = await browser.submit(page, '/settings/tokens', {
    name: 'backup script',
    scope: ['profile:read'],
    expires: '90',
  });
  const token = /svcp_[A-Za-z0-9]{60}/.exec(await answer.text())?.[0] ?? '';

  const me = await callApi(app, '/me', token);
  assert.equal(me.status, 200);
  assert.equal((await json(me)).id, alice.id);
});
