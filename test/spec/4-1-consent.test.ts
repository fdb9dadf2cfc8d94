// Spec §4.1 with contract §3: the consent page, and remembered consent.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { byServer } from '../../src/audit/doer.ts';
import { changeClient } from '../../src/oauth/client-change.ts';
import { Browser, formIn } from '../support/browser.ts';
import { json } from '../support/json.ts';
import { browserOf, member, notebook, PASSWORD, pocket } from '../support/people.ts';
import { answerConsent, askToken, authorizationRequest, callApi, pkce } from '../support/relying-party.ts';
import {
  alice,
  app,
  authorize,
  browser,
  client,
  mallory,
  openFixture,
  signInAgain,
} from './authorization-fixture.ts';

before(openFixture);
after(() => app.close());

test('The member can allow access for a time: one sign-in has no refresh token, and the next is asked again.', async () => {
  const other = await notebook(app.portico);
  const callback = await answerConsent(browser, authorizationRequest(other), {
    decision: 'allow',
    duration: 'once',
  });

  const tokens = await json(
    await askToken(app, other, {
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      redirect_uri: other.redirectUri,
    }),
  );

  assert.deepEqual(Object.keys(tokens).sort(), ['access_token', 'expires_in', 'scope', 'token_type']);
  assert.equal((await authorize(authorizationRequest(other))).status, 200);
});

test('The member can untick a scope; the token response has the granted scopes, and the API enforces them.', async () => {
  const other = await notebook(app.portico);
  const callback = await answerConsent(browser, authorizationRequest(other), {
    decision: 'allow',
    scope: ['posts:read'],
  });

  const tokens = await json(
    await askToken(app, other, {
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      redirect_uri: other.redirectUri,
    }),
  );

  assert.equal(tokens.scope, 'posts:read');
  assert.equal((await callApi(app, '/me', tokens.access_token)).status, 403);
});

test('Denying sends access_denied with state and iss; unticking everything is a denial.', async () => {
  const other = await notebook(app.portico);

  const denied = await answerConsent(browser, authorizationRequest(other), { decision: 'deny' });
  const unticked = await answerConsent(browser, authorizationRequest(other), {
    decision: 'allow',
    scope: [],
  });

  for (const callback of [denied, unticked]) {
    assert.equal(callback.searchParams.get('error'), 'access_denied');
    assert.equal(callback.searchParams.get('state'), 'af0ifjsldkj');
    assert.equal(callback.searchParams.get('iss'), app.url);
  }
});

test('A member can allow access a hundred times an hour; denying stays possible.', async () => {
  const other = await notebook(app.portico);
  const visitor = await browserOf(app, mallory.username);
  const answer = (decision: 'allow' | 'deny') =>
    answerConsent(visitor, authorizationRequest(other, { prompt: 'consent' }), { decision });
  for (let count = 1; count <= 100; count += 1) assert.ok((await answer('allow')).searchParams.has('code'));

  const refused = await answer('allow');
  const denied = await answer('deny');

  assert.equal(refused.searchParams.get('error'), 'temporarily_unavailable');
  assert.equal(refused.searchParams.get('iss'), app.url);
  assert.equal(denied.searchParams.get('error'), 'access_denied');
});

test('Consent is remembered: asked again only for scopes not yet granted.', async () => {
  const other = await notebook(app.portico);
  await answerConsent(browser, authorizationRequest(other, { scope: 'profile:read' }));

  const silent = await authorize(authorizationRequest(other, { scope: 'profile:read' }));
  const more = await authorize(authorizationRequest(other));

  assert.equal(silent.status, 303);
  assert.equal(more.status, 200);
  const page = await more.text();
  assert.deepEqual(
    formIn(page, '/oauth/consent')
      .filter(([name]) => name === 'scope')
      .map(([, value]) => value),
    ['posts:read', 'profile:read'],
  );
  assert.match(page, /posts you have published<\/strong>\s*<span class="badge">New<[\s\S]*You already allow/);
});

