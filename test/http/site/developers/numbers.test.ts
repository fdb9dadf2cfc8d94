// The numbers that the owner of an application sees.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { DAY, HOUR } from '../../../../src/lib/clock.ts';
import { type App, openApp } from '../../../support/app.ts';
import { browserOf, notebook, person, type RegisteredClient } from '../../../support/people.ts';
import { askToken, callApi, signInWith } from '../../../support/relying-party.ts';

let app: App;
let client: RegisteredClient;

beforeEach(async () => {
  app = await openApp();
  const alice = await person(app.portico, 'alice');
  client = await notebook(app.portico, {
    ownerId: alice.id,
    redirectUris: ['https://notebook.example.com/callback', 'https://old.example.com/callback'],
  });
});
afterEach(() => app.close());

async function overview(tab = ''): Promise<string> {
  const browser = await browserOf(app, 'alice');
  return (await browser.read(`/developers/apps/${client.id}${tab}`))
    .replaceAll(/<svg.*?<\/svg>/gs, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

test('the owner sees calls, refusals and replays of 30 days, each with what to do', async () => {
  const first = await signInWith(app, client, 'alice', 'profile:read');
  for (let n = 0; n < 3; n += 1) await callApi(app, '/me', first.access_token);
  await callApi(app, '/me/posts', first.access_token);
  const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh_token };
  await askToken(app, { ...client, secret: 'wrong' }, refresh);
  await askToken(app, client, refresh);
  app.clock.advance(11_000);
  await askToken(app, client, refresh);
  await callApi(app, '/me', first.access_token);

  const text = await overview();
  for (const line of [
    'Members now 1',
    'Tokens issued 2',
    'API calls 3',
    'API: token refused (401) 1',
    'API: scope missing (403) 1 Members can untick scopes',
    'Wrong secret 1',
    'Code or refresh token refused 1',
    'Old refresh tokens used 1 Each of these ended a sign-in. Refresh one at a time',
  ]) {
    assert(text.includes(line), `${line}\n${text}`);
  }

  app.clock.advance(32 * DAY);
  await app.portico.purge();
  assert.match(await overview(), /Tokens issued 0 API calls 0/);
});

test('the owner sees which callback and which secret were used last, to the hour', async () => {
  await signInWith(app, client, 'alice');
  assert.match(await overview(), /callback last matched within the last hour /);
  app.clock.advance(3 * HOUR);

  assert.match(
    await overview(),
    /notebook\.example\.com\/callback last matched 3 hours ago .*old\.example\.com\/callback not matched in 30 days/,
  );
  assert.match(await overview('/secrets'), new RegExp(`…${client.secret.slice(-4)} .* 3 hours ago`));
});

test('calls with API tokens and of other applications are not counted', async () => {
  const other = await notebook(app.portico, { name: 'Other' });
  const { access_token: token } = await signInWith(app, other, 'alice');
  await callApi(app, '/me', token);

  assert.match(await overview(), /Members now 0 Tokens issued 0 API calls 0/);
});
