// Signing up with an email address, resetting and changing a password: the pages and the mails.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { PASSWORD } from '../../support/people.ts';
import { openMailFixture, text } from './mail-fixture.ts';

const fixture = await openMailFixture({ after });
const { app, server, mailedLink, emailOf, memberWithAddress, giveAddress, join, askForReset } = fixture;

const NEW_PASSWORD = 'another long walk';

test('Signing up with another member’s address shows the same pages', async () => {
  await memberWithAddress('bob');

  const answer = await join('mallory', 'bob@home.example');
  const free = await join('carol', 'carol@home.example');
  await mailedLink();

  assert.deepEqual(
    [answer.status, answer.headers.get('location')],
    [free.status, free.headers.get('location')],
  );
  const toBob = server.mails.find(({ to }) => to.includes('bob@home.example'));
  assert.equal(toBob?.subject, 'Your email address on Agora');
  assert.match(toBob?.text ?? '', /already belongs to your account bob/);
  assert.match(toBob?.text ?? '', /\/forgot-password/);
  assert.ok(!(toBob?.text ?? '').includes('mallory') && !(toBob?.text ?? '').includes('token='));
  assert.equal(await emailOf('mallory'), undefined);
  for (const username of ['mallory', 'carol']) {
    const browser = new Browser(app.url);
    await browser.signIn(username, PASSWORD);
    assert.match(await text(browser.open('/settings/security')), /is not confirmed yet/);
  }
});

test('Mails are in the visitor’s language, and name the site, the purpose and the expiry', async () => {
  await join('dave', 'dave@home.example', 'zh-CN');
  const link = await mailedLink();

  const [mail] = server.mails;
  assert.equal(mail?.subject, '请确认您在 Agora 的邮箱');
  assert.match(mail?.text ?? '', /dave，您好/);
  assert.match(mail?.text ?? '', /\(UTC\+8\) 之前有效/);
  assert.match(link, /^\/email\/confirm\?token=/);
  assert.match(mail?.source ?? '', /^From: "?Agora"? <no-reply@127\.0\.0\.1>/m);
});

test('A mailed link resets a forgotten password, once, and signs out every browser', async () => {
  const before = await memberWithAddress('erin');

  const requestAnswer = await askForReset('erin');
  const link = await mailedLink();
  const browser = new Browser(app.url);
  const page = await text(browser.follow(link));
  const resetAnswer = await browser.submit(page, '/reset-password', { password: NEW_PASSWORD });
  const done = await text(browser.open(resetAnswer.headers.get('location') ?? ''));
  const second = await browser.submit(page, '/reset-password', { password: 'yet another one' });

  assert.equal(requestAnswer.headers.get('location'), '/forgot-password/sent');
  assert.match(page, /For the account erin/);
  assert.equal(resetAnswer.status, 303);
  assert.match(done, /Password changed[\s\S]*href="\/login\?return_to=%2Fsettings%2Fsecurity%2Faccess"/);
  assert.equal(second.status, 403);
  assert.equal((await before.open('/settings/security')).status, 303);
  assert.equal((await browser.open('/settings/security')).status, 303);
  assert.equal((await browser.signIn('erin', NEW_PASSWORD)).status, 303);
  await mailedLink();
  assert.deepEqual(
    server.mails.map(({ subject }) => subject),
    ['Set a new password for Agora', 'Your password for Agora was changed'],
  );
});

test('Requesting a reset gets the same answer whether or not the account exists', async () => {
  await memberWithAddress('frank');

  const answers = [];
  for (const account of ['frank', 'frank@home.example', 'nobody', 'nobody@home.example']) {
    const answer = await askForReset(account);
    answers.push([answer.status, answer.headers.get('location')]);
  }
  await mailedLink();

  assert.deepEqual(answers, Array(4).fill([303, '/forgot-password/sent']));
  assert.deepEqual(
    server.mails.map(({ to }) => to[0]),
    ['frank@home.example', 'frank@home.example'],
  );
  const sent = await text(new Browser(app.url).open('/forgot-password/sent'));
  assert.match(sent, /If the account exists/);
});

test('After ten requests from one network address the page says when to try again', async () => {
  for (let count = 0; count < 10; count += 1) await askForReset(`nobody${count}`);

  const answer = await askForReset('nobody');

  assert.equal(answer.status, 429);
  assert.equal(answer.headers.get('retry-after'), '3600');
  assert.match(await answer.text(), /Too many requests from your network/);
});