for (const redirectUri of ['http://127.0.0.1:8421/cb', 'com.example.pocket:/cb']) {
  test(`A public application whose callback is ${redirectUri} always asks.`, async () => {
    const local = await pocket(app.portico, { redirectUris: [redirectUri] });
    const proof = { code_challenge: pkce().challenge, code_challenge_method: 'S256' };
    await answerConsent(browser, authorizationRequest(local, proof));

    const again = await authorize(authorizationRequest(local, proof));

    assert.equal(again.status, 200);
  });
}

test('A member can open 150 consent pages a minute, also of a refused answer.', async () => {
  const other = await notebook(app.portico);
  const reader = await member(app, 'hurried');
  const request = authorizationRequest(other);
  const first = await (await authorize(request, reader.browser)).text();
  for (let count = 2; count <= 150; count += 1) {
    assert.equal((await authorize(request, reader.browser)).status, 200);
  }

  const refused = await authorize(request, reader.browser);
  await changeClient(byServer(app.portico.clock), app.portico.oauth, other.id, {
    requiredScopes: ['posts:read'],
  });
  const again = await reader.browser.submit(first, '/oauth/consent', { decision: 'allow' });

  assert.equal(refused.status, 429);
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
  assert.equal(again.status, 429);
});

describe('The consent form', () => {
  test('is shown again if the application requires more than the page said; the choices are kept.', async () => {
    const { oauth, clock } = app.portico;
    const other = await notebook(app.portico);
    const reader = await member(app, 'reader');
    const first = await (await authorize(authorizationRequest(other), reader.browser)).text();
    await changeClient(byServer(clock), oauth, other.id, { requiredScopes: ['posts:read'] });

    const unticked = { decision: 'allow', scope: ['profile:read'] };
    const again = await reader.browser.submit(first, '/oauth/consent', unticked);
    const page = await again.text();

    assert.equal(again.status, 400);
    assert.match(page, /The application changed while this page was open/);
    assert.equal((await oauth.reads.findGrant(reader.id, other.id, clock()))?.scopes, undefined);
    // What is required now has no name, because it can't be unticked.
    assert.deepEqual(
      formIn(page, '/oauth/consent').filter(([name]) => name === 'scope'),
      [['scope', 'profile:read']],
    );
    // A member who sees that it is required can allow it, or deny it all.
    assert.equal((await reader.browser.submit(first, '/oauth/consent', { decision: 'deny' })).status, 303);
    assert.equal((await reader.browser.submit(page, '/oauth/consent', unticked)).status, 303);
    const grant = await oauth.reads.findGrant(reader.id, other.id, clock());
    assert.deepEqual(grant?.scopes, ['profile:read', 'posts:read']);
  });

  test('cannot be answered from another browser, by another member or without its token.', async () => {
    const fresh = await notebook(app.portico);
    const page = await (await authorize(authorizationRequest(fresh))).text();
    const fields = Object.fromEntries(formIn(page, '/oauth/consent'));
    const asMallory = await browserOf(app, 'mallory');

    const foreign = await asMallory.post(
      '/oauth/consent',
      new URLSearchParams({ ...fields, decision: 'allow' }),
    );
    const signedOut = await new Browser(app.url).post(
      '/oauth/consent',
      new URLSearchParams({ ...fields, decision: 'allow' }),
    );
    const tokenless = await browser.submit(page, '/oauth/consent', { decision: 'allow', form_token: '' });

    assert.equal(foreign.status, 403);
    assert.equal(signedOut.status, 403);
    assert.equal(tokenless.status, 403);
    assert.equal(await app.portico.oauth.reads.findGrant(alice.id, fresh.id, app.portico.clock()), undefined);
    assert.equal(
      await app.portico.oauth.reads.findGrant(mallory.id, fresh.id, app.portico.clock()),
      undefined,
    );
  });

  test('is bound to its request: with another request it is refused, with a link to open that request.', async () => {
    const fresh = await notebook(app.portico);
    const page = await (await authorize(authorizationRequest(fresh, { scope: 'profile:read' }))).text();
    const other = authorizationRequest(client, { scope: 'profile:read posts:read' }).toString();

    const answer = await browser.submit(page, '/oauth/consent', { decision: 'allow', request: other });

    assert.equal(answer.status, 403);
    assert.equal(answer.headers.get('location'), null);
    assert.match(await answer.text(), /href="\/oauth\/authorize\?/);
  });

  test('cannot be sent by a GET, and a cross-site post is refused.', async () => {
    const fresh = await notebook(app.portico);
    const page = await (await authorize(authorizationRequest(fresh))).text();
    const fields = new URLSearchParams([...formIn(page, '/oauth/consent'), ['decision', 'allow']]);

    const byGet = await browser.open(`/oauth/consent?${fields}`);
    const crossSite = await browser.open('/oauth/consent', {
      method: 'POST',
      body: fields,
      headers: { 'Sec-Fetch-Site': 'cross-site' },
    });

    assert.equal(byGet.status, 404);
    assert.equal(crossSite.status, 403);
  });

  test('with an unknown duration is refused, and nothing is allowed.', async () => {
    const fresh = await notebook(app.portico);
    const page = await (await authorize(authorizationRequest(fresh))).text();

    const answer = await browser.submit(page, '/oauth/consent', { decision: 'allow', duration: 'a_year' });

    assert.equal(answer.status, 403);
    assert.match(await answer.text(), /href="\/oauth\/authorize\?/);
    assert.equal(await app.portico.oauth.reads.findGrant(alice.id, fresh.id, app.portico.clock()), undefined);
  });

  test('can be sent twice: both answers work.', async () => {
    const fresh = await notebook(app.portico);
    const page = await (await authorize(authorizationRequest(fresh))).text();

    const answers = await Promise.all(
      [1, 2].map(() => browser.submit(page, '/oauth/consent', { decision: 'allow' })),
    );

    assert.deepEqual(
      answers.map(({ status }) => status),
      [303, 303],
    );
  });

  test('shows who asks, where the member goes next, what is read and what is not, and an example of the data.', async () => {
    const fresh = await notebook(app.portico, { name: '<b>Notes</b> & "more"', ownerId: mallory.id });
    app.clock.advance(21 * 24 * 3600 * 1000);
    await signInAgain();

    const page = await (await authorize(authorizationRequest(fresh))).text();

    assert.match(page, /Let &lt;b&gt;Notes&lt;\/b&gt; &amp; &quot;more&quot; read from your account\?/);
    assert.match(page, /@mallory<\/a> · registered 21 days ago · no members use it yet/);
    assert.match(page, /<p class="host">notebook\.example\.com<\/p>/);
    assert.match(page, /Nickname, avatar, bio, membership status, level and experience points\./);
    assert.match(page, /see your email, account status or devices/);
    assert.match(page, /&quot;username&quot;: &quot;alice&quot;/);
    assert.match(page, /Signed in as<\/span> <strong>alice<\/strong>/);
  });

  test('is in Chinese for a member who prefers it.', async () => {
    const fresh = await notebook(app.portico);
    const zh = new Browser(app.url, 'zh-CN,zh;q=0.9,en;q=0.5');
    await zh.signIn('alice', PASSWORD);

    const page = await (await authorize(authorizationRequest(fresh), zh)).text();

    assert.match(page, /<html lang="zh-Hans">/);
    assert.match(page, /允许 Notebook 读取您的账号信息？/);
  });

  test('shows a host with letters outside ASCII in both of its forms.', async () => {
    const fresh = await notebook(app.portico, { redirectUris: ['https://xn--80ak6aa92e.com/cb'] });

    const page = await (await authorize(authorizationRequest(fresh))).text();

    assert.match(page, /xn--80ak6aa92e\.com/);
    assert.match(page, /аррӏе\.com/);
  });
});
