// What operators decide about applications that describe themselves, how many there can be, and how long they stay.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byServer } from '../../../src/audit/doer.ts';
import { DAY, HOUR } from '../../../src/lib/clock.ts';
import { activateClient } from '../../../src/oauth/client-status.ts';
import { openApp } from '../../support/app.ts';
import { temporaryFolder } from '../../support/databases.ts';
import { applicationOf } from '../../support/documents.ts';
import { browserOf, member, person } from '../../support/people.ts';
import { askToken, callApi, signInWith } from '../../support/relying-party.ts';
import { open, pathOf, set, textOf } from './described-fixture.ts';

test('Operators see it with its document, and what they deactivate stays so', async (t) => {
  const { app, sites, alice } = await open(t);
  const { browser: olga } = await member(app, 'olga', { isOperator: true });
  const site = sites.add();
  const tokens = await signInWith(app, applicationOf(site), 'alice');
  const client = await app.portico.oauth.reads.findClient(site.url);

  const list = await textOf(await olga.open('/operator/applications'));
  assert.match(list, /None: not registered, not checked/);
  assert.match(list, /Describes itself at https:\/\/assistant\.example\/client\.json Names itself Assistant/);
  const act = `/operator/applications/${client?.id}/deactivate`;
  await olga.submit(await olga.read(act), act);

  assert.equal((await callApi(app, '/me', tokens.access_token)).status, 401);
  app.clock.advance(2 * DAY);
  const page = await alice.open(pathOf(applicationOf(site)));
  assert.equal(page.status, 400);
  assert.match(await textOf(page), /deactivated assistant\.example/);
  assert.equal(site.requests, 1);
  while ((await app.portico.purge()) > 0);
  app.clock.advance(100 * DAY);
  while ((await app.portico.purge()) > 0);
  assert.equal((await app.portico.oauth.reads.findClient(site.url))?.status, 'deactivated');
});

test('An operator switches these applications off on the settings page, for the next request', async (t) => {
  const { app, sites, alice } = await open(t);
  const { browser: olga } = await member(app, 'olga', { isOperator: true });
  const site = sites.add();
  const application = applicationOf(site);
  const tokens = await signInWith(app, application, 'alice');
  const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
  const metadata = async (path = '/.well-known/oauth-authorization-server') =>
    (await fetch(app.url + path)).json() as Promise<Record<string, unknown>>;
  assert.equal((await metadata()).client_id_metadata_document_supported, true);
  assert.equal(
    (await metadata('/.well-known/openid-configuration')).client_id_metadata_document_supported,
    true,
  );

  const settings = await olga.read('/operator/settings');
  await olga.submit(settings, '/operator/settings', { documents: 'refused' });

  assert.equal('client_id_metadata_document_supported' in (await metadata()), false);
  assert.equal((await callApi(app, '/me', tokens.access_token)).status, 401);
  assert.equal((await askToken(app, application, refresh)).status, 401);
  app.clock.advance(2 * DAY);
  const page = await alice.open(pathOf(application));
  assert.equal(page.status, 400);
  assert.match(await textOf(page), /not registered here/);
  assert.equal(site.requests, 1);
  const client = await app.portico.oauth.reads.findClient(site.url);
  assert.match(await alice.read(`/settings/apps/${client?.id}`), /don’t accept assistants without/);

  await set(app, 'accepted');
  assert.equal((await askToken(app, application, refresh)).status, 200);
});

test('Where only operators register applications, known ones go on and new ones are refused', async (t) => {
  const { app, sites, alice } = await open(t);
  const [known, other] = [sites.add(), sites.add('other.example')];
  await alice.open(pathOf(applicationOf(known)));
  await set(app, 'accepted', 'operators');
  app.clock.advance(2 * DAY);

  assert.equal((await alice.open(pathOf(applicationOf(known)))).status, 200);
  assert.equal(known.requests, 2);
  assert.equal((await alice.open(pathOf(applicationOf(other)))).status, 400);
  assert.equal(other.requests, 0);
  const metadata = await (await fetch(`${app.url}/.well-known/oauth-authorization-server`)).text();
  assert.doesNotMatch(metadata, /client_id_metadata_document_supported/);
});

