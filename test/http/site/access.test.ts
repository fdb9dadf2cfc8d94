// After a new password: the API tokens and applications that still read the account, and revoking them at once.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { browserOf, notebook, PASSWORD, person, pocket } from '../../support/people.ts';
import { addCode, addPersonalToken, addSignIn } from '../../support/seeding.ts';
import { text } from './mail-fixture.ts';

const app = await openApp();
const { portico } = app;
after(() => app.close());
const clients = [await notebook(portico), await pocket(portico)] as const;

const PATH = '/settings/security/access';

async function changePassword(browser: Browser, next: string): Promise<Response> {
  const page = await text(browser.open('/settings/security'));
  const fields = { current: PASSWORD, new_password: next };
  return browser.submit(page, '/settings/security/password', fields);
}

async function canRead(token: string): Promise<boolean> {
  const headers = { Authorization: `Bearer ${token}` };
  return (await fetch(`${app.url}/api/open/v1/me`, { headers })).status === 200;
}

test('A changed password leads to all tokens and applications, ticked, and one button revokes them', async () => {
  const alice = await person(portico, 'alice');
  const browser = await browserOf(app, 'alice');
  const tokens = [await addPersonalToken(portico, alice.id), await addPersonalToken(portico, alice.id)];
  const signIns = [
    await addSignIn(portico, clients[0], alice.id),
    await addSignIn(portico, clients[1], alice.id),
  ];

  const answer = await changePassword(browser, 'another long walk');
  const page = await text(browser.open(answer.headers.get('location') ?? ''));
  const before = await Promise.all(
    [...tokens.map((one) => one.text), ...signIns.map((one) => one.access)].map(canRead),
  );
  const pressed = await browser.submit(page, PATH);
  const done = await text(browser.open(pressed.headers.get('location') ?? ''));
  const afterwards = await Promise.all(
    [...tokens.map((one) => one.text), ...signIns.map((one) => one.access)].map(canRead),
  );

  assert.equal(answer.headers.get('location'), `${PATH}?done=password`);
  assert.match(page, /Password changed\. You’re still signed in here/);
  assert.equal([...page.matchAll(/name="token" value="\d+" checked/g)].length, 2);
  assert.equal([...page.matchAll(/name="client" value="[^"]+" checked/g)].length, 2);
  assert.match(page, /Apps that run on a device or in a browser were signed out/);
  // The last one is public.
  assert.deepEqual(before, [true, true, true, false]);
  assert.equal(pressed.status, 303);
  assert.deepEqual(afterwards, [false, false, false, false]);
  const events = await portico.audit.reads.securityEvents({ userId: alice.id, limit: 4 });
  assert.deepEqual(
    events.map(({ event, address }) => `${event} ${address}`),
    [...Array(2).fill('consent_withdrawn 127.0.0.1'), ...Array(2).fill('api_token_revoked 127.0.0.1')],
  );
  assert.match(done, /Access revoked[\s\S]*No API tokens or applications can read/);
});

test('What is not ticked stays, and nobody can revoke what belongs to another member', async () => {
  const [bob, eve] = [await person(portico, 'bob'), await person(portico, 'eve')];
  const browser = await browserOf(app, 'eve');
  const [kept, revoked] = [await addPersonalToken(portico, eve.id), await addPersonalToken(portico, eve.id)];
  const bobs = await addPersonalToken(portico, bob.id);
  const bobsSignIn = await addSignIn(portico, clients[0], bob.id);
  const page = await text(browser.open(PATH));

  const fields = {
    token: [String(revoked.id), String(bobs.id), 'x', '-1', '1e9'],
    client: [clients[0].id, 'x'],
  };
  const answer = await browser.submit(page, PATH, fields);

  assert.equal(answer.status, 303);
  const readers = [kept.text, bobs.text, bobsSignIn.access, revoked.text];
  assert.deepEqual(await Promise.all(readers.map(canRead)), [true, true, true, false]);
});

test('A form with many ids of other members’ tokens and applications costs no more than the member’s own', async (t) => {
  const [bob, gina] = [await person(portico, 'bob2'), await person(portico, 'gina')];
  const browser = await browserOf(app, 'gina');
  const own = await addPersonalToken(portico, gina.id);
  const bobs = await addPersonalToken(portico, bob.id);
  await addSignIn(portico, clients[0], gina.id);
  const page = await text(browser.open(PATH));
  const { writes } = portico.oauth;
  const revocations = t.mock.method(writes, 'revokePersonalToken');
  const withdrawals = t.mock.method(writes, 'withdrawGrant');

  const ids = Array.from({ length: 400 }, (_, index) => String(bobs.id + index));
  const fields = {
    token: [String(own.id), ...ids, String(own.id)],
    client: [clients[0].id, clients[1].id, ...ids],
  };
  const answer = await browser.submit(page, PATH, fields);

  assert.equal(answer.status, 303);
  assert.deepEqual(
    revocations.mock.calls.map(({ arguments: [, id] }) => id),
    [own.id],
  );
  assert.deepEqual(
    withdrawals.mock.calls.map(({ arguments: [, , id] }) => id),
    [clients[0].id],
  );
});

test('A code from before a change of the password can’t be redeemed after it', async () => {
  const dave = await person(portico, 'dave');
  const browser = await browserOf(app, 'dave');
  const { text: code } = await addCode(portico, clients[0], dave.id);

  await changePassword(browser, 'another long walk');
  const { id, secret, redirectUri } = clients[0];
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: id,
    client_secret: secret,
    redirect_uri: redirectUri,
    code,
  });
  const answer = await fetch(`${app.url}/api/oauth/token`, { method: 'POST', body });

  assert.equal(answer.status, 400);
  assert.equal(((await answer.json()) as { error: string }).error, 'invalid_grant');
});

test('A new password that is easy to guess is accepted, and the next page says so, once', async () => {
  await person(portico, 'fred');
  const browser = await browserOf(app, 'fred');

  const answer = await changePassword(browser, 'qwertyuiop19');
  const location = answer.headers.get('location') ?? '';
  const [first, second] = [await text(browser.open(location)), await text(browser.open(location))];

  assert.equal(location, `${PATH}?done=password`);
  assert.match(first, /it resembles a common password/);
  assert.doesNotMatch(second, /easy to guess/);
  assert.equal((await new Browser(app.url).signIn('fred', 'qwertyuiop19')).status, 303);
});
