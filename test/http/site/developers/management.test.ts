// The owner of an application changes it: its settings, its secrets, where events go, and whether it works.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { byOperator } from '../../../../src/audit/doer.ts';
import { DAY, HOUR, MINUTE } from '../../../../src/lib/clock.ts';
import { deactivateClient } from '../../../../src/oauth/client-status.ts';
import { type App, openApp } from '../../../support/app.ts';
import type { Browser } from '../../../support/browser.ts';
import { browserOf, notebook, PASSWORD, person, type RegisteredClient } from '../../../support/people.ts';
import { askToken, authorizationRequest, callApi, signInWith } from '../../../support/relying-party.ts';

let app: App;
let browser: Browser;
let client: RegisteredClient;
let path: string;

beforeEach(async () => {
  app = await openApp();
  await person(app.portico, 'alice');
  const mallory = await person(app.portico, 'mallory');
  await person(app.portico, 'bob');
  client = await notebook(app.portico, { ownerId: mallory.id });
  path = `/developers/apps/${client.id}`;
  browser = await browserOf(app, 'mallory');
});
afterEach(() => app.close());

async function submit(
  tab: string,
  fields: Record<string, string | string[]>,
  as = browser,
): Promise<Response> {
  return as.submit(await as.read(`${path}${tab}`), `${path}${tab}`, fields);
}

function refresh(token: string, secret = client.secret): Promise<Response> {
  return askToken(app, { ...client, secret }, { grant_type: 'refresh_token', refresh_token: token });
}

test('a moved callback and a new name hold from the next request, without a new consent, and are in both logs', async () => {
  await signInWith(app, client, 'alice');
  const moved = { ...client, redirectUri: 'https://new.example/callback' };
  const alice = await browserOf(app, 'alice');
  assert.equal((await alice.open(`/oauth/authorize?${authorizationRequest(moved)}`)).status, 400);

  const answer = await submit('/settings', {
    name: 'Notebook 2',
    description: 'Keeps notes.',
    home_page: 'https://new.example/',
    redirect_uri: [moved.redirectUri],
    post_logout: 'https://new.example/bye',
    'reason_en_profile:read': 'To greet you.',
    required: 'profile:read',
  });

  assert.equal(answer.status, 303, await answer.text());
  const callback = await alice.open(`/oauth/authorize?${authorizationRequest(moved)}`);
  assert.match(callback.headers.get('location') ?? '', /^https:\/\/new\.example\/callback\?code=/);
  assert.equal((await alice.open(`/oauth/authorize?${authorizationRequest(client)}`)).status, 400);
  const page = await alice.read(`/oauth/authorize?${authorizationRequest(moved, { prompt: 'consent' })}`);
  assert.match(page, /Notebook 2[\s\S]*Keeps notes\.[\s\S]*To greet you\./);
  const [entry] = await app.portico.audit.reads.auditEvents({ limit: 1 });
  assert.deepEqual(
    [entry?.action, entry?.actorName, entry?.subject.id],
    ['client.update', 'mallory', client.id],
  );
  assert.match(String(entry?.detail.changed), /redirectUris/);
  const [event] = await app.portico.audit.reads.securityEvents({ limit: 1, event: 'client_changed' });
  assert.deepEqual([event?.clientId, event?.by], [client.id, 'member']);
  assert.match(event?.detail ?? '', /redirectUris/);
});

test('a new address asks for a proof of identity, and removing one doesn’t', async () => {
  const two = [client.redirectUri, 'https://more.example/callback'];
  app.clock.advance(11 * MINUTE);

  const asked = await submit('/settings', { redirect_uri: two });
  const page = await asked.text();
  const before = await app.portico.oauth.reads.findClient(client.id);
  const answer = await browser.submit(page, `${path}/settings`, { proof_password: PASSWORD });
  app.clock.advance(11 * MINUTE);
  const removed = await submit('/settings', { redirect_uri: [client.redirectUri] });

  assert.match(page, /Confirm your identity/);
  assert.deepEqual(before?.redirectUris, [client.redirectUri]);
  assert.deepEqual([answer.status, removed.status], [303, 303]);
  assert.deepEqual((await app.portico.oauth.reads.findClient(client.id))?.redirectUris, [client.redirectUri]);
});

test('an address after signing out that becomes a callback asks for a proof of identity', async () => {
  const bye = 'https://notebook.example.com/bye';
  assert.equal((await submit('/settings', { post_logout: bye })).status, 303);
  app.clock.advance(11 * MINUTE);

  const asked = await submit('/settings', { redirect_uri: [client.redirectUri, bye] });
  const kept = await submit('/settings', { name: 'Notebook 2' });

  assert.match(await asked.text(), /Confirm your identity/);
  assert.equal(kept.status, 303);
  assert.deepEqual((await app.portico.oauth.reads.findClient(client.id))?.redirectUris, [client.redirectUri]);
});

