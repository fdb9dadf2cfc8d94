// Forms that were opened before the member signed in in another tab.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { openApp } from '../../support/app.ts';
import { Browser, formTokenIn } from '../../support/browser.ts';
import { PASSWORD, person } from '../../support/people.ts';

const app = await openApp();
const { portico } = app;
after(() => app.close());
await person(portico, 'alice');
await person(portico, 'mallory');

async function read(browser: Browser, path: string): Promise<string> {
  return (await browser.open(path)).text();
}

describe('A form that was opened before a sign-in in another tab', () => {
  test('still signs the member in, and leads to the page that asked for it', async () => {
    const browser = new Browser(app.url);
    const opened = await read(browser, '/login?return_to=%2Fsettings%2Ftokens');
    await browser.signIn('alice', PASSWORD);

    const answer = await browser.submit(opened, '/login', { username: 'alice', password: PASSWORD });

    assert.equal(answer.status, 303);
    assert.equal(answer.headers.get('location'), '/settings/tokens');
    assert.equal((await browser.open('/settings/tokens')).status, 200);
  });

  test('still works after the same member has signed in again', async () => {
    const browser = new Browser(app.url);
    await browser.signIn('alice', PASSWORD);
    const opened = await read(browser, '/settings/profile');
    await browser.signIn('alice', PASSWORD);

    const answer = await browser.submit(opened, '/settings/profile', { bio: 'From the first tab' });

    assert.equal(answer.status, 303);
    assert.equal((await portico.identity.reads.findUserByName('alice'))?.bio, 'From the first tab');
  });

  test('does nothing after another member has signed in', async () => {
    const browser = new Browser(app.url);
    await browser.signIn('alice', PASSWORD);
    const opened = await read(browser, '/settings/profile');
    await browser.signIn('mallory', PASSWORD);

    const answer = await browser.submit(opened, '/settings/profile', { bio: 'Meant for alice' });

    assert.equal(answer.status, 403);
    assert.equal((await portico.identity.reads.findUserByName('mallory'))?.bio, '');
  });
});

test('A form token that one browser got can’t sign another browser in (login CSRF)', async () => {
  const attacker = new Browser(app.url);
  const [login, page] = [await read(attacker, '/login'), await read(attacker, '/signup')];
  await attacker.signIn('mallory', PASSWORD);
  const tokens = [login, page, await read(attacker, '/')].map(formTokenIn);
  const fresh = new Browser(app.url);
  const opened = new Browser(app.url);
  await opened.open('/login');

  for (const browser of [fresh, opened]) {
    for (const form_token of ['', ...tokens]) {
      const body = new URLSearchParams({ form_token, username: 'mallory', password: PASSWORD });
      const answer = await browser.post('/login', body);

      assert.equal(answer.status, 403);
      assert.equal(browser.cookie('portico_session'), undefined);
    }
  }
});

test('The token of a sign-in form is not valid in a member’s form', async () => {
  const browser = new Browser(app.url);
  const form_token = formTokenIn((await read(browser, '/login')).replace(/[\s\S]*action="\/login"/, ''));
  await browser.signIn('alice', PASSWORD);

  const answer = await browser.post('/settings/profile', new URLSearchParams({ form_token, bio: 'x' }));

  assert.equal(answer.status, 403);
});

test('The cookie that forms are bound to expires with the member’s session, or with the browser before the sign-in', async () => {
  const browser = new Browser(app.url);
  const first = (await browser.open('/login')).headers.getSetCookie().join('\n');
  const signedIn = (await browser.signIn('alice', PASSWORD)).headers.getSetCookie().join('\n');

  assert.match(first, /portico_visitor=[^;]+; Path=\/; HttpOnly; SameSite=Lax$/m);
  assert.match(signedIn, /portico_visitor=[^;]+; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/m);
});
