// What a thief of a session gets from public applications, which have no secret, and how the member sees and ends it.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { DAY, HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { notebook, PASSWORD, person, pocket, type RegisteredClient } from '../../support/people.ts';
import {
  answerConsent,
  askToken,
  authorizationRequest,
  pkce,
  type Tokens,
} from '../../support/relying-party.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const LOOPBACK = 'http://127.0.0.1:4000/cb';

const app = await openApp({ TRUST_PROXY: '127.0.0.1' });
const { portico, clock } = app;
after(() => app.close());

/** Sign in, at first with a browser of the member's own. */
async function browserOf(username: string, userAgent = FIREFOX): Promise<Browser> {
  const browser = new Browser(app.url, 'en', userAgent);
  assert.equal((await browser.signIn(username, PASSWORD)).status, 303);
  return browser;
}

/** A browser with a copy of the session, elsewhere. */
function thiefOf(browser: Browser): Browser {
  const thief = new Browser(app.url, 'en', 'curl/8.0');
  thief.setCookie('portico_session', browser.cookie('portico_session') ?? '');
  thief.address = '203.0.113.9';
  return thief;
}

/** Get a code, with a verifier that only this browser knows. Undefined if a page asks something. */
async function ask(browser: Browser, client: RegisteredClient) {
  const { verifier, challenge } = pkce();
  const request = authorizationRequest(client, { code_challenge: challenge, code_challenge_method: 'S256' });
  const answer = await browser.open(`/oauth/authorize?${request}`);
  if (answer.status === 200) return { page: await answer.text(), verifier };
  return { code: new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '', verifier };
}

function redeem(client: RegisteredClient, code: string, verifier: string): Promise<Response> {
  const { redirectUri: redirect_uri } = client;
  const fields = { grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier };
  return askToken(app, client, fields);
}

async function signIn(browser: Browser, client: RegisteredClient): Promise<string> {
  const { code = '', verifier } = await ask(browser, client);
  const answer = await redeem(client, code, verifier);
  assert.equal(answer.status, 200, await answer.clone().text());
  return ((await answer.json()) as Tokens).refresh_token;
}

/** Renew a sign-in. Returns its next refresh token, or undefined if it has ended. */
async function renew(client: RegisteredClient, refresh_token = ''): Promise<string | undefined> {
  const answer = await askToken(app, client, { grant_type: 'refresh_token', refresh_token });
  return ((await answer.json()) as Partial<Tokens>).refresh_token;
}

async function allow(browser: Browser, client: RegisteredClient, more = {}): Promise<void> {
  const { challenge } = pkce();
  const request = { code_challenge: challenge, code_challenge_method: 'S256', ...more };
  await answerConsent(browser, authorizationRequest(client, request));
}

const textOf = (page: string) => page.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

test('a sign-in at a public application without a page is in the security log, with its network', async () => {
  const { id } = await person(portico, 'alice');
  const browser = await browserOf('alice');
  const [client, server] = [await pocket(portico), await notebook(portico)];
  for (const one of [client, server]) await allow(browser, one);
  const thief = thiefOf(browser);

  await signIn(thief, client);
  await signIn(thief, server);

  assert.deepEqual(await signInsNoted(id), [[client.id, '203.0.113.9', 'curl']]);
  assert.match(
    textOf(await browser.read('/settings/security-log')),
    /Signed in again to an application Pocket, curl 203\.0\.113\.9/,
  );
});

async function signInsNoted(userId: number) {
  const query = { userId, event: 'application_signed_in', limit: 9 } as const;
  const events = await portico.audit.reads.securityEvents(query);
  return events.map(({ clientId, address, subject }) => [clientId, address, subject]);
}

test('so is a sign-in through the page, without a new consent', async () => {
  const { id } = await person(portico, 'anna');
  const browser = await browserOf('anna');
  const [client, loopback] = [await pocket(portico), await pocket(portico, { redirectUris: [LOOPBACK] })];
  for (const one of [client, loopback, await notebook(portico)]) await allow(browser, one);
  const thief = thiefOf(browser);

  await allow(thief, client, { prompt: 'consent' });
  await allow(thief, loopback);
  await allow(thief, await notebook(portico));

  assert.deepEqual(
    await signInsNoted(id),
    [loopback, client].map((one) => [one.id, '203.0.113.9', 'curl']),
  );
});

test('the page of an application and the download show the browser and the network of each sign-in', async () => {
  await person(portico, 'bea');
  const browser = await browserOf('bea');
  const client = await pocket(portico);
  await allow(browser, client);
  await signIn(browser, client);
  clock.advance(DAY);
  await signIn(thiefOf(browser), client);

  const page = textOf(await browser.read(`/settings/apps/${client.id}`));
  const account = await browser.read('/settings/account');
  const download = await browser.submit(account, '/settings/account/export');
  const data = JSON.parse(await download.text());

  assert.match(page, /curl 203\.0\.113\.0\/24 .*Firefox on Linux 127\.0\.0\.0\/24/);
  assert.deepEqual(
    data.application_sign_ins.map(({ program, network }: Record<string, string>) => [program, network]),
    [
      ['curl', '203.0.113.0/24'],
      ['Firefox on Linux', '127.0.0.0/24'],
    ],
  );
});

