// Signing up, the first set-up, and signing out.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { HOUR } from '../../../src/lib/clock.ts';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { notebook, PASSWORD } from '../../support/people.ts';

const app = await openApp();
const { portico } = app;
after(() => app.close());

test('The set-up page opens only with the complete set-up token', async () => {
  const wrong = ['', '?token=', '?token=x', `?token=${(await portico.setupToken()).slice(0, -1)}`];

  for (const query of wrong) {
    const answer = await new Browser(app.url).follow(`/setup${query}`);

    assert.equal(answer.status, 403, query);
    assert.match(await answer.text(), /This set-up link is not valid/, query);
  }
  assert.equal((await new Browser(app.url).follow(`/setup?token=${await portico.setupToken()}`)).status, 200);
});

test('A form with another token creates no operator', async () => {
  const browser = new Browser(app.url);
  const page = await (await browser.follow(`/setup?token=${await portico.setupToken()}`)).text();

  const answer = await browser.submit(page, '/setup', {
    token: 'x',
    username: 'mallory',
    password: PASSWORD,
  });

  assert.equal(answer.status, 403);
  assert.equal(await portico.identity.reads.hasOperator(), false);
});

test('The set-up link creates the first operator, once, and signs them in', async () => {
  const browser = new Browser(app.url);
  const page = await (await browser.follow(`/setup?token=${await portico.setupToken()}`)).text();

  const answer = await browser.submit(page, '/setup', { username: 'keeper', password: PASSWORD });
  const again = await browser.submit(page, '/setup', { username: 'second', password: PASSWORD });

  assert.equal(answer.status, 303);
  assert.equal(answer.headers.get('location'), '/operator');
  assert.equal((await portico.identity.reads.findUserByName('keeper'))?.isOperator, true);
  assert.match(await (await browser.open('/')).text(), /href="\/u\/keeper"/);
  assert.equal(again.status, 403);
  assert.equal((await browser.follow(`/setup?token=${await portico.setupToken()}`)).status, 403);
  assert.equal(await portico.identity.reads.findUserByName('second'), undefined);
  const events = await portico.audit.reads.auditEvents({ limit: 2 });
  assert.deepEqual(
    events.map(({ action, actorName, detail }) => [action, actorName, detail]),
    [['user.create', undefined, { username: 'keeper', operator: true }]],
  );
});

test('Signing up also signs in, and returns to the page where the visitor was going', async () => {
  const browser = new Browser(app.url);
  const page = await (await browser.open('/signup?return_to=%2Fwrite')).text();

  const answer = await browser.submit(page, '/signup', { username: 'alice', password: PASSWORD, email: '' });

  assert.equal(answer.status, 303);
  assert.equal(answer.headers.get('location'), '/write');
  assert.equal((await browser.open('/write')).status, 200);
});

test('After signing up, the next page welcomes the member once, and says that the mail is under way', async () => {
  const join = async (username: string, email: string, language = 'en') => {
    const browser = new Browser(app.url, language);
    const page = await browser.read('/signup?return_to=%2Fcategories');
    await browser.submit(page, '/signup', { username, password: PASSWORD, email });
    return [await browser.read('/categories'), await browser.read('/categories')];
  };

  const [first = '', second = ''] = await join('nina', 'nina@home.example');
  const [without = ''] = await join('otto', '');
  const [chinese = ''] = await join('ping', 'ping@home.example', 'zh');

  assert.match(
    first,
    /role="status" id="welcome">\s*<strong>Welcome, nina\. Your account is ready\.<\/strong>/,
  );
  assert.match(first, /An email with a link is on its way to you/);
  assert.doesNotMatch(second, /Welcome/);
  assert.match(without, /Welcome, otto\.[\s\S]*href="\/settings\/security">Add an email address</);
  assert.doesNotMatch(without, /on its way/);
  assert.match(chinese, /ping，欢迎加入！[\s\S]*确认邮件已发出/);
});

test('A mistake keeps all fields except the password, and each problem is shown at its field', async () => {
  const browser = new Browser(app.url);
  const page = await (await browser.open('/signup?return_to=%2Fwrite')).text();

  const answer = await browser.submit(page, '/signup', {
    username: 'Alice',
    password: 'short',
    email: 'not an address',
  });

  const again = await answer.text();
  assert.equal(answer.status, 400);
  assert.match(again, /name="username" value="Alice"/);
  assert.match(again, /name="email" value="not an address"/);
  assert.match(again, /name="return_to" value="\/write"/);
  assert.ok(!again.includes('short"'));
  assert.match(again, /id="password-problem">The password needs at least 8 characters/);
  assert.match(
    again,
    /name="password"[^>]*aria-describedby="password-problem password-hint" aria-invalid="true"/,
  );
  assert.match(again, /role="alert"[\s\S]*href="#password"[\s\S]*href="#email"/);
});

