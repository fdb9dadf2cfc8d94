// OpenID Connect Core with contract §3: prompt and max_age, with which an application asks for a new sign-in.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { decodeJwt } from 'jose';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/lib/clock.ts';
import { Browser } from '../support/browser.ts';
import { json } from '../support/json.ts';
import { idTokenOf, openIdTokens, verify } from '../support/openid.ts';
import { browserOf, notebook, pocket } from '../support/people.ts';
import { askToken } from '../support/relying-party.ts';
import {
  app,
  assertCode,
  authorize,
  browser,
  client,
  errorOf,
  openFixture,
  redirectTarget,
  seconds,
  signInWhereAsked,
} from './openid-fixture.ts';

before(openFixture);
after(() => app.close());

describe('prompt=none shows no page:', () => {
  test('without a session the response is login_required, at once', async () => {
    assert.equal(errorOf(await authorize({ prompt: 'none' }, new Browser(app.url))), 'login_required');
  });

  test('without consent the response is consent_required', async () => {
    const unknown = await notebook(app.portico);

    assert.equal(errorOf(await authorize({ prompt: 'none' }, browser, unknown)), 'consent_required');
  });

  test('with a scope that is not yet allowed the response is consent_required', async () => {
    assert.equal(
      errorOf(await authorize({ prompt: 'none', scope: 'openid posts:read' })),
      'consent_required',
    );
  });

  test('with a sign-in older than max_age the response is login_required', async () => {
    app.clock.advance(11 * SECOND);

    assert.equal(errorOf(await authorize({ prompt: 'none', max_age: '10' })), 'login_required');
    assert.equal(errorOf(await authorize({ prompt: 'none', max_age: '0' })), 'login_required');
  });

  test('with session and consent the response is a code', async () => {
    assertCode(await authorize({ prompt: 'none' }));
  });

  test('an invalid request gets its error at once, too', async () => {
    const stranger = new Browser(app.url);

    assert.equal(errorOf(await authorize({ prompt: 'none', scope: 'wallet' }, stranger)), 'invalid_scope');
  });

  test('an application whose callback any program on the device could receive always gets consent_required', async () => {
    const onDevice = await pocket(app.portico, { redirectUris: ['http://127.0.0.1:7777/cb'] });
    await openIdTokens(app, onDevice, browser);
    const more = { code_challenge: 'a'.repeat(43), code_challenge_method: 'S256', prompt: 'none' };

    const callback = redirectTarget(await authorize(more, browser, onDevice));

    assert.equal(callback.searchParams.get('error'), 'consent_required');
  });

  for (const prompt of ['none login', 'consent none', 'none select_account']) {
    test(`it can’t be combined with another value: prompt="${prompt}" is invalid_request`, async () => {
      assert.equal(errorOf(await authorize({ prompt })), 'invalid_request');
    });
  }
});

describe('prompt=login asks for a sign-in despite a session:', () => {
  test('the return address leads back to the login page until the member has signed in again', async () => {
    const own = await browserOf(app, 'alice');
    app.clock.advance(MINUTE);
    const toLogin = redirectTarget(await authorize({ prompt: 'login' }, own));
    const back = toLogin.searchParams.get('return_to') ?? '';

    app.clock.advance(MINUTE);
    const again = await own.open(back);
    const signedIn = await signInWhereAsked(again, own, 'alice');

    assert.equal(toLogin.searchParams.get('again'), '1');
    assertCode(await own.open(signedIn));
  });

  test('the id_token has the new auth_time', async () => {
    const own = await browserOf(app, 'alice');
    app.clock.advance(HOUR);
    const signedInAt = seconds(app.clock.now);
    const back = await signInWhereAsked(await authorize({ prompt: 'login' }, own), own, 'alice');

    const callback = redirectTarget(await own.open(back));
    const answer = await askToken(app, client, {
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      redirect_uri: client.redirectUri,
    });

    assert.equal(decodeJwt((await json(answer)).id_token).auth_time, signedInAt);
  });

  test('the next request asks for the next sign-in', async () => {
    const own = await browserOf(app, 'alice');
    app.clock.advance(MINUTE);
    await signInWhereAsked(await authorize({ prompt: 'login' }, own), own, 'alice');
    app.clock.advance(MINUTE);

    assert.equal(redirectTarget(await authorize({ prompt: 'login' }, own)).pathname, '/login');
  });

  test('a time in the future in the address does not avoid the sign-in', async () => {
    const own = await browserOf(app, 'alice');

    const answer = await authorize({ prompt: 'login', asked_at: String(app.clock.now + DAY) }, own);

    assert.equal(redirectTarget(answer).pathname, '/login');
  });

  test('the page says why, and offers no way around it', async () => {
    app.clock.advance(MINUTE);
    const login = redirectTarget(await authorize({ prompt: 'login' }));

    const page = await (await browser.open(login.pathname + login.search)).text();

    assert.match(page, /asks you to confirm that it’s you/);
    assert.doesNotMatch(page, /Continue as/);
  });
});

