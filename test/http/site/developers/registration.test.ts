// A member registers an application on one page, as the operators allow it.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { byServer } from '../../../../src/audit/doer.ts';
import { HOUR } from '../../../../src/lib/clock.ts';
import { activateClient } from '../../../../src/oauth/client-status.ts';
import { type App, openApp } from '../../../support/app.ts';
import { type Browser, formIn } from '../../../support/browser.ts';
import { browserOf, person, type RegisteredClient } from '../../../support/people.ts';
import { askToken, authorizationRequest, signInWith } from '../../../support/relying-party.ts';

let app: App;
let browser: Browser;

beforeEach(async () => {
  app = await openApp();
  await person(app.portico, 'alice');
  await person(app.portico, 'mallory');
  browser = await browserOf(app, 'mallory');
});
afterEach(() => app.close());

const NEW = '/developers/apps/new';
const GOOD = {
  kind: 'server',
  name: 'Reading list',
  redirect_uri: ['https://list.example/callback', ''],
  scope: ['openid', 'profile:read'],
};

async function register(fields: Record<string, string | string[]>): Promise<Response> {
  return browser.submit(await browser.read(NEW), NEW, { ...GOOD, ...fields });
}

function credentialsIn(page: string, redirectUri = 'https://list.example/callback'): RegisteredClient {
  const id = /app_[A-Za-z0-9]{22}/.exec(page)?.[0] ?? '';
  return { id, secret: /svcs_[A-Za-z0-9]{60}/.exec(page)?.[0] ?? '', redirectUri };
}

test('a member registers a server app on one page, and members sign in with it at once', async () => {
  const answer = await register({ description: 'Keeps what you want to read.' });
  const page = await answer.text();

  assert.equal(answer.status, 200);
  const client = credentialsIn(page);
  const tokens = await signInWith(app, client, 'alice', 'profile:read');
  assert.equal(tokens.scope, 'profile:read');
  assert.match(await browser.read('/developers/apps'), /Reading list/);
  // The secret is never shown again.
  const overview = await browser.read(`/developers/apps/${client.id}`);
  assert.equal(overview.includes(client.secret), false);
  assert.match(overview, /https:\/\/list\.example\/callback/);
});

test('pages in the browser and installed programs get no secret; a script is sent to API tokens', async () => {
  for (const kind of ['browser', 'device']) {
    const page = await (await register({ kind })).text();
    assert.equal(credentialsIn(page).secret, '');
    assert.match(page, /Browser or native app/);
  }

  const page = await (await register({ kind: 'script' })).text();
  assert.match(page, /A script needs no application/);
  assert.match(page, /href="\/settings\/tokens#new"/);
  assert.equal((await app.portico.oauth.reads.clientsOf(2)).length, 2);
});

test('a link fills in the form, with no addresses but those on the developer’s own computer', async () => {
  const uris = [
    'http://127.0.0.1:4000/callback',
    'https://mallory.example/cb',
    'com.example.app:/cb',
    'http://x/',
  ];
  const query = new URLSearchParams({ kind: 'device', name: 'My <first>', scopes: 'posts:read,nothing' });
  for (const uri of uris) query.append('redirect_uri', uri);

  const fields = formIn(await browser.read(`${NEW}?${query}`), NEW);
  const valuesOf = (name: string) => fields.filter(([each]) => each === name).map(([, value]) => value);
  assert.deepEqual(valuesOf('kind'), ['device']);
  assert.deepEqual(valuesOf('name'), ['My <first>']);
  assert.deepEqual(valuesOf('scope'), ['posts:read']);
  assert.deepEqual(valuesOf('redirect_uri'), ['http://127.0.0.1:4000/callback', '', '']);
});

test('each mistake is named at its field, in both languages, and nothing typed is lost', async () => {
  const wrong = {
    name: '',
    home_page: 'list.example',
    redirect_uri: [
      'http://list.example/callback',
      'https://list.example/callback#x',
      'https://a:b@list.example/',
      'https://LIST.example/callback',
      'https://list.example/*',
      'https://list.example/ok',
      'https://list.example/ok',
      'https://xn--fsq.example/cb',
      'http://localhost:3000/callback',
    ],
  };
  const answer = await register(wrong);
  const page = await answer.text();

  assert.equal(answer.status, 400);
  for (const words of [
    'Enter a name of 1 to 60 visible characters.',
    'Use https. Only an address of this computer',
    'Remove the fragment',
    'Remove the user name and the password.',
    'Write the address as https://list.example/callback',
    'The address contains a wildcard',
    'This address is listed twice.',
    'Members read the host as 例.example.',
    'Members are asked each time they sign in.',
  ]) {
    assert(page.includes(words), words);
  }
  for (const uri of wrong.redirect_uri) assert(page.includes(`value="${uri}"`), uri);
  assert.equal((await app.portico.oauth.reads.clientsOf(2)).length, 0);

  const chinese = await browserOf(app, 'mallory', 'zh-CN');
  const again = await chinese.submit(await chinese.read(NEW), NEW, { ...GOOD, ...wrong });
  assert.match(await again.text(), /请填写 1 到 60 个可见字符的名称。/);
});

