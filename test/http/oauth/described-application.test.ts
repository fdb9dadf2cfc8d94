// Members connect applications that nobody registered here: they describe themselves in a document on their own site.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { renewLooks } from '../../../src/oauth/client-looks.ts';
import { Browser } from '../../support/browser.ts';
import { applicationOf } from '../../support/documents.ts';
import { PASSWORD } from '../../support/people.ts';
import {
  answerConsent,
  askToken,
  authorizationRequest,
  callApi,
  pkce,
  signInWith,
} from '../../support/relying-party.ts';
import { open, pathOf, textOf } from './described-fixture.ts';

test('The consent page shows the host as not checked, and the name as a claim; pictures are not fetched', async (t) => {
  const { sites, alice } = await open(t);
  const site = sites.add();
  site.document.client_name = '<b>Claude</b>';
  site.document.logo_uri = 'https://assistant.example/logo.png';

  const page = await alice.open(pathOf(applicationOf(site)));

  const html = await page.clone().text();
  const text = await textOf(page);
  assert.equal(page.status, 200);
  assert.match(text, /Let assistant\.example read from your account\?/);
  assert.match(
    text,
    /assistant\.example is not checked by Portico\. It names itself “&lt;b&gt;Claude&lt;\/b&gt;”/,
  );
  assert.doesNotMatch(text, /added by this community/);
  assert.doesNotMatch(html, /logo\.png/);
  assert.equal(site.requests, 1);
});

test('A visitor signs in before anything is fetched, and comes back to the request', async (t) => {
  const { app, sites } = await open(t);
  const site = sites.add();
  const path = pathOf(applicationOf(site), { prompt: 'login', login_hint: 'alice' });
  const browser = new Browser(app.url);

  const login = await browser.open(path);
  assert.equal(login.status, 303);
  const back = new URL(login.headers.get('location') ?? '', app.url).searchParams.get('return_to') ?? '';
  assert.equal(site.requests, 0);
  const posted = await browser.post('/oauth/authorize', new URLSearchParams(path.split('?')[1]));
  assert.equal(posted.status, 303);
  assert.equal(site.requests, 0);

  app.clock.advance(1000);
  await browser.signIn('alice', PASSWORD, back);
  const page = await browser.open(back);
  assert.equal(page.status, 200, await page.clone().text());
  assert.equal(site.requests, 1);
});

test('A document is read once while it is fresh, and again afterwards', async (t) => {
  const { app, sites, alice } = await open(t);
  const site = sites.add();
  site.headers = { 'Cache-Control': 'max-age=1800' };
  const path = pathOf(applicationOf(site));

  await Promise.all([alice.open(path), alice.open(path), alice.open(path)]);
  await alice.open(path);
  assert.equal(site.requests, 1);
  app.clock.advance(30 * MINUTE - 1);
  await alice.open(path);
  assert.equal(site.requests, 1);
  app.clock.advance(1);
  await alice.open(path);
  assert.equal(site.requests, 2);
});

test('A changed document takes effect when it is read again: addresses, name, and what it is missing', async (t) => {
  const { app, sites, alice } = await open(t);
  const site = sites.add();
  const before = applicationOf(site);
  await signInWith(app, before, 'alice');
  const after = { ...before, redirectUri: 'https://assistant.example/new' };
  site.document.redirect_uris = [after.redirectUri];
  site.document.client_name = 'Butler';

  const early = await alice.open(pathOf(after));
  assert.equal(early.status, 400);
  assert.match(await textOf(early), /not registered/);
  app.clock.advance(HOUR);
  const page = await alice.open(pathOf(after, { prompt: 'consent' }));
  assert.match(await textOf(page), /It names itself “Butler”/);
  assert.equal((await alice.open(pathOf(before))).status, 400);

  delete site.document.client_name;
  app.clock.advance(HOUR);
  const broken = await alice.open(pathOf(after));
  assert.equal(broken.status, 400);
  assert.match(await textOf(broken), /client_name must have 1 to 60 visible characters/);
});

