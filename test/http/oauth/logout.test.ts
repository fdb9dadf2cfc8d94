// Signing out here because an application asks (OpenID Connect RP-Initiated Logout 1.0, contract §6).

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { byServer } from '../../../src/audit/doer.ts';
import { HOUR } from '../../../src/lib/clock.ts';
import { deactivateClient } from '../../../src/oauth/client-status.ts';
import { type App, openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { forgedIdTokens } from '../../support/forged-id-tokens.ts';
import { idTokenOf } from '../../support/openid.ts';
import { notebook, person, pocket, type RegisteredClient } from '../../support/people.ts';
import { browserOf } from '../../support/relying-party.ts';

const BYE = 'https://notebook.example.com/bye';
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

describe('An application that proves whom it speaks of', () => {
  test('signs that very member out at once, and gets the member and its state back', async () => {
    const { browser, idToken } = await signedIn('alice');

    const answer = await browser.open(
      logout({ id_token_hint: idToken, post_logout_redirect_uri: BYE, state: 'a b&c=d#é' }),
    );

    assert.equal(answer.status, 303);
    const landed = new URL(answer.headers.get('location') ?? '');
    assert.equal(landed.origin + landed.pathname, BYE);
    assert.deepEqual([...landed.searchParams], [['state', 'a b&c=d#é']]);
    assert.equal(landed.hash, '');
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal(await isSignedIn(browser), false);
  });

  test('may do it by POST as well', async () => {
    const { browser, idToken } = await signedIn('alice');

    const answer = await browser.post(
      '/oauth/logout',
      new URLSearchParams({ id_token_hint: idToken, post_logout_redirect_uri: BYE }),
    );

    assert.equal(answer.status, 303);
    assert.equal(answer.headers.get('location'), BYE);
    assert.equal(await isSignedIn(browser), false);
  });

  test('gets its own query back beside the state', async () => {
    const { browser, idToken } = await signedIn('alice');

    const answer = await browser.open(
      logout({ id_token_hint: idToken, post_logout_redirect_uri: BYE_WITH_QUERY, state: 'x' }),
    );

    assert.equal(answer.headers.get('location'), `${BYE_WITH_QUERY}&state=x`);
  });

  test('needs no address to return to: then a page says that it is done', async () => {
    const { browser, idToken } = await signedIn('alice');

    const answer = await browser.open(logout({ id_token_hint: idToken, state: 'x' }));

    assert.equal(answer.status, 200);
    assert.match(await answer.text(), /<h1>You are signed out<\/h1>/);
    assert.equal(await isSignedIn(browser), false);
  });

  test('may bring an id_token that has expired', async () => {
    const { browser, idToken } = await signedIn('alice');
    app.clock.advance(2 * HOUR);

    const answer = await browser.open(logout({ id_token_hint: idToken, post_logout_redirect_uri: BYE }));

    assert.equal(answer.headers.get('location'), BYE);
    assert.equal(await isSignedIn(browser), false);
  });

  test('ends the cookie itself, not only the browser’s copy of it', async () => {
    const { browser, idToken } = await signedIn('alice');
    const copy = new Browser(app.url);
    copy.setCookie('portico_session', browser.cookie('portico_session') ?? '');
    assert.equal(await isSignedIn(copy), true);

    await browser.open(logout({ id_token_hint: idToken }));

    assert.equal(await isSignedIn(copy), false);
  });
});

describe('The member is asked', () => {
  test('without a hint: a link of a third party signs nobody out silently', async () => {
    const { browser } = await signedIn('alice');

    for (const query of [
      {},
      { client_id: client.id },
      { client_id: client.id, post_logout_redirect_uri: BYE },
    ]) {
      const answer = await browser.open(logout(query));

      assert.equal(answer.status, 200);
      assert.match(await answer.text(), /<h1>Sign out here too\?<\/h1>/);
      assert.equal(await isSignedIn(browser), true);
    }
  });

  test('with the hint of another member', async () => {
    const { browser } = await signedIn('alice');
    const { idToken } = await signedIn('mallory');

    const answer = await browser.open(logout({ id_token_hint: idToken, post_logout_redirect_uri: BYE }));

    assert.equal(answer.status, 200);
    assert.match(await answer.text(), /Notebook asks to sign you out/);
    assert.equal(await isSignedIn(browser), true);
  });

  test('and signs out with the button, to the application and with its state', async () => {
    const { browser } = await signedIn('alice');
    const page = await question(browser, { client_id: client.id, post_logout_redirect_uri: BYE, state: 'x' });

    const answer = await browser.submit(page, '/oauth/logout/answer', { decision: 'sign_out' });

    assert.equal(answer.status, 303);
    assert.equal(answer.headers.get('location'), `${BYE}?state=x`);
    assert.equal(await isSignedIn(browser), false);
  });

  test('and may stay', async () => {
    const { browser } = await signedIn('alice');
    const page = await question(browser, { client_id: client.id, post_logout_redirect_uri: BYE });

    const answer = await browser.submit(page, '/oauth/logout/answer', { decision: 'stay' });

    assert.equal(answer.headers.get('location'), '/');
    assert.equal(await isSignedIn(browser), true);
  });

  test('and nobody else can answer: not without the form, nor with that of another browser', async () => {
    const { browser } = await signedIn('alice');
    const malloryPage = await question((await signedIn('mallory')).browser, { client_id: client.id });
    const stolen = [...malloryPage.matchAll(/name="(form_token|seal|request)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')],
    );

    for (const fields of [[], stolen]) {
      const body = new URLSearchParams([...fields, ['decision', 'sign_out']]);
      assert.equal((await browser.post('/oauth/logout/answer', body)).status, 403);
    }
    assert.equal(await isSignedIn(browser), true);
  });

  test('about one request only: the answer can not be given another address', async () => {
    const { browser } = await signedIn('alice');
    const page = await question(browser, { client_id: client.id, post_logout_redirect_uri: BYE });
    const request = new URLSearchParams({
      client_id: other.id,
      post_logout_redirect_uri: 'https://pocket.example.com/bye',
    }).toString();

    const answer = await browser.submit(page, '/oauth/logout/answer', { decision: 'sign_out', request });

    assert.equal(answer.headers.get('location'), `/oauth/logout?${request}`);
    assert.equal(await isSignedIn(browser), true);
  });

  test('never by HEAD, which changes nothing', async () => {
    const { browser, idToken } = await signedIn('alice');

    const answer = await browser.open(logout({ id_token_hint: idToken }), { method: 'HEAD' });

    assert.equal(answer.status, 200);
    assert.equal(await isSignedIn(browser), true);
  });
});

describe('Nobody is sent to an address that is not registered, and nothing is changed:', () => {
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
      const { browser, idToken } = await signedIn('alice');

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

  test('a registered one, by nobody in particular', async () => {
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

  test('a registered one, given twice', async () => {
    const twice = `post_logout_redirect_uri=${encodeURIComponent(BYE)}`;

    const answer = await new Browser(app.url).open(`/oauth/logout?client_id=${client.id}&${twice}&${twice}`);

    assert.equal(answer.status, 400);
    assert.equal(answer.headers.get('location'), null);
  });

  test('a registered one, with a hint that was made for another application', async () => {
    const { browser, idToken } = await signedIn('alice');

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

test('A hint that is forged proves nothing: the member is asked', async (t) => {
  const { browser, idToken } = await signedIn('alice');
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

test('A forged hint does not even say which application asks', async (t) => {
  const { idToken } = await signedIn('alice');
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

test('Who is signed out already goes straight to the registered address, with the state', async () => {
  const answer = await new Browser(app.url).open(
    logout({ client_id: client.id, post_logout_redirect_uri: BYE, state: 'x' }),
  );

  assert.equal(answer.status, 303);
  assert.equal(answer.headers.get('location'), `${BYE}?state=x`);
});

test('What an application’s page posts, without the Lax cookie, goes on as a GET, which has it', async () => {
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

function logout(query: Record<string, string>): string {
  return `/oauth/logout?${new URLSearchParams(query)}`;
}

async function question(browser: Browser, query: Record<string, string>): Promise<string> {
  const answer = await browser.open(logout(query));
  assert.equal(answer.status, 200);
  return answer.text();
}

// A member's browser, and the id_token that the application got by it.
async function signedIn(username: string): Promise<{ browser: Browser; idToken: string }> {
  const browser = await browserOf(app, username);
  return { browser, idToken: await idTokenOf(app, client, browser) };
}

async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.open('/settings/profile')).status === 200;
}
