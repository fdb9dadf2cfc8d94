// Passkeys on the pages, with a device in software. test/journeys/passkeys.test.ts uses Chromium's.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { isWithoutCertificates } from '../../../src/identity/passkey.ts';
import { dailyLimit } from '../../../src/lib/attempt.ts';
import { MINUTE } from '../../../src/lib/clock.ts';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { codeAt, STEP, withApp } from '../../support/codes.ts';
import { member, PASSWORD, person, setStatus } from '../../support/people.ts';
import { freePort } from '../../support/services.ts';
import { type Lies, SoftwarePasskey } from '../../support/software-passkey.ts';

// Browsers accept no passkeys for an IP address.
const port = String(await freePort());
const PROXY = { TRUST_PROXY: '127.0.0.1, ::1' };
const app = await openApp({ HOST: 'localhost', PORT: port, BASE_URL: `http://localhost:${port}`, ...PROXY });
const { portico, clock } = app;
after(() => app.close());

const SECURITY = '/settings/security';
const PASSKEYS = '/settings/security/passkeys';

async function addPasskey(browser: Browser, device: SoftwarePasskey, lies: Lies = {}): Promise<Response> {
  const page = await browser.read(PASSKEYS);
  return browser.submit(page, PASSKEYS, { name: 'Laptop', ...device.create(page, lies) });
}

/** Add a member with a passkey, who is signed in. */
async function memberWithPasskey(username: string) {
  const device = new SoftwarePasskey(app.url);
  const user = await member(app, username);
  assert.equal((await addPasskey(user.browser, device)).status, 200);
  return { ...user, device };
}

async function signInWith(device: SoftwarePasskey, lies: Lies = {}, browser = new Browser(app.url)) {
  const page = await browser.read('/login?return_to=/drafts');
  return browser.submit(page, '/login/passkey', device.get(page, lies));
}

async function lastEvent(userId: number): Promise<string> {
  const [event] = await portico.audit.reads.securityEvents({ userId, limit: 1 });
  return `${event?.event} ${event?.detail}`;
}

test('A member adds a passkey, gets recovery codes, and signs in without a username or a password', async () => {
  const { browser, id, device } = await memberWithPasskey('nina');
  const list = await browser.read(SECURITY);
  const fresh = new Browser(app.url);

  const answer = await signInWith(device, {}, fresh);

  assert.match(list, /Laptop<\/a>[\s\S]*Added on[\s\S]*Not used yet[\s\S]*10 of 10 left/);
  assert.equal(answer.headers.get('location'), '/drafts');
  assert.equal((await fresh.open('/drafts')).status, 200);
  const [newest, before] = await portico.audit.reads.securityEvents({ userId: id, limit: 2 });
  assert.deepEqual([newest?.event, before?.event, before?.detail], ['new_browser', 'signed_in', 'passkey']);
  assert.match(await browser.read(SECURITY), /Last used on/);
  // The browser is known now.
  await signInWith(device, {}, fresh);
  assert.notEqual((await lastEvent(id)).split(' ')[0], 'new_browser');
});

test('A member signs in by passkey 2,000 times a day', async () => {
  const { id, device } = await memberWithPasskey('norma');
  const { reads, writes } = portico.identity;
  const { subject, most, closesAt } = dailyLimit(clock.now, 2_000, 'signed in by passkey', id);
  for (let count = 0; count < most - 1; count += 1) {
    await writes.countAttempt(subject, most, clock.now, closesAt);
  }

  const [last, refused] = [await signInWith(device), await signInWith(device)];

  assert.deepEqual([last.status, refused.status], [303, 429]);
  assert.equal((await reads.findAttempts(subject))?.count, 2_000);
});

