// OpenID Connect Core with contract §3: the parameters id_token_hint, login_hint and ui_locales.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DAY, MINUTE } from '../../src/lib/clock.ts';
import { Browser, formIn } from '../support/browser.ts';
import { forgedIdTokens } from '../support/forged-id-tokens.ts';
import { idTokenOf } from '../support/openid.ts';
import { browserOf, notebook, PASSWORD } from '../support/people.ts';
import {
  app,
  assertCode,
  authorize,
  browser,
  client,
  errorOf,
  openFixture,
  redirectTarget,
  signInWhereAsked,
} from './openid-fixture.ts';

before(openFixture);
after(() => app.close());

describe('id_token_hint:', () => {
  test('of the member who is signed in gives a code, also long after it expired', async () => {
    const own = await browserOf(app, 'alice');
    const hint = await idTokenOf(app, client, own);
    app.clock.advance(2 * DAY);

    assertCode(await authorize({ prompt: 'none', id_token_hint: hint }, own));
  });

  test('of another member with prompt=none is login_required', async () => {
    const hint = await idTokenOf(app, client, await browserOf(app, 'mallory'));

    assert.equal(errorOf(await authorize({ prompt: 'none', id_token_hint: hint })), 'login_required');
  });

  test('of another member leads to the login page; only signing in as that member gives a code', async () => {
    const hint = await idTokenOf(app, client, await browserOf(app, 'mallory'));
    const own = await browserOf(app, 'alice');
    app.clock.advance(MINUTE);
    const response = await authorize({ id_token_hint: hint }, own);
    const back = redirectTarget(response).searchParams.get('return_to') ?? '';

    await signInWhereAsked(response, own, 'alice');
    const asAlice = await own.open(back);
    await own.signIn('mallory', PASSWORD);
    const asMallory = await own.open(back);

    assert.equal(errorOf(asAlice), 'login_required');
    assertCode(asMallory);
  });

  test('does not sign anyone in: without a session it leads to the login page', async () => {
    const hint = await idTokenOf(app, client, browser);
    const stranger = new Browser(app.url);

    assert.equal(redirectTarget(await authorize({ id_token_hint: hint }, stranger)).pathname, '/login');
    assert.equal(
      errorOf(await authorize({ prompt: 'none', id_token_hint: hint }, stranger)),
      'login_required',
    );
  });

  test('is ignored if it is forged', async () => {
    const genuine = await idTokenOf(app, client, await browserOf(app, 'alice'));

    assertCode(await authorize({ prompt: 'none', id_token_hint: genuine }));
    for (const [name, hint] of await forgedIdTokens(app.portico, genuine)) {
      const answer = await authorize({ prompt: 'none', id_token_hint: hint });
      assert.equal(errorOf(answer), 'login_required', name);
      assertCode(await authorize({ id_token_hint: hint }));
    }
  });
});

describe('Hints for the pages:', () => {
  test('login_hint fills in the username, as text', async () => {
    const login = redirectTarget(await authorize({ login_hint: 'al"><ice' }, new Browser(app.url)));

    const page = await (await browser.open(login.pathname + login.search)).text();

    assert.equal(new Map(formIn(page, '/login')).get('username'), 'al"><ice');
    assert.doesNotMatch(page, /<ice/);
  });

  const LOCALES: [string, string][] = [
    ['zh-Hans', 'zh-Hans'],
    ['zh-CN en', 'zh-Hans'],
    ['en zh', 'en'],
    ['fr-CA zh', 'zh-Hans'],
    ['fr', 'en'],
    ['', 'en'],
  ];
  for (const [locales, language] of LOCALES) {
    test(`ui_locales="${locales}": the login, consent and answer pages are in ${language}`, async () => {
      const unknown = await notebook(app.portico);
      const more = { ui_locales: locales, response_mode: 'form_post' };
      const own = new Browser(app.url);

      const login = redirectTarget(await authorize(more, own, unknown));
      const loginPage = await own.open(login.pathname + login.search);
      const text = await loginPage.text();
      const wrong = await own.submit(text, '/login', { username: 'alice', password: 'a guess' });
      const signedIn = await own.submit(text, '/login', { username: 'alice', password: PASSWORD });
      const consent = await own.open(signedIn.headers.get('location') ?? '');
      const answer = await own.submit(await consent.text(), '/oauth/consent', { decision: 'allow' });
      const signup = await own.open(login.pathname.replace('login', 'signup') + login.search);

      const languages = [loginPage, wrong, consent, answer, signup].map((page) =>
        page.headers.get('content-language'),
      );
      assert.deepEqual(languages, Array(5).fill(language));
    });
  }

  test('a language that the visitor chose takes precedence over ui_locales', async () => {
    const own = new Browser(app.url);
    own.setCookie('language', 'en');
    const login = redirectTarget(await authorize({ ui_locales: 'zh' }, own));

    const page = await own.open(login.pathname + login.search);

    assert.equal(page.headers.get('content-language'), 'en');
  });

  for (const more of [
    { display: 'popup' },
    { display: 'nonsense' },
    { acr_values: '3' },
    { claims_locales: 'fr' },
  ]) {
    test(`a hint about something fixed is ignored: ${JSON.stringify(more)}`, async () => {
      assertCode(await authorize({ ...more }));
    });
  }
});
