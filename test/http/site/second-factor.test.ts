// Two-step verification on the pages: setting it up, signing in with it, and what else it changes.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { MINUTE } from '../../../src/lib/clock.ts';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { codeAt, STEP, withApp } from '../../support/codes.ts';
import { browserOf, member, notebook, PASSWORD, person } from '../../support/people.ts';
import { authorizationRequest } from '../../support/relying-party.ts';

const app = await openApp();
const { portico, clock } = app;
after(() => app.close());

const SECURITY = '/settings/security';
const APP = '/settings/security/app';

/** Add a member with an app, who is signed in nowhere. */
async function memberWithApp(username: string) {
  const user = await person(portico, username);
  const factor = await withApp(portico.identity, user);
  clock.advance(STEP);
  return { ...user, ...factor };
}

/** Sign in with password and code. */
async function signInWith(browser: Browser, username: string, secret: string): Promise<Response> {
  const answer = await browser.signIn(username, PASSWORD);
  const page = await browser.read(answer.headers.get('location') ?? '');
  const signedIn = await browser.submit(page, '/login/verify', { code: codeAt(secret, clock.now) });
  clock.advance(STEP);
  return signedIn;
}

async function eventsOf(userId: number): Promise<string[]> {
  const events = await portico.audit.reads.securityEvents({ userId, limit: 50 });
  return events.map(({ event, detail }) => `${event} ${detail ?? ''}`.trim());
}

