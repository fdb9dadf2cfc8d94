// What the owner of an application is told, and what operators decide against the owner.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { byServer } from '../../../../src/audit/doer.ts';
import type { CurrentSite } from '../../../../src/http/pages/visitor.ts';
import { applicationLetters } from '../../../../src/http/site/joining/application-letters.ts';
import { setEmail } from '../../../../src/identity/email-by-operator.ts';
import { HOUR } from '../../../../src/lib/clock.ts';
import { type App, openApp } from '../../../support/app.ts';
import type { Browser } from '../../../support/browser.ts';
import { browserOf, notebook, person, type RegisteredClient, setStatus } from '../../../support/people.ts';
import { authorizationRequest, callApi, signInWith } from '../../../support/relying-party.ts';

let app: App;
let browser: Browser;
let client: RegisteredClient;

beforeEach(async () => {
  app = await openApp();
  await person(app.portico, 'alice');
  const mallory = await person(app.portico, 'mallory');
  client = await notebook(app.portico, { ownerId: mallory.id });
  browser = await browserOf(app, 'mallory');
});
afterEach(() => app.close());

async function submit(tab: string, fields: Record<string, string | string[]>): Promise<Response> {
  const path = `/developers/apps/${client.id}${tab}`;
  return browser.submit(await browser.read(path), path, fields);
}

test('operators keep an application off that its owner deactivated', async () => {
  await submit('/status', { act: 'deactivate' });
  const olivia = await person(app.portico, 'olivia');
  await app.portico.identity.writes.setRole(byServer(app.clock.read), olivia.id, 'operator');
  const operator = await browserOf(app, 'olivia');
  const keepOff = `/operator/applications/${client.id}/deactivate`;
  const list = await operator.read('/operator/applications');
  assert.ok(list.includes(`href="${keepOff}"`));

  await operator.submit(await operator.read(keepOff), keepOff);

  assert.equal((await app.portico.oauth.reads.findClient(client.id))?.deactivation, 'operators');
  await submit('/status', { act: 'activate' }).catch(() => undefined);
  assert.equal((await app.portico.oauth.reads.findClient(client.id))?.status, 'deactivated');
});

test('an offer doesn’t tell whether the member is suspended', async () => {
  const bob = await person(app.portico, 'bob');
  await setStatus(app.portico.identity, bob.id, 'suspended');
  const offer = (username: string) => submit('/status', { act: 'transfer', username });

  assert.equal((await offer('bob')).status, 303);
  await setStatus(app.portico.identity, bob.id, 'closed');
  assert.equal((await offer('bob')).status, 400);
});

/** Give the owner an address, and return what reads the mails about changed callbacks. */
async function callbackMails() {
  const { identity } = app.portico;
  const mallory = await identity.reads.findUser(2);
  assert.ok(mallory);
  const by = byServer(app.clock.read);
  await setEmail(by, identity, mallory, { email: 'mallory@home.example', language: 'en' });
  return async () => {
    const due = await identity.reads.mailsDue(app.portico.clock(), 10);
    return due.filter(({ purpose }) => purpose === 'callbacks_changed');
  };
}

test('the owner gets a mail when the addresses change, and none for a new name', async () => {
  const [owner] = await app.portico.oauth.reads.clientsOf(2);
  assert.equal(owner?.id, client.id);
  const mails = await callbackMails();

  await submit('/settings', { name: 'Notebook 2' });
  assert.deepEqual(await mails(), []);
  await submit('/settings', { redirect_uri: [client.redirectUri, 'https://more.example/callback'] });
  const [mail] = await mails();

  assert.deepEqual([mail?.email, mail?.about], ['mallory@home.example', { application: 'Notebook 2' }]);
  const site = { name: 'Agora', baseUrl: 'https://agora.example' } as CurrentSite;
  for (const language of ['en', 'zh'] as const) {
    const { subject, paragraphs } = applicationLetters(site, language, mail?.about ?? {}).callbacks_changed();
    assert.doesNotMatch(subject, /Notebook/);
    assert.match(paragraphs.join('\n'), /“Notebook 2”/);
    assert.ok(paragraphs.includes('https://agora.example/developers/apps'));
  }
});

test('an application of a suspended member reads nothing and signs nobody in, until the suspension ends', async () => {
  const { identity } = app.portico;
  const { access_token: token } = await signInWith(app, client, 'alice');
  const request = `/oauth/authorize?${authorizationRequest(client)}`;
  const alice = await browserOf(app, 'alice');
  const answers = async () => [(await callApi(app, '/me', token)).status, (await alice.open(request)).status];
  const before = await answers();
  const olivia = await person(app.portico, 'olivia');
  await identity.writes.setRole(byServer(app.clock.read), olivia.id, 'operator');
  const operator = await browserOf(app, 'olivia');
  const suspend = '/operator/members/2/suspend';
  const question = await operator.read(suspend);

  await operator.submit(question, suspend);
  const during = await answers();
  const list = await operator.read('/operator/applications');
  const shown = await alice.read(`/settings/apps/${client.id}`);
  const reactivate = '/operator/members/2/reactivate';
  await operator.submit(await operator.read(reactivate), reactivate);

  assert.match(question, /Applications that the member registered are deactivated/);
  assert.deepEqual(before, [200, 303]);
  assert.deepEqual(during, [401, 400]);
  assert.match(list, /Deactivated while its owner is suspended/);
  assert.match(shown, /The operators of this community have deactivated/);
  assert.doesNotMatch(shown, /suspen/);
  assert.deepEqual(await answers(), before);
});

test('operators manage the application of a closed account, and only they activate it', async () => {
  const { identity, oauth } = app.portico;
  await identity.writes.closeAccount(byServer(app.clock.read), 2);
  const olivia = await person(app.portico, 'olivia');
  await identity.writes.setRole(byServer(app.clock.read), olivia.id, 'operator');
  const operator = await browserOf(app, 'olivia');
  const list = await operator.read('/operator/applications');

  const status = `/developers/apps/${client.id}/status`;
  await operator.submit(await operator.read(status), status, { act: 'activate' });

  assert.doesNotMatch(list, /Added by the operators/);
  assert.equal((await oauth.reads.findClient(client.id))?.status, 'active');
});

test('of further changes within an hour the owner gets one mail, when the hour is over', async () => {
  const mails = await callbackMails();

  for (const path of ['/a', '/b', '/c', '/d']) {
    await submit('/settings', { redirect_uri: [client.redirectUri, `https://more.example${path}`] });
    app.clock.advance(1);
  }

  assert.equal((await mails()).length, 1);
  app.clock.advance(HOUR);
  assert.equal((await mails()).length, 2);
});