test('A member renames and removes a passkey, which no longer works; other browsers are signed out', async () => {
  const { browser, device } = await memberWithPasskey('otto');
  const elsewhere = new Browser(app.url);
  await signInWith(device, {}, elsewhere);
  const path = /href="(\/settings\/security\/passkeys\/\d+)"/.exec(await browser.read(SECURITY))?.[1] ?? '';

  const nameless = await browser.submit(await browser.read(path), path, { do: 'rename', name: ' ' });
  await browser.submit(await browser.read(path), path, { do: 'rename', name: 'Old laptop' });
  const renamed = await browser.read(path);
  const removed = await browser.submit(renamed, path, { do: 'remove' });

  assert.equal(nameless.status, 400);
  assert.match(renamed, /<h1>Old laptop</);
  assert.equal(removed.headers.get('location'), `${SECURITY}?done=passkey_removed`);
  assert.equal((await signInWith(device)).status, 400);
  assert.equal((await elsewhere.open(SECURITY)).status, 303);
  assert.equal((await new Browser(app.url).signIn('otto', PASSWORD)).headers.get('location'), '/');
});

test('A passkey of another site is refused, at its registration and at the sign-in', async () => {
  const { browser, id, device } = await memberWithPasskey('petra');
  const foreign = { origin: 'https://evil.example', rpId: 'evil.example' };

  const registered = await addPasskey(browser, new SoftwarePasskey(app.url), foreign);
  const relayed = await signInWith(device, { origin: foreign.origin });
  const other = await signInWith(device, { rpId: foreign.rpId });
  const unknown = await signInWith(new SoftwarePasskey(app.url));

  assert.deepEqual([registered.status, relayed.status, other.status, unknown.status], [400, 400, 400, 400]);
  assert.match(await registered.text(), /The passkey was not accepted/);
  assert.equal(await lastEvent(id), 'factor_failed passkey');
  assert.equal((await signInWith(device)).status, 303);
});

test('A passkey whose counter goes back is refused, and leaves a security event', async () => {
  const { id, device } = await memberWithPasskey('quinn');
  device.counter = 7;
  assert.equal((await signInWith(device)).status, 303);

  const same = await signInWith(device, { counter: 8 });
  const back = await signInWith(device, { counter: 3 });

  assert.deepEqual([same.status, back.status], [400, 400]);
  assert.equal(await lastEvent(id), 'factor_failed passkey_counter');
  device.counter = 8;
  assert.equal((await signInWith(device)).status, 303);
});

test('A device that did not check who holds it is refused', async () => {
  const { device } = await memberWithPasskey('rosa');

  assert.equal((await signInWith(device, { isUserVerified: false })).status, 400);
});

test('An attestation with certificates is refused before anything that they name could be fetched', async () => {
  const { browser } = await member(app, 'nora');
  const page = await browser.read(PASSKEYS);
  const formats: [lies: Lies, isPlain: boolean][] = [
    [{}, true],
    [{ format: 'packed' }, true],
    [{ format: 'packed', hasCertificates: true }, false],
    [{ format: 'android-key', hasCertificates: true }, false],
    [{ format: 'android-key' }, false],
    [{ format: 'tpm' }, false],
  ];

  for (const [lies, isPlain] of formats) {
    const { passkey } = new SoftwarePasskey(app.url).create(page, lies);
    const { response } = JSON.parse(passkey) as { response: { attestationObject: string } };
    assert.equal(await isWithoutCertificates(response.attestationObject), isPlain, JSON.stringify(lies));
  }
  for (const wrong of [undefined, '', 'AAAA', 7]) assert.equal(await isWithoutCertificates(wrong), false);
  const device = new SoftwarePasskey(app.url);
  const lies = { format: 'android-key', hasCertificates: true };
  assert.equal((await addPasskey(browser, device, lies)).status, 400);
  assert.equal((await addPasskey(browser, device)).status, 200);
});

test('A challenge works once, in its browser, and for five minutes', async () => {
  const { device } = await memberWithPasskey('sven');
  const browser = new Browser(app.url);
  const page = await browser.read('/login');
  const answer = device.get(page);
  const thief = new Browser(app.url);
  const thiefsPage = await thief.read('/login');

  const challenge = /name="passkey_challenge" value="([^"]+)"/.exec(page)?.[1] ?? '';
  const stolen = await thief.submit(thiefsPage, '/login/passkey', {
    ...answer,
    passkey_challenge: challenge,
  });
  const first = await browser.submit(page, '/login/passkey', answer);
  const again = await browser.submit(page, '/login/passkey', device.get(page));
  const latePage = await new Browser(app.url).read('/login');
  clock.advance(5 * MINUTE);
  const late = await browser.submit(latePage, '/login/passkey', device.get(latePage));
  clock.advance(-5 * MINUTE);

  assert.deepEqual([stolen.status, first.status, again.status], [400, 303, 400]);
  assert.notEqual(late.status, 303);
});

