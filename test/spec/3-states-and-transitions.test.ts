// Spec §3: the rules that hold for credentials. Each title is a sentence of it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type App, openApp } from '../support/app.ts';
import { json } from '../support/json.ts';
import {
  browserOf,
  notebook,
  type Person,
  person,
  pocket,
  type RegisteredClient,
  setStatus,
} from '../support/people.ts';
import {
  answerConsent,
  askToken,
  atOnce,
  authorizationRequest,
  callApi,
  revoke,
  signInWith,
} from '../support/relying-party.ts';
import { addPersonalToken } from '../support/seeding.ts';

let app: App;
let alice: Person;
let client: RegisteredClient;

before(async () => {
  app = await openApp();
  alice = await person(app.portico, 'alice');
  await person(app.portico, 'bob');
  client = await notebook(app.portico);
});
after(() => app.close());

async function freshCode(username = 'alice', of = client): Promise<Record<string, string>> {
  const callback = await answerConsent(await browserOf(app, username), authorizationRequest(of));
  const code = callback.searchParams.get('code') ?? '';
  return { grant_type: 'authorization_code', code, redirect_uri: of.redirectUri };
}

async function errorOf(answer: Response): Promise<string> {
  return `${answer.status} ${(await json(answer)).error}`;
}

test('An authorization code is valid for 5 minutes', async () => {
  const young = await freshCode();
  app.clock.advance(299_000);
  const inTime = await askToken(app, client, young);

  const old = await freshCode();
  app.clock.advance(300_000);
  const late = await askToken(app, client, old);

  assert.equal(inTime.status, 200);
  assert.equal(await errorOf(late), '400 invalid_grant');
});

test('An authorization code can be redeemed once, also when it is presented many times at the same moment.', async () => {
  const exchange = await freshCode();

  const answers = await atOnce(app, 32, () => askToken(app, client, exchange));

  const statuses = answers.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [200, ...Array(31).fill(400)]);
});

test('When a code is presented a second time, the token endpoint answers `invalid_grant`. On detecting such reuse the service also revokes all tokens of that user for that application.', async () => {
  const earlier = await signInWith(app, client, 'alice');
  const others = await signInWith(app, client, 'bob');
  const exchange = await freshCode();
  const tokens = await json(await askToken(app, client, exchange));
  const personal = await addPersonalToken(app.portico, alice.id);

  const replay = await askToken(app, client, exchange);

  assert.equal(await errorOf(replay), '400 invalid_grant');
  assert.equal((await callApi(app, '/', tokens.access_token)).status, 401);
  assert.equal((await callApi(app, '/', earlier.access_token)).status, 401);
  const refreshed = await askToken(app, client, {
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token,
  });
  assert.equal(await errorOf(refreshed), '400 invalid_grant');
  assert.equal((await callApi(app, '/', others.access_token)).status, 200);
  assert.equal((await callApi(app, '/', personal.text)).status, 200);
});

test('Reuse of a code is recognised after its tokens were rotated and long after it expired.', async () => {
  const exchange = await freshCode();
  let tokens = await json(await askToken(app, client, exchange));
  for (let generation = 0; generation < 3; generation += 1) {
    app.clock.advance(20 * 24 * 3600 * 1000);
    tokens = await json(
      await askToken(app, client, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }),
    );
  }
  assert.equal((await callApi(app, '/', tokens.access_token)).status, 200);

  await askToken(app, client, exchange);

  assert.equal((await callApi(app, '/', tokens.access_token)).status, 401);
});

test('Every successful refresh issues a new refresh token and invalidates the old one immediately.', async () => {
  const tokens = await signInWith(app, client, 'alice');

  const refreshed = await askToken(app, client, {
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token,
  });
  const again = await askToken(app, client, {
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token,
  });

  const next = await json(refreshed);
  assert.notEqual(next.refresh_token, tokens.refresh_token);
  assert.equal(await errorOf(again), '400 invalid_grant');
});

test('An old refresh token that is used again later ends the sign-in, with its newest tokens.', async () => {
  const tokens = await signInWith(app, client, 'alice');
  const next = await json(
    await askToken(app, client, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }),
  );
  app.clock.advance(11_000);

  await askToken(app, client, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token });

  assert.equal((await callApi(app, '/', next.access_token)).status, 401);
  const refreshed = await askToken(app, client, {
    grant_type: 'refresh_token',
    refresh_token: next.refresh_token,
  });
  assert.equal(await errorOf(refreshed), '400 invalid_grant');
});

test('A revoked token is answered with 401 by the resource API.', async () => {
  const tokens = await signInWith(app, client, 'alice');
  assert.equal((await callApi(app, '/', tokens.access_token)).status, 200);

  const answer = await revoke(app, client, tokens.access_token);

  assert.equal(answer.status, 200);
  assert.equal((await callApi(app, '/', tokens.access_token)).status, 401);
});

test('An expired token is answered with 401 by the resource API.', async () => {
  const tokens = await signInWith(app, client, 'alice');

  app.clock.advance(3_599_000);
  const inTime = await callApi(app, '/', tokens.access_token);
  app.clock.advance(1_000);
  const late = await callApi(app, '/', tokens.access_token);

  assert.equal(inTime.status, 200);
  assert.equal(late.status, 401);
});

for (const status of ['suspended', 'closed'] as const) {
  test(`A token of an account whose status is unusable (${status}) is answered with 401 by the resource API, on the very next call.`, async () => {
    const name = `carol-${status}`;
    const carol = await person(app.portico, name);
    const tokens = await signInWith(app, client, name);
    const exchange = await freshCode(name);
    const personal = await addPersonalToken(app.portico, carol.id);
    assert.equal((await callApi(app, '/', tokens.access_token)).status, 200);

    await setStatus(app.portico.identity, carol.id, status);

    assert.equal((await callApi(app, '/', tokens.access_token)).status, 401);
    assert.equal((await callApi(app, '/', personal.text)).status, 401);
    assert.equal(await errorOf(await askToken(app, client, exchange)), '400 invalid_grant');
    const refreshed = await askToken(app, client, {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token,
    });
    assert.equal(await errorOf(refreshed), '400 invalid_grant');
  });
}

test('The same rules hold for a public application, which has no secret.', async () => {
  const phone = await pocket(app.portico);
  const tokens = await signInWith(app, phone, 'bob');
  const next = await json(
    await askToken(app, phone, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }),
  );

  const again = await askToken(app, phone, {
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token,
  });

  assert.equal(await errorOf(again), '400 invalid_grant');
  assert.equal((await callApi(app, '/', next.access_token)).status, 401);
});