test('what a thief got ends when the member signs all other browsers out; their own sign-ins go on', async () => {
  await person(portico, 'carol');
  const [stolen, own] = [await browserOf('carol'), await browserOf('carol')];
  const [client, server] = [await pocket(portico), await notebook(portico)];
  clock.advance(MINUTE);
  const later = await browserOf('carol');
  for (const one of [client, server]) await allow(own, one);
  const theirs = await signIn(thiefOf(stolen), client);
  const [mine, onServer] = [await signIn(later, client), await signIn(stolen, server)];
  const signOut = '/settings/browsers/sign-out';
  const question = await later.read(signOut);

  assert.equal(
    (await later.submit(question, signOut)).headers.get('location'),
    '/settings/browsers?done=others',
  );

  assert.match(question, /Apps that run on a device or in a browser are signed out too/);
  assert.equal(await renew(client, theirs), undefined);
  assert.ok(await renew(client, mine));
  assert.ok(await renew(server, onServer));
});

test('the button is there too if the thief has signed the stolen session out, and until nothing is left', async () => {
  await person(portico, 'cleo');
  const stolen = await browserOf('cleo');
  const [client, server] = [await pocket(portico), await notebook(portico)];
  const button = /Sign out all other browsers/;
  for (const one of [client, server]) await allow(stolen, one);
  const theirs = await signIn(thiefOf(stolen), client);
  assert.doesNotMatch(await stolen.read('/settings/browsers'), button);
  await stolen.submit(await stolen.read('/settings/browsers'), '/logout');
  clock.advance(MINUTE);
  const own = await browserOf('cleo');

  assert.match(await own.read('/settings/browsers'), button);
  const signOut = '/settings/browsers/sign-out';
  await own.submit(await own.read(signOut), signOut);

  assert.doesNotMatch(await own.read('/settings/browsers'), button);
  assert.equal(await renew(client, theirs), undefined);
});

test('a new password ends it too, also if the thief has signed the stolen session out before', async () => {
  await person(portico, 'dora');
  const stolen = await browserOf('dora');
  const client = await pocket(portico);
  await allow(stolen, client);
  const theirs = await signIn(thiefOf(stolen), client);
  await stolen.submit(await stolen.read('/'), '/logout');
  const kept = await renew(client, theirs);
  assert.ok(kept);
  clock.advance(MINUTE);
  const browser = await browserOf('dora');

  const passwords = { current: PASSWORD, new_password: 'quite another long walk' };
  const form = await browser.read('/settings/security');
  await browser.submit(form, '/settings/security/password', passwords);

  assert.equal(await renew(client, kept), undefined);
});

test('an installed program gets a code only for a proof of ten minutes, also if it was allowed before', async () => {
  await person(portico, 'emma');
  const browser = await browserOf('emma');
  const client = await pocket(portico, { redirectUris: [LOOPBACK] });
  await allow(browser, client);
  const asksForPassword = async () => /name="password"/.test((await ask(browser, client)).page ?? '');
  clock.advance(10 * MINUTE);
  assert.equal(await asksForPassword(), false);
  clock.advance(MINUTE);
  assert.equal(await asksForPassword(), true);

  const { page = '', verifier } = await ask(browser, client);
  const answers = [];
  for (const password of ['', 'a wrong guess of mine', PASSWORD])
    answers.push(await browser.submit(page, '/oauth/consent', { decision: 'allow', password }));

  assert.deepEqual(
    answers.map(({ headers }) => headers.has('location')),
    [false, false, true],
  );
  const code = new URL(answers[2]?.headers.get('location') ?? '').searchParams.get('code') ?? '';
  assert.equal((await redeem(client, code, verifier)).status, 200);
});

test('a confidential application that the member allowed needs a proof after twelve hours', async () => {
  await person(portico, 'fay');
  const browser = await browserOf('fay');
  const client = await notebook(portico);
  await allow(browser, client);
  const asksForPassword = async () =>
    /name="password"/.test(
      await browser.read(`/oauth/authorize?${authorizationRequest(client, { prompt: 'consent' })}`),
    );

  clock.advance(12 * HOUR);
  assert.equal(await asksForPassword(), false);
  clock.advance(MINUTE);
  assert.equal(await asksForPassword(), true);
});

test('a code is void once another member signs in to its browser, and stays if the same member does', async () => {
  for (const name of ['gina', 'hana']) await person(portico, name);
  const browser = await browserOf('gina');
  const client = await notebook(portico);
  await allow(browser, client);
  const codeThen = async (username: string) => {
    const { code = '', verifier } = await ask(browser, client);
    clock.advance(MINUTE);
    await browser.signIn(username, PASSWORD);
    return (await redeem(client, code, verifier)).status;
  };

  assert.deepEqual([await codeThen('gina'), await codeThen('hana')], [200, 400]);
});
