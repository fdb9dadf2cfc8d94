// The links that confirm an email address or undo its change, and that no link's secret stays in the URL.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { DAY, HOUR } from '../../../src/lib/clock.ts';
import { Browser, formTokenIn } from '../../support/browser.ts';
import { withApp } from '../../support/codes.ts';
import { browserOf, PASSWORD, person } from '../../support/people.ts';
import { openMailFixture, text } from './mail-fixture.ts';

const fixture = await openMailFixture({ after });
const { app, server, mailedLink, emailOf, memberWithAddress, giveAddress, join, askForReset } = fixture;
const { portico } = app;

const NEW_PASSWORD = 'another long walk';

test('An address given when joining is confirmed by the member, by a button behind the mailed link', async () => {
  await join('alice', 'alice@home.example');
  const link = await mailedLink();
  const browser = await browserOf(app, 'alice');

  const opened = await browser.follow(link);
  const page = await opened.text();
  const before = await emailOf('alice');
  const pressed = await browser.submit(page, '/email/confirm');
  const done = await text(browser.open(pressed.headers.get('location') ?? ''));

  assert.match(link, /^\/email\/confirm\?token=[0-9A-Za-z]{54}$/);
  assert.equal(opened.status, 200);
  assert.equal(opened.headers.get('referrer-policy'), 'no-referrer');
  assert.match(page, /Use alice@home\.example for the account alice\?/);
  assert.equal(before, undefined);
  assert.equal(pressed.status, 303);
  assert.match(done, /Email address confirmed/);
  assert.equal(await emailOf('alice'), 'alice@home.example');
  const [event] = await portico.audit.reads.securityEvents({ event: 'email_changed', limit: 1 });
  assert.deepEqual([event?.detail, event?.address], ['confirmed', '127.0.0.1']);
  const again = await browser.follow(link);
  assert.equal(again.status, 403);
  assert.match(await again.text(), /This link is not valid/);
});

test('A stranger who gets the mail can’t confirm a mistyped address; the page leads to the sign-in and back', async () => {
  await join('amy', 'stranger@home.example');
  const link = await mailedLink();
  await person(portico, 'stranger');
  const visitor = new Browser(app.url);
  const stranger = await browserOf(app, 'stranger');

  for (const browser of [visitor, stranger]) {
    const opened = await browser.follow(link);
    const page = await opened.text();
    assert.equal(opened.status, 403);
    assert.match(page, /sign in to that account first/);
    assert.match(page, /href="\/login\?return_to=%2Femail%2Fconfirm&amp;login_hint=amy"/);
  }
  const token = new URLSearchParams(link.split('?')[1]).get('token') ?? '';
  const settings = await text(stranger.open('/settings/security'));
  const body = new URLSearchParams({ form_token: formTokenIn(settings), token });
  const forced = await stranger.post('/email/confirm', body);
  assert.equal(forced.headers.get('location'), '/email/confirm');
  assert.equal(await emailOf('amy'), undefined);

  const signedInNow = await visitor.signIn('amy', PASSWORD, '/email/confirm');
  const back = await text(visitor.open(signedInNow.headers.get('location') ?? ''));
  await visitor.submit(back, '/email/confirm');
  assert.equal(await emailOf('amy'), 'stranger@home.example');
});

test('A newer confirmation link makes the older one invalid', async () => {
  await person(portico, 'anna');
  const browser = await browserOf(app, 'anna');
  await giveAddress(browser, 'stranger@typo.example');
  const older = await mailedLink();
  await giveAddress(browser, 'anna@home.example');
  const newer = await mailedLink();

  const opened = await browser.follow(older);
  await browser.submit(await text(browser.follow(newer)), '/email/confirm');

  assert.equal(opened.status, 403);
  assert.match(await opened.text(), /This link is not valid/);
  assert.equal(await emailOf('anna'), 'anna@home.example');
});

