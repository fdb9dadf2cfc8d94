// The limits of the token endpoint (contract §4). Nobody's junk shuts out a genuine grant.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { MINUTE } from '../../../src/lib/clock.ts';
import { type App, openApp } from '../../support/app.ts';
import { json } from '../../support/json.ts';
import { browserOf, notebook, person, pocket, type RegisteredClient } from '../../support/people.ts';
import {
  answerConsent,
  askToken,
  authorizationRequest,
  pkce,
  signInWith,
  type Tokens,
} from '../../support/relying-party.ts';

const LIMIT = 20;
const HERE = '192.0.2.1';
const ELSEWHERE = '198.51.100.7';

let app: App;
let phone: RegisteredClient;
let server: RegisteredClient;

before(async () => {
  app = await openApp({ TOKEN_RATE_LIMIT_PER_MINUTE: `${LIMIT}`, TRUST_PROXY: '127.0.0.1' });
  await person(app.portico, 'alice');
  phone = await pocket(app.portico);
  server = await notebook(app.portico);
});
after(() => app.close());
// Each test has windows of its own.
beforeEach(() => app.clock.advance(MINUTE));

function refresh(client: RegisteredClient, token: string, from: string): Promise<Response> {
  return fetch(`${app.url}/api/oauth/token`, {
    method: 'POST',
    headers: { 'X-Forwarded-For': from },
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: token,
      client_id: client.id,
      ...(client.secret !== '' && { client_secret: client.secret }),
    }),
  });
}

async function statuses(count: number, send: () => Promise<Response>): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, async () => (await send()).status));
}

const countOf = (status: number, all: number[]) => all.filter((other) => other === status).length;

async function signedIn(client: RegisteredClient): Promise<Tokens> {
  return signInWith(app, client, 'alice');
}

test('Junk that names a public application is limited per address, and its members elsewhere notice nothing.', async () => {
  const tokens = await signedIn(phone);
  const junk = await statuses(3 * LIMIT, () => refresh(phone, 'junk', HERE));

  const elsewhere = await refresh(phone, tokens.refresh_token, ELSEWHERE);

  assert.deepEqual([countOf(400, junk), countOf(429, junk)], [LIMIT, 2 * LIMIT]);
  assert.equal(elsewhere.status, 200);
});

test('A live grant of a public application passes in spite of junk from the same address.', async () => {
  let { refresh_token: newest } = await signedIn(phone);
  await statuses(2 * LIMIT, () => refresh(phone, 'junk', HERE));

  for (let turn = 0; turn < LIMIT; turn += 1) {
    const answer = await refresh(phone, newest, HERE);
    assert.equal(answer.status, 200);
    newest = (await json(answer)).refresh_token;
  }
  const beyond = await refresh(phone, newest, HERE);
  app.clock.advance(MINUTE);
  const later = await refresh(phone, newest, HERE);

  assert.deepEqual([beyond.status, beyond.headers.get('retry-after')], [429, '60']);
  assert.equal(later.status, 200);
});

test('A used token of a public application is recognised in spite of junk from the same address, and ends its sign-in.', async () => {
  const first = await signedIn(phone);
  const second = await json(await refresh(phone, first.refresh_token, HERE));
  await statuses(2 * LIMIT, () => refresh(phone, 'junk', HERE));

  const replay = await refresh(phone, first.refresh_token, HERE);

  assert.deepEqual([replay.status, (await json(replay)).error], [400, 'invalid_grant']);
  assert.equal((await refresh(phone, second.refresh_token, ELSEWHERE)).status, 400);
});

test('A used code of a public application is recognised in spite of junk from the same address, and ends its sign-in.', async () => {
  const { verifier, challenge } = pkce();
  const request = authorizationRequest(phone, { code_challenge: challenge, code_challenge_method: 'S256' });
  const callback = await answerConsent(await browserOf(app, 'alice'), request);
  const form = {
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code') ?? '',
    redirect_uri: phone.redirectUri,
    code_verifier: verifier,
  };
  const tokens = await json(await askToken(app, phone, form));
  // The form comes from this machine's own address.
  await statuses(2 * LIMIT, () =>
    askToken(app, phone, { grant_type: 'refresh_token', refresh_token: 'junk' }),
  );

  const replay = await askToken(app, phone, form);

  assert.deepEqual([replay.status, (await json(replay)).error], [400, 'invalid_grant']);
  assert.equal((await refresh(phone, tokens.refresh_token, ELSEWHERE)).status, 400);
});

test('A token of a public application is revoked in spite of junk from the same address.', async () => {
  const { access_token: access, refresh_token: newest } = await signedIn(phone);
  const revoke = (token: string) =>
    fetch(`${app.url}/api/oauth/revoke`, {
      method: 'POST',
      headers: { 'X-Forwarded-For': HERE },
      body: new URLSearchParams({ token, client_id: phone.id }),
    });
  const junk = await statuses(2 * LIMIT, () => revoke('junk'));

  const answers = [await revoke('junk'), await revoke(access), await revoke(newest)];

  assert.equal(countOf(429, junk), LIMIT);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [429, 200, 200],
  );
  assert.equal((await refresh(phone, newest, ELSEWHERE)).status, 400);
});

test('Unknown applications share one limit on failed authentications from an address.', async () => {
  let number = 0;
  const unknown = () => refresh({ ...server, id: `app_unknown${number++}`, secret: 'x' }, 'junk', HERE);
  const answers = await statuses(30, unknown);

  const known = await refresh({ ...server, secret: 'wrong' }, 'junk', HERE);
  const elsewhere = await refresh({ ...server, id: 'app_unknown', secret: 'x' }, 'junk', ELSEWHERE);

  assert.deepEqual([countOf(401, answers), countOf(429, answers)], [20, 10]);
  assert.deepEqual([known.status, elsewhere.status], [401, 401]);
});

test('All requests of a server application share one limit, and only requests with its secret count.', async () => {
  const { refresh_token: token } = await signedIn(server);
  const wrong = await statuses(3 * LIMIT, () => refresh({ ...server, secret: 'wrong' }, 'junk', HERE));

  const right = await refresh(server, token, HERE);
  const rest = await statuses(LIMIT, () => refresh(server, 'junk', ELSEWHERE));

  assert.equal(countOf(401, wrong), 20);
  assert.equal(right.status, 200);
  assert.ok(countOf(429, rest) >= 1 && countOf(400, rest) <= LIMIT - 1, `${rest}`);
});