test('A passkey that is added asks for a second step after the password, and is one', async () => {
  const { device } = await memberWithPasskey('tilda');
  const browser = new Browser(app.url);

  const path = (await browser.signIn('tilda', PASSWORD, '/drafts')).headers.get('location') ?? '';
  const page = await browser.read(path);
  const answer = await browser.submit(page, '/login/passkey', device.get(page));

  assert.match(path, /^\/login\/verify/);
  assert.match(page, /Recovery code/);
  assert.equal(answer.headers.get('location'), '/drafts');
});

test('A passkey proves who sits there before an important change; another member’s does not', async () => {
  const { browser, id, device } = await memberWithPasskey('uma');
  const other = await memberWithPasskey('viola');
  const form = await browser.read('/settings/tokens');
  clock.advance(10 * MINUTE + 1);

  const question = await browser.submit(form, '/settings/tokens', { name: 'x', scope: ['profile:read'] });
  const page = await question.text();
  const foreign = await browser.submit(page, '/settings/tokens', other.device.get(page));
  const again = await foreign.text();
  const done = await browser.submit(again, '/settings/tokens', device.get(again));

  assert.deepEqual([foreign.status, done.status], [400, 200]);
  assert.equal((await portico.oauth.reads.personalTokensOf(id)).length, 1);
});

test('Junk in the place of a passkey from one address does not keep the member elsewhere from a proof', async () => {
  const { browser, device } = await memberWithPasskey('tess');
  const thief = new Browser(app.url);
  thief.address = '192.0.2.66';
  await signInWith(device, {}, thief);
  const [form, copy] = [await browser.read('/settings/tokens'), await thief.read('/settings/tokens')];
  clock.advance(10 * MINUTE + 1);
  const fields = { name: 'x', scope: ['profile:read'] };

  const guesses: number[] = [];
  let page = await (await thief.submit(copy, '/settings/tokens', fields)).text();
  for (let guess = 0; guess < 11; guess += 1) {
    const answer = await thief.submit(page, '/settings/tokens', { ...device.get(page), passkey: '{}' });
    guesses.push(answer.status);
    if (guess < 10) page = await answer.text();
  }
  const question = await (await browser.submit(form, '/settings/tokens', fields)).text();
  const done = await browser.submit(question, '/settings/tokens', device.get(question));

  assert.deepEqual(guesses, [...Array(10).fill(400), 429]);
  assert.equal(done.status, 200);
});

test('A suspended member is told so after the passkey was right', async () => {
  const { id, device } = await memberWithPasskey('wanda');
  await setStatus(portico.identity, id, 'suspended');

  const answer = await signInWith(device);

  assert.equal(answer.status, 403);
  assert.match(await answer.text(), /This account is suspended/);
});

test('A second factor that is added does not end sessions, and the download names passkeys without secrets', async () => {
  const user = await person(portico, 'xenia');
  const { secret } = await withApp(portico.identity, user);
  clock.advance(STEP);
  const [browser, elsewhere] = [new Browser(app.url), new Browser(app.url)];
  for (const one of [browser, elsewhere]) {
    const page = await one.read((await one.signIn('xenia', PASSWORD)).headers.get('location') ?? '');
    await one.submit(page, '/login/verify', { code: codeAt(secret, clock.now) });
    clock.advance(STEP);
  }
  const device = new SoftwarePasskey(app.url);

  const added = await addPasskey(browser, device);
  const account = await browser.read('/settings/account');
  const text = await (await browser.submit(account, '/settings/account/export')).text();

  assert.equal(added.headers.get('location'), `${SECURITY}?done=passkey`);
  assert.equal((await elsewhere.open(SECURITY)).status, 200);
  const { second_factor: factor } = JSON.parse(text);
  assert.equal(factor.recovery_codes, 10);
  assert.deepEqual(
    factor.passkeys.map(({ name }: { name: string }) => name),
    ['Laptop'],
  );
  assert.ok(!text.includes(secret) && !text.includes(device.id.toString('base64url')));
});