test('The previous address can undo a change without a session, and leads to a new password', async () => {
  const browser = await memberWithAddress('abel');
  await giveAddress(browser, 'thief@home.example');
  await browser.submit(await text(browser.follow(await mailedLink())), '/email/confirm');
  await askForReset('abel');
  const links = new Map<string, string>();
  while ((await portico.sendMails()) > 0);
  for (const { to, text } of server.mails) {
    links.set(to[0] ?? '', /https?:\S+/.exec(text)?.[0].replace(app.url, '') ?? '');
  }
  const stolenReset = links.get('thief@home.example') ?? '';
  const reader = new Browser(app.url);

  const opened = await reader.follow(links.get('abel@home.example') ?? '');
  const page = await opened.text();
  const undone = await reader.submit(page, '/email/undo');
  const next = await text(reader.open(undone.headers.get('location') ?? ''));

  assert.match(stolenReset, /^\/reset-password\?token=/);
  assert.equal(opened.status, 200);
  assert.match(page, /Make abel@home\.example the address of the account abel again\?/);
  assert.equal(undone.headers.get('location'), '/reset-password');
  assert.equal(await emailOf('abel'), 'abel@home.example');
  assert.equal((await browser.open('/settings/security')).status, 303);
  assert.equal((await new Browser(app.url).signIn('abel', PASSWORD)).status, 400);
  assert.equal((await new Browser(app.url).follow(stolenReset)).status, 403);
  assert.equal((await reader.submit(page, '/email/undo')).status, 403);
  assert.match(next, /For the account abel/);
  const set = await reader.submit(next, '/reset-password', { password: NEW_PASSWORD });
  assert.equal(set.status, 303);
  assert.equal((await reader.signIn('abel', NEW_PASSWORD)).status, 303);
});

/** Sends what is due. Returns the links to this path, by the address that they were mailed to, the newest last. */
async function linksTo(path: string): Promise<Map<string, string>> {
  while ((await portico.sendMails()) > 0);
  return new Map(
    server.mails.flatMap(({ to, text }) => {
      const link = URL.parse(/http\S+\?token=\S+/.exec(text)?.[0] ?? '');
      return link?.pathname === path ? [[to[0] ?? '', link.pathname + link.search] as const] : [];
    }),
  );
}

async function confirm(browser: Browser, email: string, password = PASSWORD): Promise<void> {
  await giveAddress(browser, email, password);
  const link = (await linksTo('/email/confirm')).get(email) ?? '';
  await browser.submit(await text(browser.follow(link)), '/email/confirm');
}

test('A stranger’s address of less than 72 hours gets no link that undoes the member’s correction', async () => {
  const owner = await memberWithAddress('greta');
  const stranger = await browserOf(app, 'greta');
  await confirm(stranger, 'evil@home.example');
  app.clock.advance(2 * HOUR);
  await confirm(owner, 'greta.two@home.example');

  const links = await linksTo('/email/undo');
  const notice = server.mails.findLast(({ to }) => to[0] === 'evil@home.example')?.text ?? '';

  assert.deepEqual([...links.keys()], ['greta@home.example']);
  assert.match(notice, /had this address for less than three days/);
  assert.equal((await new Browser(app.url).follow(links.get('greta@home.example') ?? '')).status, 200);
});

test('Neither does it on an account that had no address, nor when the member removes it', async () => {
  await person(portico, 'quentin');
  app.clock.advance(2 * DAY);
  const stranger = await browserOf(app, 'quentin');
  await confirm(stranger, 'evil.too@home.example');
  app.clock.advance(HOUR);
  const owner = await browserOf(app, 'quentin');
  const page = await text(owner.open('/settings/security'));
  await owner.submit(page, '/settings/security/email', { email_password: PASSWORD, do: 'remove' });

  assert.deepEqual([...(await linksTo('/email/undo')).keys()], []);
  assert.equal(await emailOf('quentin'), undefined);
});

test('Neither does it on an account of the same day, whose address the stranger removed before', async () => {
  await person(portico, 'yara');
  const owner = await browserOf(app, 'yara');
  await confirm(owner, 'yara@home.example');
  app.clock.advance(HOUR);
  const stranger = await browserOf(app, 'yara');
  const page = await text(stranger.open('/settings/security'));
  await stranger.submit(page, '/settings/security/email', { email_password: PASSWORD, do: 'remove' });
  await confirm(stranger, 'evil.yara@home.example');
  app.clock.advance(HOUR);
  await confirm(owner, 'yara.two@home.example');

  assert.deepEqual([...(await linksTo('/email/undo')).keys()], ['yara@home.example']);
});