test('An empty account field and a password that is too short are reported at their fields', async () => {
  await memberWithAddress('grace');
  const empty = await askForReset(' ');
  await askForReset('grace');
  const link = await mailedLink();
  const browser = new Browser(app.url);

  const short = await browser.submit(await text(browser.follow(link)), '/reset-password', {
    password: 'short',
  });
  const page = await short.text();

  assert.equal(empty.status, 400);
  assert.match(await empty.text(), /id="account-problem"/);
  assert.equal(short.status, 400);
  assert.match(page, /id="password-problem">The password needs at least 8 characters/);
  assert.equal((await browser.submit(page, '/reset-password', { password: NEW_PASSWORD })).status, 303);
});

test('The login page links to the page for a forgotten password', async () => {
  assert.match(await text(new Browser(app.url).open('/login')), /href="\/forgot-password"/);
});

test('The settings change the email address if the password is right, and the old address gets a notice', async () => {
  const browser = await memberWithAddress('heidi');

  const wrong = await giveAddress(browser, 'new@home.example', 'wrong');
  const wrongPage = await wrong.text();
  const right = await giveAddress(browser, 'new@home.example');
  const waiting = await text(browser.open(right.headers.get('location') ?? ''));
  const again = await browser.submit(waiting, '/settings/security/email/again');
  const link = await mailedLink();
  await browser.submit(await text(browser.follow(link)), '/email/confirm');
  await mailedLink();

  assert.equal(wrong.status, 400);
  assert.match(wrongPage, /id="email_password-problem">The current password is incorrect/);
  assert.match(wrongPage, /name="email" value="new@home\.example"/);
  assert.match(waiting, /new@home\.example is not confirmed yet/);
  assert.equal(again.headers.get('location'), '/settings/security?done=mailed');
  assert.equal(await emailOf('heidi'), 'new@home.example');
  assert.deepEqual(
    server.mails.map(({ to, subject }) => [to[0], subject]),
    [
      ['new@home.example', 'Confirm your email address for Agora'],
      ['heidi@home.example', 'Your email address on Agora was changed'],
    ],
  );
  assert.doesNotMatch(await text(browser.open('/settings/security')), /is not confirmed yet/);
});

test('The settings remove the email address if the password is right', async () => {
  const browser = await memberWithAddress('ivan');
  const page = await text(browser.open('/settings/security'));

  const wrong = await browser.submit(page, '/settings/security/email', {
    email_password: 'wrong',
    do: 'remove',
  });
  const address = await emailOf('ivan');
  const right = await browser.submit(page, '/settings/security/email', {
    email_password: PASSWORD,
    do: 'remove',
  });

  assert.equal(wrong.status, 400);
  assert.equal(address, 'ivan@home.example');
  assert.equal(right.headers.get('location'), '/settings/security?done=removed');
  assert.equal(await emailOf('ivan'), undefined);
});

test('The settings change the password; this browser stays signed in, others do not', async () => {
  const browser = await memberWithAddress('judy');
  const other = new Browser(app.url);
  await other.signIn('judy', PASSWORD);
  const page = await text(browser.open('/settings/security'));
  const change = (current: string, new_password: string) =>
    browser.submit(page, '/settings/security/password', { current, new_password });

  const wrong = await change('wrong', NEW_PASSWORD);
  const short = await change(PASSWORD, 'short');
  const right = await change(PASSWORD, NEW_PASSWORD);

  assert.match(await wrong.text(), /id="current-problem">The current password is incorrect/);
  assert.match(await short.text(), /id="new_password-problem">The password needs at least 8/);
  assert.equal(right.headers.get('location'), '/settings/security/access?done=password');
  assert.equal((await browser.open('/settings/security')).status, 200);
  assert.equal((await other.open('/settings/security')).status, 303);
  assert.equal((await new Browser(app.url).signIn('judy', PASSWORD)).status, 400);
});

test('After ten wrong passwords in the settings the page says when to try again', async () => {
  const browser = await memberWithAddress('kevin');
  for (let attempt = 0; attempt < 10; attempt += 1)
    await giveAddress(browser, 'new@home.example', `wrong ${attempt}`);

  const answer = await giveAddress(browser, 'new@home.example');

  assert.equal(answer.status, 429);
  assert.equal(answer.headers.get('retry-after'), '900');
});

for (const path of ['/email/confirm', '/email/undo', '/not-me', '/reset-password', '/unsubscribe']) {
  test(`${path} with an invalid token shows a page that helps`, async () => {
    for (const query of ['', '?token=', '?token=x', `?token=${'x'.repeat(54)}`, '?token=%00%3Cscript%3E']) {
      const answer = await new Browser(app.url).follow(path + query);

      assert.equal(answer.status, 403, query);
      assert.match(await answer.text(), /This link is not valid/);
    }
  });
}
