// Telling applications that a member signed out (OpenID Connect Back-Channel Logout 1.0).

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, type TestContext, test } from 'node:test';
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import { byCommandLine, byMember } from '../../../src/audit/doer.ts';
import { endSignIns } from '../../../src/identity/session.ts';
import { HOUR } from '../../../src/lib/clock.ts';
import { openDelivery } from '../../../src/oauth/event-delivery.ts';
import { setEventEndpoint } from '../../../src/oauth/event-endpoint.ts';
import { pauseOwnConsent, resumeOwnConsent } from '../../../src/oauth/pause.ts';
import { withdrawOwnConsent } from '../../../src/oauth/withdrawal.ts';
import { type App, openApp } from '../../support/app.ts';
import { codeAt, sessionOf, withApp } from '../../support/codes.ts';
import { openReceiver, type Receiver, sendToReceivers, status } from '../../support/event-receiver.ts';
import { json } from '../../support/json.ts';
import { openIdTokens } from '../../support/openid.ts';
import {
  browserOf,
  member,
  notebook,
  type Person,
  person,
  type RegisteredClient,
  setStatus,
} from '../../support/people.ts';
import { logout, signIn } from './logout-fixture.ts';

let app: App;
let alice: Person;
let client: RegisteredClient;
let receiver: Receiver;

beforeEach(async (t) => {
  app = await openApp();
  alice = await person(app.portico, 'alice');
  client = await notebook(app.portico);
  receiver = await openReceiver(t as TestContext);
  const by = byCommandLine(app.clock.read);
  await setEventEndpoint(by, app.portico.oauth, client.id, 'logout', receiver.url);
});
afterEach(() => app.close());

async function deliver(): Promise<void> {
  const delivery = openDelivery(app.portico.oauth, sendToReceivers([receiver]), () => {});
  while ((await delivery.begin()) > 0) await delivery.idle();
}

/** The logout tokens that arrived. */
async function tokens(): Promise<string[]> {
  await deliver();
  return receiver.received.map(({ headers, body }) => {
    assert.equal(headers['content-type'], 'application/x-www-form-urlencoded');
    return new URLSearchParams(body).get('logout_token') ?? '';
  });
}