test('An address that is 72 hours old can undo its replacement, and so can a restored one', async () => {
  const owner = await memberWithAddress('ruth');
  await confirm(owner, 'ruth.two@home.example');
  app.clock.advance(72 * HOUR);
  const later = await browserOf(app, 'ruth');
  await confirm(later, 'ruth.three@home.example');
  const links = await linksTo('/email/undo');
  const reader = new Browser(app.url);
  const link = links.get('ruth.two@home.example') ?? '';
  const undone = await reader.submit(await text(reader.follow(link)), '/email/undo');
  const form = await text(reader.open(undone.headers.get('location') ?? ''));
  await reader.submit(form, '/reset-password', { password: NEW_PASSWORD });
  await reader.signIn('ruth', NEW_PASSWORD);
  server.mails.length = 0;
  await confirm(reader, 'ruth.four@home.example', NEW_PASSWORD);

  assert.deepEqual([...(await linksTo('/email/undo')).keys()], ['ruth.two@home.example']);
});

test('Undoing a change of address removes the second factor that a stranger added', async () => {
  const browser = await memberWithAddress('adam');
  await giveAddress(browser, 'taker@home.example');
  await browser.submit(await text(browser.follow(await mailedLink())), '/email/confirm');
  const user = await portico.identity.reads.findUserByName('adam');
  await withApp(portico.identity, { id: user?.id ?? 0, username: 'adam' });
  while ((await portico.sendMails()) > 0);
  const mail = server.mails.find(({ to }) => to[0] === 'adam@home.example');
  const link = /https?:\S+/.exec(mail?.text ?? '')?.[0].replace(app.url, '') ?? '';
  const reader = new Browser(app.url);

  const page = await text(reader.follow(link));
  const undone = await reader.submit(page, '/email/undo');
  const form = await text(reader.open(undone.headers.get('location') ?? ''));
  await reader.submit(form, '/reset-password', { password: NEW_PASSWORD });

  assert.equal((await reader.signIn('adam', NEW_PASSWORD)).headers.get('location'), '/');
  assert.match(page, /added in the last 72 hours, or since the change, are removed\. Older ones stay/);
});

test('The member is told of a new API token by mail', async () => {
  const browser = await memberWithAddress('agnes');
  const page = await text(browser.open('/settings/tokens'));
  const made = await browser.submit(page, '/settings/tokens', { name: 'script', scope: 'profile:read' });
  const link = await mailedLink();

  const [token = ''] = /svcp_[0-9A-Za-z]{60}/.exec(await made.text()) ?? [];
  assert.equal(server.mails.at(-1)?.subject, 'New API token for your account on Agora');
  assert.match(link, /^\/not-me\?token=/);
  assert.ok(token !== '' && !server.mails.at(-1)?.source.includes(token));
});

for (const [path, parameter] of [
  ['/email/confirm', 'token'],
  ['/email/undo', 'token'],
  ['/reset-password', 'token'],
  ['/unsubscribe', 'token'],
  ['/setup', 'token'],
  ['/signup', 'invitation'],
] as const) {
  test(`The secret of a link to ${path} moves from the URL to a one-hour cookie at once`, async () => {
    const secret = 'x'.repeat(54);
    const answer = await new Browser(app.url).open(`${path}?${parameter}=${secret}&return_to=%2Fwrite`);
    const cookie = answer.headers.getSetCookie().find((one) => one.includes(secret)) ?? '';

    assert.equal(answer.status, 303);
    assert.equal(answer.headers.get('location'), `${path}?return_to=%2Fwrite`);
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.match(cookie, /Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax$/);
  });
}

test('No name in a mail looks like a host', async () => {
  const id = (await person(portico, 'login.evil-bank.com')).id;
  const browser = await browserOf(app, 'login.evil-bank.com');
  await giveAddress(browser, 'host@home.example');
  await mailedLink();

  const mail = server.mails.at(-1)?.text ?? '';
  assert.ok(id > 0);
  assert.match(mail, /^Hello login\.\u2060evil-bank\.\u2060com,/);
  assert.ok(!mail.includes('evil-bank.com'));
});