test('the script asks the same rule while the developer types', async () => {
  const check = async (uri: string): Promise<{ problem?: string }> => {
    const answer = await browser.open(`/developers/apps/check-callback?${new URLSearchParams({ uri })}`);
    return (await answer.json()) as { problem?: string };
  };

  assert.match((await check('https://list.example/#a')).problem ?? '', /Remove the fragment/);
  assert.deepEqual(Object.keys(await check('https://list.example/cb')), ['twice']);
});

test('a form that is sent twice registers one application', async () => {
  const page = await browser.read(NEW);
  await browser.submit(page, NEW, GOOD);
  const second = await browser.submit(page, NEW, GOOD);

  assert.match(await second.text(), /has already registered an application/);
  assert.equal((await app.portico.oauth.reads.clientsOf(2)).length, 1);
});

test('a member registers at most ten applications an hour, and has at most twenty', async () => {
  for (let n = 0; n < 10; n += 1) assert.equal((await register({ name: `App ${n}` })).status, 200);
  const tooFast = await register({});
  assert.equal(tooFast.status, 429);
  assert.equal(tooFast.headers.get('retry-after'), '3600');

  app.clock.advance(HOUR);
  for (let n = 0; n < 10; n += 1) assert.equal((await register({ name: `More ${n}` })).status, 200);
  app.clock.advance(HOUR);
  assert.match(await (await register({})).text(), /You already have 20 applications/);
  assert.equal((await app.portico.oauth.reads.clientsOf(2)).length, 20);
});

test('the operators decide who registers: with approval an application waits, or only operators do it', async () => {
  const { portico } = app;
  await portico.site.writes.saveSettings(byServer(portico.clock), { applications: 'approval' });
  const page = await (await register({})).text();
  const client = credentialsIn(page);
  assert.match(page, /It works once an operator has approved it/);
  assert.match(await browser.read('/developers/apps'), /Waiting for approval/);
  assert.equal((await browser.open(`/oauth/authorize?${authorizationRequest(client)}`)).status, 400);
  const refused = await askToken(app, client, { grant_type: 'refresh_token', refresh_token: 'x' });
  assert.equal(refused.status, 401);

  const olivia = await person(portico, 'olivia');
  await portico.identity.writes.setRole(byServer(portico.clock), olivia.id, 'operator');
  const operator = await browserOf(app, 'olivia');
  assert.match(await operator.read('/operator/applications'), /Waiting for approval/);
  const waiting = await operator.read('/operator/applications?state=waiting');
  await operator.submit(waiting, '/operator/applications/review', { decision: 'approve' });
  assert.equal((await signInWith(app, client, 'alice')).token_type, 'Bearer');

  await portico.site.writes.saveSettings(byServer(portico.clock), { applications: 'operators' });
  assert.equal((await browser.open(NEW)).status, 403);
  assert.equal((await browser.post(NEW, new URLSearchParams())).status, 403);
  assert.match(await browser.read('/developers/apps'), /only operators register applications/);
  assert.equal((await operator.open(NEW)).status, 200);
});

test('with approval, a new name, host or scope waits again, also of an application that its owner switched off', async () => {
  const { portico } = app;
  const client = credentialsIn(await (await register({})).text());
  await portico.site.writes.saveSettings(byServer(portico.clock), { applications: 'approval' });
  const settings = `/developers/apps/${client.id}/settings`;
  const status = `/developers/apps/${client.id}/status`;
  const state = async () => (await portico.oauth.reads.findClient(client.id))?.deactivation;
  const set = async (fields: Record<string, string | string[]>) => {
    const answer = await browser.submit(await browser.read(settings), settings, fields);
    assert.equal(answer.status, 303);
    return state();
  };
  const activate = () => activateClient(byServer(portico.clock), portico.oauth, client.id);
  assert.match(await browser.read(settings), /Until then the application is deactivated/);

  // The same host, and fewer scopes.
  const same = ['https://list.example/callback', 'https://list.example/other'];
  assert.equal(await set({ redirect_uri: same, scope: ['profile:read'] }), undefined);

  for (const change of [
    { name: 'Agora’s own' },
    { description: 'By the operators.' },
    { home_page: 'https://other.example/' },
    { redirect_uri: [...same, 'https://other.example/callback'] },
    { scope: ['profile:read', 'posts:read'] },
    { 'reason_en_profile:read': 'To greet you.' },
  ]) {
    assert.equal(await set(change), 'approval', JSON.stringify(change));
    await browser.submit(await browser.read(status), status, { act: 'activate' });
    assert.equal(await state(), 'approval');
    await activate();
  }
  await browser.submit(await browser.read(status), status, { act: 'deactivate' });
  assert.equal(await state(), 'owner');
  assert.equal(await set({ name: 'Third' }), 'approval');

  await activate();
  await portico.site.writes.saveSettings(byServer(portico.clock), { applications: 'open' });
  assert.equal(await set({ name: 'Fourth' }), undefined);
});

test('nobody else opens the pages of an application', async () => {
  const client = credentialsIn(await (await register({})).text());
  const alice = await browserOf(app, 'alice');

  assert.equal((await alice.open(`/developers/apps/${client.id}`)).status, 404);
  assert.equal((await browser.open('/developers/apps/app_unknown')).status, 404);
});