test('A failure is shown with its reason, remembered for a minute, and leads nowhere', async (t) => {
  const { app, sites, alice } = await open(t);
  const site = sites.add();
  site.answer = (_, response) =>
    void response.writeHead(302, { Location: 'https://elsewhere.example/' }).end();
  const path = pathOf(applicationOf(site));

  const page = await alice.open(path);
  assert.equal(page.status, 400);
  assert.doesNotMatch(await page.clone().text(), /href="https:/);
  assert.match(await textOf(page), /redirects to another address/);
  site.answer = undefined;
  assert.equal((await alice.open(path)).status, 400);
  assert.equal(site.requests, 1);
  app.clock.advance(MINUTE);
  assert.equal((await alice.open(path)).status, 200);
});

test('A site on a private network is not asked, and a bad address is refused before anything is', async (t) => {
  const isPublic = () => false;
  const { sites, alice } = await open(t, {}, { network: { isPublic } });
  const site = sites.add();

  const page = await alice.open(pathOf(applicationOf(site)));
  assert.match(await textOf(page), /not on the public internet/);
  for (const id of ['https://assistant.example/', 'https://assistant.example/a?b', 'https://10.0.0.1/a']) {
    const refused = await alice.open(pathOf({ ...applicationOf(site), id }));
    assert.equal(refused.status, 400);
    assert.match(await textOf(refused), /The (?:host of the )?client_id/);
  }
  assert.equal(site.requests, 0);
});

test('It gets reading scopes only, must use PKCE, and is found by its address only', async (t) => {
  const { app, sites, alice } = await open(t);
  const site = sites.add();
  const application = applicationOf(site);

  const { verifier, challenge } = pkce();
  const request = authorizationRequest(application, {
    scope: 'openid posts:read',
    nonce: 'n',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  const callback = await answerConsent(alice, request);
  const code = callback.searchParams.get('code') ?? '';
  const exchange = { grant_type: 'authorization_code', code, code_verifier: verifier };
  const answer = await askToken(app, application, { ...exchange, redirect_uri: site.redirectUri });
  const tokens = (await answer.json()) as { scope: string; refresh_token: string };
  assert.equal(tokens.scope, 'posts:read');
  assert.equal('id_token' in tokens, false);

  const noPkce = await alice.open(pathOf(application, { code_challenge: '', code_challenge_method: '' }));
  assert.match(noPkce.headers.get('location') ?? '', /error=invalid_request/);
  const client = await app.portico.oauth.reads.findClient(site.url);
  const inner = { ...application, id: client?.id ?? '' };
  assert.match(inner.id, /^app_/);
  assert.equal((await alice.open(pathOf(inner))).status, 400);
  const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
  assert.equal((await askToken(app, inner, refresh)).status, 401);
  assert.equal((await askToken(app, application, refresh)).status, 200);
});

test('Members see it by its host among their applications, and take its access back', async (t) => {
  const { app, sites, alice } = await open(t);
  const site = sites.add();
  const tokens = await signInWith(app, applicationOf(site), 'alice');
  assert.equal((await callApi(app, '/me', tokens.access_token)).status, 200);
  const client = await app.portico.oauth.reads.findClient(site.url);
  const path = `/settings/apps/${client?.id}`;

  assert.match(await textOf(await alice.open('/settings/apps')), /assistant\.example/);
  const page = await alice.read(path);
  assert.match(page, /It names itself “Assistant”/);
  await app.portico.mergeDiary();
  assert.match(await alice.read('/settings/diary'), /assistant\.example/);
  const receipt = await alice.submit(page, `${path}/receipt`);
  assert.match(await receipt.text(), /assistant\.example/);
  await alice.submit(await alice.read(`${path}/remove`), `${path}/remove`);
  assert.equal((await callApi(app, '/me', tokens.access_token)).status, 401);
});

test('A name that looks official, or like an application with more members, is warned of', async (t) => {
  const { app, sites, alice } = await open(t, { SITE_NAME: 'Lantern' });
  const known = sites.add();
  await signInWith(app, applicationOf(known), 'alice');
  await renewLooks(app.portico.oauth);
  const official = sites.add('one.example');
  official.document.client_name = 'Lantern Support';
  const alike = sites.add('assistamt.example');
  alike.document.client_name = 'Ass1stant';

  assert.match(await textOf(await alice.open(pathOf(applicationOf(official)))), /looks official/);
  const page = await textOf(await alice.open(pathOf(applicationOf(alike))));
  assert.match(page, /name looks like Assistant, an application that more members use/);
  assert.match(page, /address looks like assistant\.example/);
  assert.doesNotMatch(await textOf(await alice.open(pathOf(applicationOf(known)))), /Be careful/);
});

test('A program on the device is asked about each time, with a warning', async (t) => {
  const { app, sites, alice } = await open(t);
  const site = sites.add();
  site.document.redirect_uris = ['http://127.0.0.1:33418/'];
  const application = { ...applicationOf(site), redirectUri: 'http://127.0.0.1:33418/' };
  await signInWith(app, application, 'alice');

  const page = await alice.open(pathOf(application));
  assert.equal(page.status, 200);
  assert.match(await textOf(page), /Any program on it could ask like this/);
});