test('Where applications need approval, a new one waits until an operator activates it', async (t) => {
  const { app, sites, alice } = await open(t);
  const { browser: olga } = await member(app, 'olga', { isOperator: true });
  const site = sites.add();
  await set(app, 'accepted', 'approval');

  const page = await alice.open(pathOf(applicationOf(site)));
  assert.equal(page.status, 400);
  assert.match(await textOf(page), /have not approved assistant\.example yet/);
  const waiting = await olga.read('/operator/applications?state=waiting');
  await olga.submit(waiting, '/operator/applications/review', { decision: 'approve' });
  assert.equal((await alice.open(pathOf(applicationOf(site)))).status, 200);
});

test('A member connects five new ones a day, and causes twenty fetches an hour', async (t) => {
  const { app, sites, alice } = await open(t);
  for (let n = 0; n < 5; n += 1) {
    assert.equal((await alice.open(pathOf(applicationOf(sites.add(`a${n}.example`))))).status, 200);
  }
  const sixth = sites.add('a5.example');

  const refused = await alice.open(pathOf(applicationOf(sixth)));
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get('retry-after'), String(DAY / 1000));
  await person(app.portico, 'bob');
  const bob = await browserOf(app, 'bob');
  assert.equal((await bob.open(pathOf(applicationOf(sixth)))).status, 200);
  for (let n = 6; n < 20; n += 1) await alice.open(pathOf(applicationOf(sites.add(`a${n}.example`))));
  const last = sites.add('a20.example');
  const paced = await alice.open(pathOf(applicationOf(last)));
  assert.equal(paced.status, 429);
  assert.equal(last.requests, 0);
  assert.equal((await alice.open(pathOf(applicationOf(sixth)))).status, 200);
});

test('What operators deactivate is the host: its other documents stop too, and new ones are refused', async (t) => {
  const { app, sites, alice } = await open(t);
  const { browser: olga } = await member(app, 'olga', { isOperator: true });
  const [first, second] = [sites.add(), sites.add('assistant.example', '/second.json')];
  const [third, other] = [sites.add('assistant.example', '/third.json'), sites.add('other.example')];
  await alice.open(pathOf(applicationOf(first)));
  const tokens = await signInWith(app, applicationOf(second), 'alice');
  await signInWith(app, applicationOf(other), 'alice');
  const { reads } = app.portico.oauth;
  const id = (await reads.findClient(first.url))?.id ?? '';
  const path = `/operator/applications/${id}/deactivate`;

  await olga.submit(await olga.read(path), path);

  assert.equal((await callApi(app, '/me', tokens.access_token)).status, 401);
  for (const site of [first, second, third]) {
    const page = await alice.open(pathOf(applicationOf(site)));
    assert.equal(page.status, 400);
    assert.match(await textOf(page), /deactivated assistant\.example/);
  }
  assert.equal(third.requests, 0);
  assert.equal((await reads.findClient(other.url))?.status, 'active');

  await activateClient(byServer(app.portico.clock), app.portico.oauth, id);
  assert.equal((await callApi(app, '/me', tokens.access_token)).status, 200);
  assert.equal((await alice.open(pathOf(applicationOf(third)))).status, 200);
});

test('With approval, a document that says something else later waits again', async (t) => {
  const { app, sites, alice } = await open(t);
  const { id } = await person(app.portico, 'olga');
  await set(app, 'accepted', 'approval');
  const site = sites.add();
  const original = site.document;
  const { reads, writes } = app.portico.oauth;
  const state = async (document: object) => {
    site.document = { ...original, ...document };
    app.clock.advance(2 * DAY);
    const client = await reads.findClient(site.url);
    if (client?.deactivation === 'approval')
      await writes.approveClient({ kind: 'operator', userId: id, at: app.clock.now }, client);
    const browser = await browserOf(app, 'alice');
    const { status } = await browser.open(pathOf(applicationOf(site)));
    const after = await reads.findClient(site.url);
    return [status, after?.deactivation, after?.approvedAt === undefined];
  };
  await alice.open(pathOf(applicationOf(site)));
  const callback = 'https://assistant.example/callback';
  const waits = [400, 'approval', true];
  const works = [200, undefined, false];

  assert.deepEqual(await state({}), works);
  assert.deepEqual(await state({ redirect_uris: [callback, 'https://assistant.example/other'] }), works);
  assert.deepEqual(await state({ scope: 'profile:read' }), works);
  assert.deepEqual(await state({ scope: 'profile:read posts:read' }), waits);
  assert.deepEqual(await state({ client_name: 'Your bank' }), waits);
  assert.deepEqual(await state({ client_name: 'Your bank' }), works);
  assert.deepEqual(
    await state({ client_name: 'Your bank', redirect_uris: [callback, 'http://127.0.0.1:8/'] }),
    waits,
  );
  await set(app, 'accepted', 'open');
  assert.deepEqual(await state({ client_name: 'Your bank', redirect_uris: [callback] }), works);
  assert.deepEqual(await state({ client_name: 'Assistant' }), [200, undefined, true]);
});