describe('Other prompts:', () => {
  test('prompt=consent asks even if everything is allowed already, and allowing gives a code', async () => {
    const consentPage = await authorize({ prompt: 'consent' });
    const page = await consentPage.text();

    const consentAnswer = await browser.submit(page, '/oauth/consent', { decision: 'allow' });

    assert.equal(consentPage.status, 200);
    assert.match(page, /You already allow/);
    assertCode(consentAnswer);
  });

  test('prompt=select_account leads to the login page, where the member continues as the same or another account', async () => {
    const login = redirectTarget(await authorize({ prompt: 'select_account' }));
    const page = await (await browser.open(login.pathname + login.search)).text();
    const [, goOn = ''] = /<a href="([^"]*)">Continue as alice/.exec(page) ?? [];

    assert.equal(login.pathname, '/login');
    assert.match(page, /signed in as alice/);
    assertCode(await browser.open(goOn.replaceAll('&amp;', '&')));
  });

  for (const prompt of ['create', 'LOGIN', 'login nothing']) {
    test(`an unknown prompt is invalid_request: prompt="${prompt}"`, async () => {
      assert.equal(errorOf(await authorize({ prompt })), 'invalid_request');
    });
  }
});

describe('max_age:', () => {
  test('an older sign-in must be repeated; one of exactly that age need not', async () => {
    const own = await browserOf(app, 'alice');

    app.clock.advance(60 * SECOND);
    const asOld = await authorize({ max_age: '60' }, own);
    app.clock.advance(1 * SECOND);
    const older = await authorize({ max_age: '60' }, own);
    const back = await signInWhereAsked(older, own, 'alice');

    assertCode(asOld);
    assertCode(await own.open(back));
  });

  test('a consent page that was open for longer is answered only after a new sign-in', async () => {
    const own = await browserOf(app, 'alice');
    const page = await (await authorize({ max_age: '60', prompt: 'consent' }, own)).text();
    app.clock.advance(61 * SECOND);

    const late = await own.submit(page, '/oauth/consent', { decision: 'allow' });
    const again = await own.open(late.headers.get('location') ?? '');
    const back = await signInWhereAsked(again, own, 'alice');
    const anew = await (await own.open(back)).text();

    assertCode(await own.submit(anew, '/oauth/consent', { decision: 'allow' }));
  });

  test('max_age=0 has the effect of prompt=login', async () => {
    const own = await browserOf(app, 'alice');
    app.clock.advance(1 * SECOND);

    const back = await signInWhereAsked(await authorize({ max_age: '0' }, own), own, 'alice');

    assertCode(await own.open(back));
    assert.equal(redirectTarget(await authorize({ max_age: '0' }, own)).pathname, '/login');
  });

  test('auth_time is in the id_token', async () => {
    const own = await browserOf(app, 'alice');
    const signedInAt = seconds(app.clock.now);
    app.clock.advance(30 * SECOND);

    const { payload } = await verify(app, await idTokenOf(app, client, own, { max_age: '60' }), client);

    assert.equal(payload.auth_time, signedInAt);
  });

  for (const wrong of ['-1', '1.5', 'abc', '1e3', '0x10', ' 60', '99999999999']) {
    test(`anything but a number of seconds is invalid_request: "${wrong}"`, async () => {
      assert.equal(errorOf(await authorize({ max_age: wrong })), 'invalid_request');
    });
  }
});
