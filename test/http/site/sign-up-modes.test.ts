// Who can sign up: anyone, people with an invitation, or nobody.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { byCommandLine } from '../../../src/audit/doer.ts';
import { invitationPath, invite } from '../../../src/identity/invitation.ts';
import { type App, openApp } from '../../support/app.ts';
import { Browser, formTokenIn } from '../../support/browser.ts';
import { PASSWORD, person } from '../../support/people.ts';

const open = await openApp();
const byInvitation = await openApp({ SIGN_UP: 'invitation' });
const closed = await openApp({ SIGN_UP: 'closed' });
for (const { portico } of [open, byInvitation, closed]) await person(portico, 'olivia');
after(() => Promise.all([open, byInvitation, closed].map((app) => app.close())));

async function invitationTo({ portico }: App): Promise<string> {
  const invitation = await invite(byCommandLine(portico.clock), portico.identity, {});
  assert.ok('text' in invitation);
  return invitationPath(invitation.text);
}

async function exists({ portico }: App, username: string): Promise<boolean> {
  return (await portico.identity.reads.findUserByName(username)) !== undefined;
}

describe('on an open site', () => {
  test('the sixth account in an hour from one address is refused, and the page says when to try again', async () => {
    for (let count = 0; count < 5; count += 1) assert.equal((await join(open, `guest${count}`)).status, 303);

    const sixth = await join(open, 'guest5');

    assert.equal(sixth.status, 429);
    assert.equal(sixth.headers.get('retry-after'), '3600');
    assert.match(await sixth.text(), /Too many new accounts from your network/);
    assert.equal(await exists(open, 'guest5'), false);
  });

  test('an invitation is not limited by that', async () => {
    const answer = await join(open, 'invited', await invitationTo(open));

    assert.equal(answer.status, 303);
  });
});

describe('on a site with invitations', () => {
  test('signing up without one is refused with an explanation, on the page and for a form', async () => {
    const browser = new Browser(byInvitation.url);
    const page = await browser.open('/signup');
    const login = await (await browser.open('/login')).text();
    const token = formTokenIn(login);
    const sent = await browser.post(
      '/signup',
      new URLSearchParams({ form_token: token, username: 'mallory', password: PASSWORD }),
    );

    for (const answer of [page, sent]) {
      assert.equal(answer.status, 403);
      assert.match(await answer.text(), /You need an invitation to join/);
    }
    assert.equal(await exists(byInvitation, 'mallory'), false);
  });

  test('one link creates one account, also after a mistake in the form', async () => {
    const link = await invitationTo(byInvitation);
    const browser = new Browser(byInvitation.url);
    const page = await (await browser.follow(link)).text();
    const mistake = await browser.submit(page, '/signup', { username: 'alice', password: 'short' });

    const joined = await browser.submit(await mistake.text(), '/signup', {
      username: 'alice',
      password: PASSWORD,
    });
    const again = await new Browser(byInvitation.url).follow(link);

    assert.equal(mistake.status, 400);
    assert.equal(joined.status, 303);
    assert.equal(again.status, 403);
    assert.match(await again.text(), /This invitation is not valid/);
  });

  test('the second of two people with one link is refused with an explanation', async () => {
    const link = await invitationTo(byInvitation);
    const [first, second] = [new Browser(byInvitation.url), new Browser(byInvitation.url)];
    const pages = [await (await first.follow(link)).text(), await (await second.follow(link)).text()];

    const answers = [
      await first.submit(pages[0] ?? '', '/signup', { username: 'bob', password: PASSWORD }),
      await second.submit(pages[1] ?? '', '/signup', { username: 'carol', password: PASSWORD }),
    ];

    assert.deepEqual(
      answers.map(({ status }) => status),
      [303, 403],
    );
    assert.equal(await exists(byInvitation, 'carol'), false);
  });
});

describe('on a closed site', () => {
  test('nobody can sign up, even with an invitation', async () => {
    for (const path of ['/signup', await invitationTo(closed)]) {
      const answer = await new Browser(closed.url).follow(path);

      assert.equal(answer.status, 403);
      assert.match(await answer.text(), /Sign-up is closed/);
    }
  });

  test('no page links to the sign-up form', async () => {
    for (const path of ['/', '/login']) {
      assert.doesNotMatch(await (await new Browser(closed.url).follow(path)).text(), /href="\/signup/);
    }
    assert.match(await (await new Browser(open.url).open('/')).text(), /href="\/signup/);
  });
});

async function join(app: App, username: string, path = '/signup'): Promise<Response> {
  const browser = new Browser(app.url);
  return browser.submit(await (await browser.follow(path)).text(), '/signup', {
    username,
    password: PASSWORD,
  });
}