test('Where there are a thousand of them, the oldest that no member allowed makes room', async (t) => {
  const { app, sites, alice } = await open(t);
  const used = sites.add();
  await signInWith(app, applicationOf(used), 'alice');
  const { reads, writes } = app.portico.oauth;
  const client = await reads.findClient(used.url);
  assert.ok(client);
  const by = { kind: 'member', userId: 1, at: app.clock.now } as const;
  const add = (n: number) =>
    writes.addDocumentClient(by, { ...client, id: `app_${n}`, documentUrl: `https://a${n}.example/a` }, 1000);
  for (let n = 1000; n < 1999; n += 1) await add(n);
  const isKnown = async (n: number) => (await reads.findClient(`https://a${n}.example/a`)) !== undefined;
  assert.deepEqual([await isKnown(1000), await isKnown(1001)], [true, true]);

  const last = sites.add('last.example');
  assert.equal((await alice.open(pathOf(applicationOf(last)))).status, 200);

  assert.deepEqual([await isKnown(1000), await isKnown(1001)], [false, true]);
  assert.equal((await alice.open(pathOf(applicationOf(used)))).status, 303);
  while ((await app.portico.purge()) > 0);
  assert.equal(await reads.findClient('app_1000'), undefined);
});

test('One that no member allowed is forgotten thirty days after its document was fresh', async (t) => {
  const { app, sites, alice } = await open(t);
  const [used, unused] = [sites.add(), sites.add('unused.example')];
  await signInWith(app, applicationOf(used), 'alice');
  await alice.open(pathOf(applicationOf(unused)));
  const { reads } = app.portico.oauth;
  const { id = '' } = (await reads.findClient(unused.url)) ?? {};
  assert.notEqual(await reads.findClient(id), undefined);

  app.clock.advance(30 * DAY);
  await app.portico.purge();
  assert.notEqual(await reads.findClient(id), undefined);
  app.clock.advance(HOUR);
  while ((await app.portico.purge()) > 0);

  assert.equal(await reads.findClient(id), undefined);
  assert.equal(await reads.findClient(unused.url), undefined);
  assert.notEqual(await reads.findClient(used.url), undefined);
});

test('Two processes on one database know the same application, and what one changes holds in the other', async (t) => {
  const file = `file:${await temporaryFolder(t)}/portico.db`;
  const { app, sites, alice } = await open(t, { DATABASE_URL: file });
  const other = await openApp({ DATABASE_URL: file, BASE_URL: app.url }, undefined, sites.fetch);
  other.clock.now = app.clock.now;
  t.after(() => other.close());
  const bob = await browserOf({ url: `http://127.0.0.1:${other.portico.config.port}` }, 'alice');
  const site = sites.add();
  const application = applicationOf(site);

  const pages = await Promise.all([alice, bob].map((browser) => browser.open(pathOf(application))));
  assert.deepEqual(
    pages.map(({ status }) => status),
    [200, 200],
  );
  const { id = '' } = (await app.portico.oauth.reads.findClient(site.url)) ?? {};
  assert.equal((await other.portico.oauth.reads.findClient(id))?.claimedName, 'Assistant');

  site.document.client_name = 'Butler';
  app.clock.advance(HOUR);
  await alice.open(pathOf(application));
  assert.equal((await other.portico.oauth.reads.findClient(id))?.claimedName, 'Butler');
  await other.portico.oauth.writes.setClientStatus(byServer(other.clock.read), id, 'deactivated');
  assert.equal((await alice.open(pathOf(application))).status, 400);
  await set(other, 'refused');
  assert.match(await textOf(await alice.open(pathOf(application))), /not registered here/);
});