test('a mistake in the settings changes nothing and loses nothing', async () => {
  const answer = await submit('/settings', {
    name: 'Notebook 2',
    redirect_uri: ['http://new.example/callback'],
    'reason_en_profile:read': 'x'.repeat(201),
  });
  const page = await answer.text();

  assert.equal(answer.status, 400);
  for (const text of ['Notebook 2', 'http://new.example/callback', 'x'.repeat(201), 'Use https.']) {
    assert(page.includes(text), text.slice(0, 30));
  }
  assert.equal((await app.portico.oauth.reads.findClient(client.id))?.name, 'Notebook');
});

test('a new secret works at once, and the earlier one until its planned end', async () => {
  let { refresh_token: token } = await signInWith(app, client, 'alice');
  const page = await (await submit('/secrets', { overlap: '24' })).text();
  const secret = /svcs_[A-Za-z0-9]{60}/.exec(page)?.[0] ?? '';

  for (const each of [secret, client.secret]) {
    const answer = await refresh(token, each);
    assert.equal(answer.status, 200);
    ({ refresh_token: token } = (await answer.json()) as { refresh_token: string });
  }
  const list = await browser.read(`${path}/secrets`);
  assert(list.includes(`…${secret.slice(-4)}`) && list.includes(`…${client.secret.slice(-4)}`));
  assert.equal(list.includes(secret), false);

  app.clock.advance(DAY);
  assert.equal((await refresh(token)).status, 401);
  assert.equal((await refresh(token, secret)).status, 200);
});

test('the earlier secret can be ended at once, and a third secret ends the first', async () => {
  const { refresh_token: token } = await signInWith(app, client, 'alice');
  const second = /svcs_[A-Za-z0-9]{60}/.exec(
    await (await submit('/secrets', { overlap: '720' })).text(),
  )?.[0];
  await submit('/secrets', { overlap: '720' });
  assert.equal((await refresh(token)).status, 401);

  await browser.submit(await browser.read(`${path}/secrets`), `${path}/secrets/end`);
  assert.equal((await refresh(token, second)).status, 401);
});

test('a new secret, an offer, a deletion and the address of events ask for a proof after ten minutes', async () => {
  app.clock.advance(11 * MINUTE);
  const before = await app.portico.oauth.reads.findClient(client.id);
  for (const [tab, fields] of [
    ['/secrets', { overlap: '0' }],
    ['/status', { act: 'delete' }],
    ['/status', { act: 'transfer', username: 'bob' }],
    ['/events', { kind: 'webhook', act: 'set', webhook_url: 'https://notebook.example/events' }],
  ] as const) {
    const page = await (await submit(tab, fields)).text();
    assert.match(page, /Confirm your identity/);
    const wrong = await browser.submit(page, `${path}${tab}`, { proof_password: 'not the password' });
    assert.equal(wrong.status, 400);
  }
  assert.deepEqual(await app.portico.oauth.reads.findClient(client.id), before);
  assert.deepEqual(await app.portico.oauth.reads.endpointStates(client.id), []);

  const page = await (await submit('/secrets', { overlap: '24' })).text();
  const answer = await browser.submit(page, `${path}/secrets`, { proof_password: PASSWORD });
  assert.match(await answer.text(), /svcs_[A-Za-z0-9]{60}/);
});

test('an application that its owner deactivated can be activated again, one that operators deactivated cannot', async () => {
  const { access_token: token } = await signInWith(app, client, 'alice');
  await submit('/status', { act: 'deactivate' });
  assert.equal((await callApi(app, '/me', token)).status, 401);
  await submit('/status', { act: 'activate' });
  assert.equal((await callApi(app, '/me', token)).status, 200);

  const page = await browser.read(`${path}/status`);
  await submit('/status', { act: 'deactivate' });
  const olivia = await person(app.portico, 'olivia');
  await deactivateClient(byOperator(olivia, app.portico.clock), app.portico.oauth, client.id);
  const answer = await browser.submit(page, `${path}/status`, { act: 'activate' });
  assert.equal(answer.status, 409);
  assert.equal((await callApi(app, '/me', token)).status, 401);
  assert.match(await browser.read(`${path}/status`), /Only the operators can activate/);
});

