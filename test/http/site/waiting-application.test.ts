// The application that a visitor was signing in to, on the detours of a new account and a new password.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { notebook, PASSWORD } from '../../support/people.ts';
import { answerConsent, authorizationRequest } from '../../support/relying-party.ts';
import { openMailFixture } from './mail-fixture.ts';

const { app, mailedLink, memberWithAddress } = await openMailFixture({ after });
const client = await notebook(app.portico);
const request = authorizationRequest(client);
const PATH = `/oauth/authorize?${request}`;
const query = new URLSearchParams({ return_to: PATH });

async function pageAt(browser: Browser, path: string): Promise<string> {
  return (await browser.follow(path)).text();
}

/** The path that the link or button with this text leads to. */
function targetOf(page: string, text: string): string {
  const [, target = ''] = new RegExp(`href="([^"]*)">${text}<`).exec(page) ?? [];
  return target.replaceAll('&amp;', '&');
}

describe('The application that waits', () => {
  test('is named on the sign-in page, which leads to sign-up and a new password and back', async () => {
    const page = await new Browser(app.url).read(`/login?${query}`);

    assert.match(page, /to continue to Notebook/);
    assert.equal(targetOf(page, 'Create an account'), `/signup?${query}`);
    assert.equal(targetOf(page, 'Join'), `/signup?${query}`);
    const forgotten = targetOf(page, 'Forgot your password\\?');
    assert.equal(targetOf(await pageAt(new Browser(app.url), forgotten), 'Sign in'), `/login?${query}`);
  });

  test('is the way on after a new password, in the browser that asked for it', async () => {
    await memberWithAddress('alice');
    const browser = new Browser(app.url);
    const page = await browser.read(`/forgot-password?${query}`);
    await browser.submit(page, '/forgot-password', { account: 'alice' });
    const link = await mailedLink();
    const reset = await pageAt(browser, link);
    await browser.submit(reset, '/reset-password', { password: 'another long walk' });

    const done = await browser.read('/reset-password/done');
    const elsewhere = await new Browser(app.url).read('/reset-password/done');

    assert.equal(targetOf(done, 'Continue to Notebook'), `/login?${query}`);
    assert.equal(targetOf(elsewhere, 'Continue to Notebook'), '');
  });

  test('is the way on after a newcomer confirms the address, until it has its answer', async () => {
    const browser = new Browser(app.url);
    const email = 'carol@home.example';
    const joined = await browser.submit(await browser.read(`/signup?${query}`), '/signup', {
      username: 'carol',
      password: PASSWORD,
      email,
    });
    assert.equal(joined.headers.get('location'), PATH);
    await browser.submit(await pageAt(browser, await mailedLink()), '/email/confirm');

    const before = await browser.read('/email/confirm/done');
    assert.equal(targetOf(before, 'Continue to Notebook'), PATH);

    await answerConsent(browser, request);
    const afterwards = await browser.read('/email/confirm/done');
    assert.equal(targetOf(afterwards, 'Continue to Notebook'), '');
  });

  test('is only ever a sign-in to an application: another path is not kept', async () => {
    const browser = new Browser(app.url);
    const page = await browser.read('/forgot-password?return_to=%2Fwrite');
    await browser.submit(page, '/forgot-password', { account: 'founder' });

    assert.equal(browser.cookie('portico_waiting'), undefined);
  });
});

test('Sign in and Join in the header lead back to the page where they were pressed', async () => {
  const visitor = new Browser(app.url);

  const page = await visitor.read('/categories?x=1');
  const signUp = await visitor.read('/signup?return_to=%2Fcategories');

  assert.equal(targetOf(page, 'Sign in'), '/login?return_to=%2Fcategories%3Fx%3D1');
  assert.equal(targetOf(page, 'Join'), '/signup?return_to=%2Fcategories%3Fx%3D1');
  assert.equal(targetOf(signUp, 'Sign in'), '/login?return_to=%2Fcategories');
  assert.equal(targetOf(await visitor.read('/'), 'Sign in'), '/login');
});