test('A member sets up an app: its key is shown until the first code is right, then ten recovery codes once', async () => {
  const { id, browser } = await member(app, 'nina');
  const elsewhere = await browserOf(app, 'nina');

  const start = await browser.submit(await browser.read(SECURITY), `${APP}/start`);
  const page = await browser.read(start.headers.get('location') ?? '');
  const key = /aria-label="Key">([A-Z2-7 ]+)</.exec(page)?.[1]?.replaceAll(' ', '') ?? '';
  const wrong = await browser.submit(page, APP, { code: '000000' });
  const again = await wrong.text();
  const done = await browser.submit(again, APP, { code: codeAt(key, clock.now) });
  const codes = await done.text();

  assert.match(page, /<svg[\s\S]*otpauth:\/\/totp\//);
  assert.equal(key.length, 32);
  assert.equal(wrong.status, 400);
  assert.ok(again.replaceAll(' ', '').includes(key));
  assert.equal(done.status, 200);
  assert.equal(codes.match(/[0-9a-z]{6}(-[0-9a-z]{6}){3}/g)?.length, 10);
  const later = await browser.read(SECURITY);
  assert.match(later, /10 of 10 left/);
  assert.ok(!later.includes(key));
  assert.equal((await browser.open(APP)).status, 303);
  // The other browser knew no more than the password.
  assert.match((await elsewhere.open(SECURITY)).headers.get('location') ?? '', /^\/login/);
  assert.deepEqual((await eventsOf(id)).slice(0, 3), [
    'factor_added app',
    'session_ended factors_changed',
    'factor_failed app',
  ]);
  clock.advance(MINUTE);
});

test('An app that is started in another browser has a key that only that browser shows', async () => {
  const { browser } = await member(app, 'nora');
  const thief = await browserOf(app, 'nora');
  const keyIn = (page: string) => /aria-label="Key">([A-Z2-7 ]+)</.exec(page)?.[1]?.replaceAll(' ', '') ?? '';
  await browser.submit(await browser.read(SECURITY), `${APP}/start`);
  const page = await browser.read(APP);
  await thief.submit(await thief.read(SECURITY), `${APP}/start`);
  const stolen = keyIn(await thief.read(APP));

  const late = await browser.submit(page, APP, { code: codeAt(keyIn(page), clock.now) });
  const again = await late.text();
  const done = await browser.submit(again, APP, { code: codeAt(keyIn(again), clock.now) });

  assert.equal(stolen.length, 32);
  assert.equal(late.status, 400);
  assert.equal(keyIn(again).length, 32);
  assert.notEqual(keyIn(again), stolen);
  assert.equal(done.status, 200);
});

test('Signing in asks for the code after the password, and leads to the application that waits', async () => {
  const { secret } = await memberWithApp('otto');
  const client = await notebook(portico);
  const request = `/oauth/authorize?${authorizationRequest(client)}`;
  const browser = new Browser(app.url);

  const first = await browser.signIn('otto', PASSWORD, request);
  const path = first.headers.get('location') ?? '';
  const page = await browser.read(path);
  // Knowing the password is no session.
  const between = await browser.open(SECURITY);
  const wrong = await browser.submit(page, '/login/verify', { code: '000000' });
  const right = await browser.submit(await wrong.text(), '/login/verify', {
    code: codeAt(secret, clock.now),
  });

  assert.equal(first.status, 303);
  assert.match(path, /^\/login\/verify\?/);
  assert.match(page, /name="code"[\s\S]*>Verify</);
  assert.match(between.headers.get('location') ?? '', /^\/login/);
  assert.equal(wrong.status, 400);
  assert.equal(right.headers.get('location'), request);
  assert.match(await browser.read(request), /Notebook/);
  // The note is used up.
  assert.equal(
    (await new Browser(app.url).open('/login/verify')).headers.get('location'),
    '/login?return_to=%2F',
  );
});

test('After ten minutes between the steps the member starts again', async () => {
  const { secret } = await memberWithApp('petra');
  const browser = new Browser(app.url);
  const page = await browser.read((await browser.signIn('petra', PASSWORD)).headers.get('location') ?? '');

  clock.advance(10 * MINUTE);
  const late = await browser.submit(page, '/login/verify', { code: codeAt(secret, clock.now) });

  assert.equal(late.headers.get('location'), '/login?return_to=%2F');
  assert.equal((await browser.open(SECURITY)).status, 303);
});

test('The eleventh wrong code is answered with 429 and Retry-After', async () => {
  await memberWithApp('quinn');
  const browser = new Browser(app.url);
  const page = await browser.read((await browser.signIn('quinn', PASSWORD)).headers.get('location') ?? '');
  const enter = () => browser.submit(page, '/login/verify', { code: '000000' });
  for (let tried = 0; tried < 10; tried += 1) assert.equal((await enter()).status, 400);

  const answer = await enter();

  assert.equal(answer.status, 429);
  assert.equal(answer.headers.get('retry-after'), '900');
  assert.match(await answer.text(), /Too many incorrect codes. Try again in 15 minutes/);
  for (let quarter = 0; quarter < 4; quarter += 1) {
    clock.advance(15 * MINUTE);
    const path = (await browser.signIn('quinn', PASSWORD)).headers.get('location') ?? '';
    const fresh = await browser.read(path);
    for (let tried = 0; tried < 10; tried += 1)
      await browser.submit(fresh, '/login/verify', { code: '000000' });
  }
  clock.advance(15 * MINUTE);
  const last = await browser.read((await browser.signIn('quinn', PASSWORD)).headers.get('location') ?? '');
  const locked = await browser.submit(last, '/login/verify', { code: '000000' });
  assert.equal(locked.status, 429);
  assert.match(await locked.text(), /Use a recovery code or a passkey, or set a new password/);
});

test('A recovery code signs a member in once; new ones replace all others', async () => {
  const { id, secret, recoveryCodes } = await memberWithApp('rosa');
  const browser = new Browser(app.url);
  const path = (await browser.signIn('rosa', PASSWORD)).headers.get('location') ?? '';
  const page = await browser.read(path.replace('?', '?recovery=1&'));

  const signedIn = await browser.submit(page, '/login/verify', { code: recoveryCodes[0] ?? '' });
  const renewed = await browser.submit(await browser.read(SECURITY), '/settings/security/recovery-codes');

  assert.equal(signedIn.headers.get('location'), '/');
  const text = await renewed.text();
  assert.equal(text.match(/[0-9a-z]{6}(-[0-9a-z]{6}){3}/g)?.length, 10);
  const other = new Browser(app.url);
  const second = await other.read((await other.signIn('rosa', PASSWORD)).headers.get('location') ?? '');
  const old = await other.submit(second, '/login/verify', { code: recoveryCodes[1] ?? '' });
  assert.equal(old.status, 400);
  assert.deepEqual((await eventsOf(id)).slice(0, 5), [
    'factor_failed recovery_code',
    'factor_added recovery_codes',
    'new_browser',
    'signed_in recovery_code',
    'recovery_code_used',
  ]);
  assert.equal((await signInWith(other, 'rosa', secret)).headers.get('location'), '/');
});

test('Removing the app signs other browsers out, and the password is enough again', async () => {
  const { id, secret } = await memberWithApp('sven');
  const [browser, elsewhere] = [new Browser(app.url), new Browser(app.url)];
  await signInWith(browser, 'sven', secret);
  await signInWith(elsewhere, 'sven', secret);

  const question = await browser.read(`${APP}/remove`);
  const answer = await browser.submit(question, `${APP}/remove`);

  assert.equal(answer.headers.get('location'), `${SECURITY}?done=app_removed`);
  assert.match(await browser.read(`${SECURITY}?done=app_removed`), /Authenticator app removed/);
  assert.equal((await elsewhere.open(SECURITY)).status, 303);
  assert.equal((await elsewhere.signIn('sven', PASSWORD)).headers.get('location'), '/');
  assert.equal((await portico.identity.reads.factorsOf(id)).recoveryCodes, 0);
});

test('A new password by a mailed link does not get around the second step', async () => {
  const user = await memberWithApp('tilda');
  const { identity } = portico;
  const { createResetLink } = await import('../../../src/identity/password-reset.ts');
  const { byCommandLine } = await import('../../../src/audit/doer.ts');
  const account = await identity.reads.findUser(user.id);
  assert.ok(account);
  const link = await createResetLink(byCommandLine(clock.read), identity, account, 'en');
  assert.ok('token' in link);
  const browser = new Browser(app.url);
  const before = await browser.read((await browser.signIn('tilda', PASSWORD)).headers.get('location') ?? '');
  const password = 'another walk, in the snow';

  const form = await (await browser.follow(`/reset-password?token=${link.token}`)).text();
  await browser.submit(form, '/reset-password', { password });
  const stale = await browser.submit(before, '/login/verify', { code: codeAt(user.secret, clock.now) });
  const again = await browser.signIn('tilda', password);

  assert.equal(stale.headers.get('location'), '/login?return_to=%2F');
  assert.match(again.headers.get('location') ?? '', /^\/login\/verify/);
  // Nor does the account know the browser before the second step.
  const step = await browser.read(again.headers.get('location') ?? '');
  await browser.submit(step, '/login/verify', { code: codeAt(user.secret, clock.now) });
  assert.deepEqual((await eventsOf(user.id)).slice(0, 2), ['new_browser', 'signed_in app']);
});

test('Closing the account deletes its factors', async () => {
  const { id } = await memberWithApp('uma');

  await portico.identity.writes.closeAccount({ kind: 'command-line', at: clock.now }, id);

  assert.equal(await portico.identity.reads.findApp(id), undefined);
  assert.equal((await portico.identity.reads.factorsOf(id)).recoveryCodes, 0);
});

test('A browser that knew only the password before the first factor is unknown after it; the browser that adds it is known', async () => {
  const { browser } = await member(app, 'paula');
  const before = await browserOf(app, 'paula');
  const start = await browser.submit(await browser.read(SECURITY), `${APP}/start`);
  const page = await browser.read(start.headers.get('location') ?? '');
  const secret = /aria-label="Key">([A-Z2-7 ]+)</.exec(page)?.[1]?.replaceAll(' ', '') ?? '';
  await browser.submit(page, APP, { code: codeAt(secret, clock.now) });
  clock.advance(STEP);
  const guess = async (from: Browser) => {
    const { headers } = await from.signIn('paula', PASSWORD);
    const asked = await from.read(headers.get('location') ?? '');
    return (await from.submit(asked, '/login/verify', { code: '000000' })).status;
  };

  for (let quarter = 0; quarter < 5; quarter += 1) {
    for (let tried = 0; tried < 10; tried += 1) assert.equal(await guess(before), 400);
    clock.advance(15 * MINUTE);
  }

  assert.equal(await guess(before), 429);
  await browser.submit(await browser.read(SECURITY), '/logout');
  assert.equal((await signInWith(browser, 'paula', secret)).status, 303);
});