test('a deletion waits seven days and can be cancelled; afterwards nothing works, and members keep a note', async () => {
  const { access_token: token, refresh_token: refreshToken } = await signInWith(app, client, 'alice');
  await submit('/status', { act: 'delete' });
  app.clock.advance(6 * DAY);
  await app.portico.purge();
  await submit('/status', { act: 'keep' });
  app.clock.advance(2 * DAY);
  await app.portico.purge();
  browser = await browserOf(app, 'mallory');
  assert.equal((await browser.open(path)).status, 200);

  await submit('/status', { act: 'delete' });
  assert.equal((await refresh(refreshToken)).status, 200);
  app.clock.advance(7 * DAY);
  const { access_token: late } = await signInWith(app, client, 'alice');
  await app.portico.purge();

  for (const each of [token, late]) assert.equal((await callApi(app, '/me', each)).status, 401);
  assert.equal((await refresh(refreshToken)).status, 401);
  browser = await browserOf(app, 'mallory');
  assert.equal((await browser.open(path)).status, 404);
  assert.doesNotMatch(await browser.read('/developers/apps'), /Notebook/);
  const alice = await browserOf(app, 'alice');
  assert.match(
    await alice.read(`/settings/apps/${client.id}`),
    /Notebook[\s\S]*Its developer deleted this application/,
  );
  const left = JSON.stringify(await app.portico.oauth.reads.findClient(client.id));
  assert.equal(left.includes('notebook.example'), false);
});

test('another member becomes the owner by accepting, and the earlier owner is out at once', async () => {
  assert.equal((await submit('/status', { act: 'transfer', username: 'nobody-here' })).status, 400);
  await submit('/status', { act: 'transfer', username: 'Bob' });
  const bob = await browserOf(app, 'bob');
  assert.equal((await bob.open(path)).status, 404);
  const page = await bob.read('/developers/apps');
  assert.match(page, /mallory wants to give you this application/);

  const before = await browser.read(`${path}/settings`);
  const answer = await bob.submit(page, '/developers/apps/offers', { answer: 'accept' });
  assert.equal(answer.headers.get('location'), path);
  assert.equal((await bob.open(path)).status, 200);
  assert.equal((await browser.open(path)).status, 404);
  assert.equal((await browser.submit(before, `${path}/settings`, { name: 'Mine' })).status, 404);
  const alice = await browserOf(app, 'alice');
  assert.match(await alice.read(`/oauth/authorize?${authorizationRequest(client)}`), /@bob/);
});

test('an offer can be declined, taken back, and ends after a week', async () => {
  const bob = await browserOf(app, 'bob');
  const offer = () => submit('/status', { act: 'transfer', username: 'bob' });
  const accept = (page: string) => bob.submit(page, '/developers/apps/offers', { answer: 'accept' });
  await offer();
  const page = await bob.read('/developers/apps');
  await bob.submit(page, '/developers/apps/offers', { answer: 'decline' });
  assert.match((await accept(page)).headers.get('location') ?? '', /not-accepted/);

  await offer();
  await submit('/status', { act: 'take-back' });
  assert.match((await accept(page)).headers.get('location') ?? '', /not-accepted/);

  await offer();
  app.clock.advance(7 * DAY + HOUR);
  assert.doesNotMatch(await (await browserOf(app, 'bob')).read('/developers/apps'), /wants to give you/);
});

test('the owner sets a webhook, sees its secret once, and removes it', async () => {
  const wrong = await submit('/events', {
    kind: 'webhook',
    act: 'set',
    webhook_url: 'http://notebook.example/events',
  });
  assert.equal(wrong.status, 400);
  assert.match(await wrong.text(), /begins with https:/);

  const answer = await submit('/events', {
    kind: 'webhook',
    act: 'set',
    webhook_url: 'https://notebook.example/events',
  });
  const secret = /whsec_[A-Za-z0-9+/=]{44}/.exec(await answer.text())?.[0];
  assert(secret !== undefined);
  const page = await browser.read(`${path}/events`);
  assert.match(page, /https:\/\/notebook\.example\/events/);
  assert.equal(page.includes(secret), false);

  await submit('/events', { kind: 'webhook', act: 'remove' });
  assert.deepEqual(await app.portico.oauth.reads.endpointStates(client.id), []);
  const names = (await app.portico.audit.reads.auditEvents({ limit: 2 })).map(({ action }) => action);
  assert.deepEqual(names, ['client.remove_endpoint', 'client.set_endpoint']);
});

test('a member changes applications at most sixty times an hour', async () => {
  for (let n = 0; n < 60; n += 1) await submit('/status', { act: n % 2 === 0 ? 'deactivate' : 'activate' });
  const answer = await submit('/settings', { name: 'Too much' });

  assert.equal(answer.status, 429);
  assert.match(await answer.text(), /Too much/);
});
