// Signing out at the request of an application (OpenID Connect RP-Initiated Logout 1.0, contract §6).

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { byServer } from '../../../src/audit/doer.ts';
import { HOUR } from '../../../src/lib/clock.ts';
import { deactivateClient } from '../../../src/oauth/client-status.ts';
import { type App, openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { forgedIdTokens } from '../../support/forged-id-tokens.ts';
import { notebook, person, pocket, type RegisteredClient } from '../../support/people.ts';
import { BYE, isSignedIn, logout, signIn } from './logout-fixture.ts';

const BYE_WITH_QUERY = 'https://notebook.example.com/bye?from=portico';

let app: App;
let client: RegisteredClient;
let other: RegisteredClient;

before(async () => {
  app = await openApp();
  for (const name of ['alice', 'mallory']) await person(app.portico, name);
  client = await notebook(app.portico, { postLogoutRedirectUris: [BYE, BYE_WITH_QUERY] });
  other = await pocket(app.portico, { postLogoutRedirectUris: ['https://pocket.example.com/bye'] });
});
after(() => app.close());

describe('An application that names the member with an id_token', () => {
  test('signs that member out at once, and gets the member and its state back', async () => {
    const { browser, idToken } = await signIn(app, client, 'alice');

    const answer = await browser.open(
      logout({ id_token_hint: idToken, post_logout_redirect_uri: BYE, state: 'a b&c=d#é' }),
    );

    assert.equal(answer.status, 303);
    const callback = new URL(answer.headers.get('location') ?? '');
    assert.equal(callback.origin + callback.pathname, BYE);
    assert.deepEqual([...callback.searchParams], [['state', 'a b&c=d#é']]);
    assert.equal(callback.hash, '');
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal(await isSignedIn(browser), false);
  });

  test('can do it by POST as well', async () => {
    const { browser, idToken } = await signIn(app, client, 'alice');

    const answer = await browser.post(
      '/oauth/logout',
      new URLSearchParams({ id_token_hint: idToken, post_logout_redirect_uri: BYE }),
    );

    assert.equal(answer.status, 303);
    assert.equal(answer.headers.get('location'), BYE);
    assert.equal(await isSignedIn(browser), false);
  });

  test('gets its own query back with the state', async () => {
    const { browser, idToken } = await signIn(app, client, 'alice');

    const answer = await browser.open(
      logout({ id_token_hint: idToken, post_logout_redirect_uri: BYE_WITH_QUERY, state: 'x' }),
    );

    assert.equal(answer.headers.get('location'), `${BYE_WITH_QUERY}&state=x`);
  });

  test('needs no return address: then a page says that the member was signed out', async () => {
    const { browser, idToken } = await signIn(app, client, 'alice');

    const answer = await browser.open(logout({ id_token_hint: idToken, state: 'x' }));

    assert.equal(answer.status, 200);
    assert.match(await answer.text(), /<h1>You are signed out<\/h1>/);
    assert.equal(await isSignedIn(browser), false);
  });

  test('can use an id_token that has expired', async () => {
    const { browser, idToken } = await signIn(app, client, 'alice');
    app.clock.advance(2 * HOUR);

    const answer = await browser.open(logout({ id_token_hint: idToken, post_logout_redirect_uri: BYE }));

    assert.equal(answer.headers.get('location'), BYE);
    assert.equal(await isSignedIn(browser), false);
  });

  test('ends the session, not only the browser’s cookie', async () => {
    const { browser, idToken } = await signIn(app, client, 'alice');
    const copy = new Browser(app.url);
    copy.setCookie('portico_session', browser.cookie('portico_session') ?? '');
    assert.equal(await isSignedIn(copy), true);

    await browser.open(logout({ id_token_hint: idToken }));

    assert.equal(await isSignedIn(copy), false);
  });
});

describe('No redirect leads to an address that is not registered, and nothing is changed:', () => {
  const addresses: [string, string][] = [
    ['another host', 'https://mallory.example/bye'],
    ['the same with something behind it', `${BYE}/`],
    ['the same with a query', `${BYE}?a=b`],
    ['the same with a fragment', `${BYE}#a`],
    ['the same in capitals', 'https://NOTEBOOK.example.com/bye'],
    ['the same with a user', 'https://notebook.example.com@mallory.example/bye'],
    ['the callback, which is registered for something else', 'https://notebook.example.com/callback'],
    ['that of another application', 'https://pocket.example.com/bye'],
    ['a script', 'javascript:alert(1)'],
    ['a path', '/bye'],
    ['the home page of this site', 'http://127.0.0.1/'],
  ];
  for (const [name, address] of addresses) {
    test(name, async () => {
      const { browser, idToken } = await signIn(app, client, 'alice');

      for (const visitor of [browser, new Browser(app.url)]) {
        for (const proof of [{ id_token_hint: idToken }, { client_id: client.id }]) {
          const answer = await visitor.open(logout({ ...proof, post_logout_redirect_uri: address }));

          assert.equal(answer.status, 400);
          assert.equal(answer.headers.get('location'), null);
          assert.ok(!(await answer.text()).includes(`href="${address}"`));
        }
      }
      assert.equal(await isSignedIn(browser), true);
    });
  }

  test('a registered one, in a request that names no application', async () => {
    const answer = await new Browser(app.url).open(logout({ post_logout_redirect_uri: BYE }));

    assert.equal(answer.status, 400);
    assert.equal(answer.headers.get('location'), null);
  });

  test('a registered one of an application that was deactivated', async () => {
    const gone = await notebook(app.portico, { postLogoutRedirectUris: [BYE] });
    await deactivateClient(byServer(app.portico.clock), app.portico.oauth, gone.id);

    const answer = await new Browser(app.url).open(
      logout({ client_id: gone.id, post_logout_redirect_uri: BYE }),
    );

    assert.equal(answer.status, 400);
    assert.equal(answer.headers.get('location'), null);
  });

  test('a registered one, sent twice', async () => {
    const twice = `post_logout_redirect_uri=${encodeURIComponent(BYE)}`;

    const answer = await new Browser(app.url).open(`/oauth/logout?client_id=${client.id}&${twice}&${twice}`);

    assert.equal(answer.status, 400);
    assert.equal(answer.headers.get('location'), null);
  });

  test('a registered one, with another application’s hint', async () => {
    const { browser, idToken } = await signIn(app, client, 'alice');

    const answer = await browser.open(
      logout({
        id_token_hint: idToken,
        client_id: other.id,
        post_logout_redirect_uri: 'https://pocket.example.com/bye',
      }),
    );

    assert.equal(answer.status, 400);
    assert.equal(await isSignedIn(browser), true);
  });
});

test('A forged hint proves nothing: the member is asked', async (t) => {
  const { browser, idToken } = await signIn(app, client, 'alice');
  for (const [name, forged] of await forgedIdTokens(app.portico, idToken)) {
    await t.test(name, async () => {
      const answer = await browser.open(
        logout({ id_token_hint: forged, client_id: client.id, post_logout_redirect_uri: BYE }),
      );

      assert.equal(answer.status, 200);
      assert.match(await answer.text(), /<h1>Sign out here too\?<\/h1>/);
      assert.equal(await isSignedIn(browser), true);
    });
  }
});

test('A forged hint does not even identify the application', async (t) => {
  const { idToken } = await signIn(app, client, 'alice');
  for (const [name, forged] of await forgedIdTokens(app.portico, idToken)) {
    await t.test(name, async () => {
      const answer = await new Browser(app.url).open(
        logout({ id_token_hint: forged, post_logout_redirect_uri: BYE }),
      );

      assert.equal(answer.status, 400);
      assert.equal(answer.headers.get('location'), null);
    });
  }
});

test('A browser that is signed out already goes straight to the registered address, with the state', async () => {
  const answer = await new Browser(app.url).open(
    logout({ client_id: client.id, post_logout_redirect_uri: BYE, state: 'x' }),
  );

  assert.equal(answer.status, 303);
  assert.equal(answer.headers.get('location'), `${BYE}?state=x`);
});

test('A POST from an application’s page, which lacks the Lax cookie, is repeated as a GET, which has it', async () => {
  const answer = await new Browser(app.url).post(
    '/oauth/logout',
    new URLSearchParams({ client_id: client.id, post_logout_redirect_uri: BYE }),
  );

  assert.equal(answer.status, 303);
  assert.equal(
    answer.headers.get('location'),
    logout({ client_id: client.id, post_logout_redirect_uri: BYE }),
  );
});
