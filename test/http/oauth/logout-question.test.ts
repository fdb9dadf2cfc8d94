// The confirmation before an application signs a member out (OpenID Connect RP-Initiated Logout 1.0, contract §6).

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { byServer } from '../../../src/audit/doer.ts';
import { HOUR } from '../../../src/lib/clock.ts';
import { deactivateClient } from '../../../src/oauth/client-status.ts';
import { type App, openApp } from '../../support/app.ts';
import type { Browser } from '../../support/browser.ts';
import { notebook, PASSWORD, person, pocket, type RegisteredClient } from '../../support/people.ts';
import { BYE, isSignedIn, logout, signIn } from './logout-fixture.ts';

let app: App;
let client: RegisteredClient;
let other: RegisteredClient;

before(async () => {
  app = await openApp();
  for (const name of ['alice', 'mallory']) await person(app.portico, name);
  client = await notebook(app.portico, { postLogoutRedirectUris: [BYE] });
  other = await pocket(app.portico, { postLogoutRedirectUris: ['https://pocket.example.com/bye'] });
});
after(() => app.close());

describe('An answer whose seal (a MAC over the request) is wrong', () => {
  test('is refused if the request is longer than an address can be', async () => {
    const { browser } = await signIn(app, client, 'alice');
    const page = await (await browser.open(logout({ client_id: client.id }))).text();
    const [, token = ''] = /name="form_token" value="([^"]+)"/.exec(page) ?? [];
    const request = 'a&'.repeat(100_000);

    const fields = { form_token: token, request, seal: 'bad' };
    const answer = await browser.post('/oauth/logout/answer', new URLSearchParams(fields));

    assert.equal(answer.status, 413);
  });

  for (const request of [
    'a\r\nSet-Cookie: x=y',
    'state=\r\n',
    'é状态',
    '\0',
    `client_id=${'x'.repeat(100)}`,
  ]) {
    test(`leads back to the question, also with ${JSON.stringify(request).slice(0, 24)}`, async () => {
      const { browser } = await signIn(app, client, 'alice');
      const page = await (await browser.open(logout({ client_id: client.id }))).text();
      const [, token = ''] = /name="form_token" value="([^"]+)"/.exec(page) ?? [];

      const answer = await browser.post(
        '/oauth/logout/answer',
        new URLSearchParams({ form_token: token, request, seal: 'bad', decision: 'sign_out' }),
      );

      assert.equal(answer.status, 303);
      assert.match(answer.headers.get('location') ?? '', /^\/oauth\/logout\?[\x21-\x7e]*$/);
      assert.equal(
        answer.headers.getSetCookie().some((cookie) => cookie.startsWith('x=')),
        false,
      );
      assert.equal(await isSignedIn(browser), true);
    });
  }
});

describe('The member is asked', () => {
  test('without a hint: a third party’s link can’t sign a member out silently', async () => {
    const { browser } = await signIn(app, client, 'alice');

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

  test('with the id_token of another sign-in of the member, here or in another browser', async () => {
    const { browser: phone, idToken: fromPhone } = await signIn(app, client, 'alice');
    app.clock.advance(HOUR);
    const { browser, idToken: older } = await signIn(app, client, 'alice');
    app.clock.advance(HOUR);
    await browser.signIn('alice', PASSWORD);

    for (const hint of [fromPhone, older]) {
      const answer = await browser.open(logout({ id_token_hint: hint, post_logout_redirect_uri: BYE }));

      assert.equal(answer.status, 200);
      assert.match(await answer.text(), /Notebook asks to sign you out/);
    }
    assert.equal(await isSignedIn(browser), true);
    await phone.open(logout({ id_token_hint: fromPhone }));
    assert.equal(await isSignedIn(phone), false);
  });

  test('with the id_token of an application that was deactivated', async () => {
    const gone = await notebook(app.portico);
    const { browser, idToken } = await signIn(app, gone, 'alice');
    await deactivateClient(byServer(app.portico.clock), app.portico.oauth, gone.id);

    const answer = await browser.open(logout({ id_token_hint: idToken }));

    assert.equal(answer.status, 200);
    assert.match(await answer.text(), /An application asks to sign you out/);
    assert.equal(await isSignedIn(browser), true);
  });

  test('with the hint of another member', async () => {
    const { browser } = await signIn(app, client, 'alice');
    const { idToken } = await signIn(app, client, 'mallory');

    const answer = await browser.open(logout({ id_token_hint: idToken, post_logout_redirect_uri: BYE }));

    assert.equal(answer.status, 200);
    assert.match(await answer.text(), /Notebook asks to sign you out/);
    assert.equal(await isSignedIn(browser), true);
  });

  test('and signs out with the button, to the application and with its state', async () => {
    const { browser } = await signIn(app, client, 'alice');
    const page = await question(browser, { client_id: client.id, post_logout_redirect_uri: BYE, state: 'x' });

    const answer = await browser.submit(page, '/oauth/logout/answer', { decision: 'sign_out' });

    assert.equal(answer.status, 303);
    assert.equal(answer.headers.get('location'), `${BYE}?state=x`);
    assert.equal(await isSignedIn(browser), false);
  });

  test('and can stay signed in', async () => {
    const { browser } = await signIn(app, client, 'alice');
    const page = await question(browser, { client_id: client.id, post_logout_redirect_uri: BYE });

    const answer = await browser.submit(page, '/oauth/logout/answer', { decision: 'stay' });

    assert.equal(answer.headers.get('location'), '/');
    assert.equal(await isSignedIn(browser), true);
  });

  test('and only that browser can answer: not without the form, nor with another browser’s form', async () => {
    const { browser } = await signIn(app, client, 'alice');
    const malloryPage = await question((await signIn(app, client, 'mallory')).browser, {
      client_id: client.id,
    });
    const stolen = [...malloryPage.matchAll(/name="(form_token|seal|request)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')],
    );

    for (const fields of [[], stolen]) {
      const body = new URLSearchParams([...fields, ['decision', 'sign_out']]);
      assert.equal((await browser.post('/oauth/logout/answer', body)).status, 403);
    }
    assert.equal(await isSignedIn(browser), true);
  });

  test('about one request only: the answer can’t be used with another address', async () => {
    const { browser } = await signIn(app, client, 'alice');
    const page = await question(browser, { client_id: client.id, post_logout_redirect_uri: BYE });
    const request = new URLSearchParams({
      client_id: other.id,
      post_logout_redirect_uri: 'https://pocket.example.com/bye',
    }).toString();

    const answer = await browser.submit(page, '/oauth/logout/answer', { decision: 'sign_out', request });

    assert.equal(answer.headers.get('location'), `/oauth/logout?${request}`);
    assert.equal(await isSignedIn(browser), true);
  });

  test('not by HEAD: such a request changes nothing', async () => {
    const { browser, idToken } = await signIn(app, client, 'alice');

    const answer = await browser.open(logout({ id_token_hint: idToken }), { method: 'HEAD' });

    assert.equal(answer.status, 200);
    assert.equal(await isSignedIn(browser), true);
  });
});

async function question(browser: Browser, query: Record<string, string>): Promise<string> {
  const answer = await browser.open(logout(query));
  assert.equal(answer.status, 200);
  return answer.text();
}
