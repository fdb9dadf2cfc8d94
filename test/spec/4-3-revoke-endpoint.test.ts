// Spec §4.3 with contract §5: POST /api/oauth/revoke.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type App, openApp } from '../support/app.ts';
import { json } from '../support/json.ts';
import { notebook, type Person, person, pocket, type RegisteredClient } from '../support/people.ts';
import { askToken, callApi, postForm, revoke, signInWith } from '../support/relying-party.ts';
import { addPersonalToken } from '../support/seeding.ts';

let app: App;
let alice: Person;
let client: RegisteredClient;

before(async () => {
  app = await openApp();
  alice = await person(app.portico, 'alice');
  client = await notebook(app.portico);
});
after(() => app.close());

async function assertDone(answer: Response): Promise<void> {
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
  assert.equal(await answer.text(), '{}');
}

test('Access token: only that token is revoked.', async () => {
  const tokens = await signInWith(app, client, 'alice');

  await assertDone(await revoke(app, client, tokens.access_token));

  assert.equal((await callApi(app, '/', tokens.access_token)).status, 401);
  assert.equal(
    (await askToken(app, client, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }))
      .status,
    200,
  );
});

test('Refresh token, also an old one: the whole sign-in ends.', async () => {
  for (const which of ['new', 'old']) {
    const tokens = await signInWith(app, client, 'alice');
    const next = await json(
      await askToken(app, client, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }),
    );

    await assertDone(await revoke(app, client, which === 'new' ? next.refresh_token : tokens.refresh_token));

    assert.equal((await callApi(app, '/', tokens.access_token)).status, 401);
    assert.equal((await callApi(app, '/', next.access_token)).status, 401);
    assert.equal(
      (await askToken(app, client, { grant_type: 'refresh_token', refresh_token: next.refresh_token }))
        .status,
      400,
    );
  }
});

test('Another sign-in of the same member at the same application goes on.', async () => {
  const laptop = await signInWith(app, client, 'alice');
  const phone = await signInWith(app, client, 'alice');

  await revoke(app, client, laptop.refresh_token);

  assert.equal((await callApi(app, '/', phone.access_token)).status, 200);
});

test('200 with {} also for an unknown, foreign, or already dead token (foreign: untouched).', async () => {
  const tokens = await signInWith(app, client, 'alice');
  const other = await notebook(app.portico);

  await assertDone(await revoke(app, client, 'garbage'));
  await assertDone(await revoke(app, client, `${tokens.access_token}x`));
  await assertDone(await revoke(app, other, tokens.access_token));
  await assertDone(await revoke(app, other, tokens.refresh_token));
  assert.equal((await callApi(app, '/', tokens.access_token)).status, 200);
  await assertDone(await revoke(app, client, tokens.access_token));
  await assertDone(await revoke(app, client, tokens.access_token));
});

test('`token_type_hint` is only a hint.', async () => {
  for (const hint of ['refresh_token', 'access_token', 'nonsense']) {
    const tokens = await signInWith(app, client, 'alice');

    await assertDone(
      await postForm(app, '/api/oauth/revoke', {
        client_id: client.id,
        client_secret: client.secret,
        token: tokens.access_token,
        token_type_hint: hint,
      }),
    );

    assert.equal((await callApi(app, '/', tokens.access_token)).status, 401);
  }
});

test('Personal tokens are not touched.', async () => {
  const token = await addPersonalToken(app.portico, alice.id);

  await assertDone(await revoke(app, client, token.text));

  assert.equal((await callApi(app, '/', token.text)).status, 200);
});

test('A public application revokes its own tokens with its client_id alone.', async () => {
  const phone = await pocket(app.portico);
  const tokens = await signInWith(app, phone, 'alice');

  await assertDone(await revoke(app, phone, tokens.refresh_token));

  assert.equal((await callApi(app, '/', tokens.access_token)).status, 401);
});

test('Form fields: `token` (required), `client_id` (required), `client_secret` (for confidential clients).', async () => {
  const tokens = await signInWith(app, client, 'alice');
  const url = '/api/oauth/revoke';

  const noToken = await postForm(app, url, { client_id: client.id, client_secret: client.secret });
  const noClient = await postForm(app, url, { token: tokens.access_token });
  const noSecret = await postForm(app, url, { token: tokens.access_token, client_id: client.id });
  const twice = await fetch(app.url + url, {
    method: 'POST',
    body: new URLSearchParams([
      ['token', 'a'],
      ['token', 'b'],
      ['client_id', client.id],
      ['client_secret', client.secret],
    ]),
  });

  assert.deepEqual([noToken.status, (await json(noToken)).error], [400, 'invalid_request']);
  assert.deepEqual([noClient.status, (await json(noClient)).error], [400, 'invalid_request']);
  assert.deepEqual([noSecret.status, (await json(noSecret)).error], [401, 'invalid_client']);
  assert.deepEqual([twice.status, (await json(twice)).error], [400, 'invalid_request']);
  assert.equal((await callApi(app, '/', tokens.access_token)).status, 200);
});

test('Only POST is allowed; there is no JSONP.', async () => {
  const answer = await fetch(`${app.url}/api/oauth/revoke?callback=x`);

  assert.equal(answer.status, 405);
  assert.equal(answer.headers.get('allow'), 'POST');
});

test('If the store fails: 503, never 200.', async () => {
  const broken = await openApp();
  await person(broken.portico, 'alice');
  const own = await notebook(broken.portico);
  const tokens = await signInWith(broken, own, 'alice');
  await broken.portico.database.close();

  const answer = await revoke(broken, own, tokens.access_token);

  assert.equal(answer.status, 503);
  assert.equal(answer.headers.get('retry-after'), '5');
  await broken.close();
});