describe('when a member signs out, an application gets a logout token', () => {
  test('that it can verify, at the member’s own request', async () => {
    const { browser } = await signIn(app, client, 'alice');
    await browser.submit(await (await browser.open('/')).text(), '/logout', {});

    const [token = '', ...others] = await tokens();
    assert.deepEqual(others, []);
    const metadata = await json(await fetch(`${app.url}/.well-known/openid-configuration`));
    const keys = createLocalJWKSet(await json(await fetch(metadata.jwks_uri)));
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer: app.url,
      audience: client.id,
      typ: 'logout+jwt',
      subject: String(alice.id),
      requiredClaims: ['iat', 'exp', 'jti'],
      currentDate: new Date(app.clock.now),
    });
    assert.equal(protectedHeader.alg, 'RS256');
    assert.deepEqual(payload.events, { 'http://schemas.openid.net/event/backchannel-logout': {} });
    assert.deepEqual([payload.nonce, payload.sid], [undefined, undefined]);
    assert.equal(Number(payload.exp) - Number(payload.iat), 120);
    assert.deepEqual(
      [metadata.backchannel_logout_supported, metadata.backchannel_logout_session_supported],
      [true, false],
    );
  });

  test('at the request of an application', async () => {
    const { browser, idToken } = await signIn(app, client, 'alice');
    await browser.open(logout({ id_token_hint: idToken }));

    assert.equal((await tokens()).length, 1);
  });

  test('when an operator signs the member out everywhere', async () => {
    await signIn(app, client, 'alice');
    await endSignIns(byCommandLine(app.clock.read), app.portico.identity, alice.id);

    assert.equal((await tokens()).length, 1);
  });

  test('when a second factor that is added elsewhere ends the session', async () => {
    await signIn(app, client, 'alice');
    await withApp(app.portico.identity, alice, await sessionOf(app.portico.identity, alice.id));

    assert.equal((await tokens()).length, 1);
  });

  test('but not when the member adds it in the browser that signed in', async () => {
    const { browser } = await signIn(app, client, 'alice');
    const security = '/settings/security';
    await browser.submit(await browser.read(security), `${security}/app/start`);
    const page = await browser.read(`${security}/app`);
    const secret = /otpauth:[^"]*secret=([A-Z2-7]+)/.exec(page)?.[1] ?? '';
    const code = codeAt(secret, app.clock.now);
    assert.equal((await browser.submit(page, `${security}/app`, { code })).status, 200);

    assert.deepEqual(await tokens(), []);
  });

  test('but not when the member signs out of a browser that didn’t sign in to it', async () => {
    await signIn(app, client, 'alice');
    app.clock.advance(1000);
    const other = await browserOf(app, 'alice');
    await other.submit(await (await other.open('/')).text(), '/logout', {});

    assert.deepEqual(await tokens(), []);
  });

  test('when the member pauses the application, as when the account is suspended', async () => {
    await signIn(app, client, 'alice');
    const { oauth, identity, clock } = app.portico;

    await pauseOwnConsent(byMember(alice, clock), oauth, client.id);
    const paused = await tokens();
    await setStatus(identity, alice.id, 'suspended');
    await setStatus(identity, alice.id, 'active');
    const suspendedWhilePaused = await tokens();
    await resumeOwnConsent(byMember(alice, clock), oauth, client.id);
    await setStatus(identity, alice.id, 'suspended');
    await setStatus(identity, alice.id, 'active');

    // The receiver keeps what arrived before.
    assert.deepEqual([paused.length, suspendedWhilePaused.length, (await tokens()).length], [1, 1, 2]);
  });

  test('but not when the member has removed the application', async () => {
    await signIn(app, client, 'alice');
    const { oauth, identity, clock } = app.portico;
    await withdrawOwnConsent(byMember(alice, clock), oauth, client.id);

    await setStatus(identity, alice.id, 'suspended');
    await setStatus(identity, alice.id, 'active');

    assert.deepEqual(await tokens(), []);
  });

  test('but not without the scope openid', async () => {
    const browser = await browserOf(app, 'alice');
    await openIdTokens(app, client, browser, { scope: 'profile:read', nonce: '' });
    await browser.submit(await (await browser.open('/')).text(), '/logout', {});

    assert.deepEqual(await tokens(), []);
  });
});

test('another attempt has another token, and after an hour there is none', async () => {
  receiver.answer = status(503);
  const { browser } = await signIn(app, client, 'alice');
  await browser.submit(await (await browser.open('/')).text(), '/logout', {});

  await deliver();
  app.clock.advance(10_000);
  const [first = '', second = ''] = await tokens();
  assert.notEqual(decodeJwt(first).jti, decodeJwt(second).jti);
  app.clock.advance(1 * HOUR);
  await deliver();
  const count = receiver.received.length;
  app.clock.advance(8 * HOUR);
  await deliver();
  assert.equal(receiver.received.length, count);
});

test('operators see what waits, what was given up, and the last error', async () => {
  receiver.answer = status(503);
  const { browser } = await signIn(app, client, 'alice');
  await browser.submit(await (await browser.open('/')).text(), '/logout', {});
  await deliver();
  const operator = await member(app, 'olivia', { isOperator: true });
  const text = async () =>
    (await (await operator.browser.open('/operator/applications')).text()).replaceAll(/<[^>]+>|\s+/g, ' ');

  assert.match(
    await text(),
    /receiver\.example +1 waiting, 0 given up in 30 days +Last error: HTTP status 503/,
  );
  receiver.answer = status(410);
  app.clock.advance(10_000);
  await deliver();
  assert.match(await text(), /Turned off +0 waiting, 1 given up in 30 days +Last error: HTTP status 410/);
});