test('A username that is taken is reported at its field', async () => {
  const browser = new Browser(app.url);
  const page = await (await browser.open('/signup')).text();

  const answer = await browser.submit(page, '/signup', { username: 'ALICE', password: PASSWORD });

  assert.equal(answer.status, 400);
  assert.match(await answer.text(), /id="username-problem">This username is taken/);
});

const elsewhere = [
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example/',
  '\\\\evil.example',
  'javascript:alert(1)',
  '/\t/evil.example',
  '/%0d%0aLocation: https://evil.example',
  ' /write',
  'write',
  '',
];

for (const returnTo of elsewhere) {
  test(`Signing up never leads to another site: return_to ${JSON.stringify(returnTo)}`, async () => {
    const browser = new Browser(app.url);
    const username = `guest${elsewhere.indexOf(returnTo)}`;
    // More accounts than one network address may create in an hour.
    app.clock.advance(HOUR);
    const page = await (await browser.open(`/signup?${new URLSearchParams({ return_to: returnTo })}`)).text();

    const answer = await browser.submit(page, '/signup', {
      username,
      password: PASSWORD,
      return_to: returnTo,
    });

    const location = answer.headers.get('location') ?? '';
    assert.equal(answer.status, 303);
    assert.equal(new URL(location, app.url).origin, app.url);
    assert.ok(location.startsWith('/') && !location.startsWith('//'));
  });
}

test('During an authorization request, the sign-up form may redirect to that application only', async () => {
  const { id, redirectUri } = await notebook(portico, {
    redirectUris: ['com.example.notebook:/callback'],
  });
  const request = new URLSearchParams({ response_type: 'code', client_id: id, redirect_uri: redirectUri });
  const withRequest = `/signup?${new URLSearchParams({ return_to: `/oauth/authorize?${request}` })}`;

  const onTheWay = await new Browser(app.url).open(withRequest);
  const plain = await new Browser(app.url).open('/signup');

  assert.match(
    onTheWay.headers.get('content-security-policy') ?? '',
    /form-action 'self' com\.example\.notebook:/,
  );
  assert.match(plain.headers.get('content-security-policy') ?? '', /form-action 'self';/);
});

test('A browser that the member used before can sign in even if others used up the guesses of its network', async () => {
  const guess = async (browser: Browser, password: string) => {
    const page = await (await browser.open('/login')).text();
    return (await browser.submit(page, '/login', { username: 'keeper', password })).status;
  };
  const known = new Browser(app.url);
  assert.equal(await guess(known, PASSWORD), 303);
  const signOut = await (await known.open('/')).text();
  assert.equal((await known.submit(signOut, '/logout')).status, 303);
  const stranger = new Browser(app.url);
  for (let tried = 0; tried < 10; tried += 1) assert.equal(await guess(stranger, 'wrong password'), 400);

  assert.equal(await guess(stranger, PASSWORD), 429);
  assert.equal(await guess(known, PASSWORD), 303);
});

test('Signing out ends the session: its cookie is no longer valid', async () => {
  const browser = new Browser(app.url);
  await browser.signIn('alice', PASSWORD);
  const cookie = browser.cookie('portico_session') ?? '';
  const page = await (await browser.open('/settings/security')).text();

  const answer = await browser.submit(page, '/logout');

  assert.equal(answer.status, 303);
  assert.equal(browser.cookie('portico_session'), undefined);
  browser.setCookie('portico_session', cookie);
  assert.equal((await browser.open('/write')).headers.get('location'), '/login?return_to=%2Fwrite');
});

test('The pages for email addresses and passwords are also in Chinese', async () => {
  const browser = new Browser(app.url, 'zh');

  for (const path of [
    '/forgot-password',
    '/forgot-password/sent',
    '/reset-password',
    '/reset-password/done',
    '/email/confirm',
    '/email/confirm/done',
  ]) {
    const page = await (await browser.open(path)).text();
    assert.match(page, /lang="zh-Hans"/, path);
    assert.match(page, /<h1>[^<]*\p{Script=Han}/u, path);
  }
});
