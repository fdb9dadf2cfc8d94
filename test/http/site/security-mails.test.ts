// Mails that tell a member of what happened to the account, and their link "This wasn't me".

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byServer } from '../../../src/audit/doer.ts';
import { DAY, HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { Browser } from '../../support/browser.ts';
import { notebook, PASSWORD, person, type RegisteredClient } from '../../support/people.ts';
import { answerConsent, askToken, authorizationRequest } from '../../support/relying-party.ts';
import { addSignIn } from '../../support/seeding.ts';
import { openMailFixture, text } from './mail-fixture.ts';

const fixture = await openMailFixture({ after });
const { app, server, mailedLink, memberWithAddress, join } = fixture;
const { portico } = app;

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const NEW_PASSWORD = 'another long walk';

const subjects = () => server.mails.map(({ subject }) => subject);
const isSignedIn = async (browser: Browser) => (await browser.open('/settings/profile')).status === 200;

async function sendMails(): Promise<void> {
  while ((await portico.sendMails()) > 0);
}

async function idOf(username: string): Promise<number> {
  return (await portico.identity.reads.findUserByName(username))?.id ?? 0;
}

async function strangerOf(username: string, language = 'en'): Promise<Browser> {
  const stranger = new Browser(app.url, language, FIREFOX);
  assert.equal((await stranger.signIn(username, PASSWORD)).status, 303);
  return stranger;
}

/** Press the button of the last mail's link in a browser of one's own, and choose a new password. */
async function secure(): Promise<{ question: string; answer: Response; browser: Browser; link: string }> {
  const link = await mailedLink();
  const browser = new Browser(app.url);
  const question = await text(browser.follow(link));
  return { question, answer: await browser.submit(question, '/not-me'), browser, link };
}

test('A sign-in with a new browser is mailed, and with a known one it is not', async () => {
  const known = await memberWithAddress('alba');
  await known.submit(await text(known.open('/settings/profile')), '/logout');
  await known.signIn('alba', PASSWORD);
  await sendMails();
  const before = subjects();

  await strangerOf('alba');
  await sendMails();

  const [mail] = server.mails;
  assert.deepEqual(before, []);
  assert.deepEqual(mail?.to, ['alba@home.example']);
  assert.equal(mail?.subject, 'A new browser signed in to your account on Agora');
  assert.match(
    mail?.text ?? '',
    /account alba on Agora[\s\S]*Firefox on Linux, from the network address 127/,
  );
  assert.match(mail?.text ?? '', /\/not-me\?token=[\s\S]*valid until .*works once/);
});

test('The mail is in the language that the member last used here', async () => {
  const known = await memberWithAddress('bao');
  await known.submit(await text(known.open('/settings/profile')), '/logout');
  const chinese = new Browser(app.url, 'zh-CN');
  await chinese.signIn('bao', PASSWORD);
  await sendMails();
  server.mails.length = 0;

  await strangerOf('bao', 'en');
  await sendMails();

  assert.equal(server.mails[0]?.subject, '有新的浏览器登录了您在 Agora 的账号');
  assert.match(server.mails[0]?.text ?? '', /Firefox on Linux，网络地址 127[\s\S]*只能使用一次，无需登录/);
});

test('Signing up and wrong passwords are not mailed', async () => {
  await join('cleo', 'cleo@home.example');
  await sendMails();
  await memberWithAddress('carl');
  server.mails.length = 0;
  await new Browser(app.url).signIn('carl', 'wrong password');
  await sendMails();

  assert.deepEqual(subjects(), []);
});

test('New browsers are mailed five times a day at most', async () => {
  await memberWithAddress('dora');
  for (let count = 0; count < 7; count += 1) await strangerOf('dora');
  await sendMails();
  const first = subjects().length;
  app.clock.advance(DAY);
  await strangerOf('dora');
  await sendMails();

  assert.deepEqual([first, subjects().length], [5, 6]);
});

test('“This wasn’t me” asks first, then signs everyone out and lets the member choose a password', async () => {
  const member = await memberWithAddress('emma');
  const stranger = await strangerOf('emma');

  const link = await mailedLink();
  const browser = new Browser(app.url);
  const question = await text(browser.follow(link));
  const before = [await isSignedIn(member), await isSignedIn(stranger)];
  const answer = await browser.submit(question, '/not-me');
  const after = [await isSignedIn(member), await isSignedIn(stranger)];
  const withOldPassword = await new Browser(app.url).signIn('emma', PASSWORD);
  const form = await text(browser.open('/reset-password'));
  const reset = await browser.submit(form, '/reset-password', { password: NEW_PASSWORD });

  assert.match(question, /someone else who used the account emma[\s\S]*Every browser is signed out/);
  assert.deepEqual(before, [true, true]);
  assert.equal(answer.headers.get('location'), '/reset-password');
  assert.deepEqual(after, [false, false]);
  assert.equal(withOldPassword.status, 400);
  assert.equal(reset.headers.get('location'), '/reset-password/done');
  assert.equal((await new Browser(app.url).signIn('emma', NEW_PASSWORD)).status, 303);
  const again = await browser.submit(question, '/not-me');
  assert.equal(again.status, 403);
  const events = await portico.audit.reads.securityEvents({
    limit: 1,
    userId: await idOf('emma'),
    event: 'activity_disowned',
  });
  assert.equal(events[0]?.detail, 'new_browser');
});

test('The link is valid for 72 hours', async () => {
  await memberWithAddress('finn');
  await strangerOf('finn');
  const link = await mailedLink();
  app.clock.advance(72 * HOUR);

  const answer = await new Browser(app.url).follow(link);

  assert.equal(answer.status, 403);
  assert.match(await answer.text(), /older than 72 hours/);
});

test('A stranger who changes the password does not take the link away', async () => {
  await memberWithAddress('gina');
  const stranger = await strangerOf('gina');
  const link = await mailedLink();
  const page = await text(stranger.open('/settings/security'));
  const change = { current: PASSWORD, new_password: NEW_PASSWORD };
  assert.equal((await stranger.submit(page, '/settings/security/password', change)).status, 303);

  const browser = new Browser(app.url);
  const answer = await browser.submit(await text(browser.follow(link)), '/not-me');

  assert.equal(answer.headers.get('location'), '/reset-password');
  assert.equal(await isSignedIn(stranger), false);
});

test('The link is not valid once the account has another address', async () => {
  const member = await memberWithAddress('hugo');
  await strangerOf('hugo');
  const link = await mailedLink();
  await fixture.giveAddress(member, 'elsewhere@home.example');
  const confirmation = await mailedLink();
  await member.submit(await text(member.follow(confirmation)), '/email/confirm');

  assert.equal((await new Browser(app.url).follow(link)).status, 403);
});

test('An application that is allowed for the first time, and one that gets more, are mailed once each', async () => {
  const member = await memberWithAddress('ines');
  const client = await notebook(portico, { name: 'Notebook 2.0' });
  const narrow = authorizationRequest(client, { scope: 'profile:read' });
  const wide = authorizationRequest(client, { scope: 'profile:read posts:read' });

  await answerConsent(member, narrow);
  await answerConsent(member, narrow);
  await answerConsent(member, wide);
  await sendMails();

  assert.deepEqual(subjects().toSorted(), [
    'An application can read more of your account on Agora',
    'An application was connected to your account on Agora',
  ]);
  assert.match(server.mails[0]?.text ?? '', /application “Notebook 2\.\u20600”/);
});

test('“This wasn’t me” about an application removes its access', async () => {
  const member = await memberWithAddress('jana');
  const client = await notebook(portico);
  await answerConsent(member, authorizationRequest(client, { scope: 'profile:read' }));

  const { question, answer } = await secure();

  assert.match(question, /The access of the application Notebook is removed/);
  assert.equal(answer.headers.get('location'), '/reset-password');
  const grant = await portico.oauth.reads.findGrant(await idOf('jana'), client.id, portico.clock());
  assert.notEqual(grant?.withdrawnAt, undefined);
});

test('“This wasn’t me” about an API token revokes it', async () => {
  const member = await memberWithAddress('kaya');
  const page = await text(member.open('/settings/tokens'));
  await member.submit(page, '/settings/tokens', { name: 'script', scope: 'profile:read', expires: '7' });

  const { question } = await secure();

  assert.equal(server.mails[0]?.subject, 'New API token for your account on Agora');
  assert.match(question, /The API token is revoked/);
  assert.deepEqual(await portico.oauth.reads.personalTokensOf(await idOf('kaya')), []);
});

test('“This wasn’t me” about a new password voids it', async () => {
  const member = await memberWithAddress('lola');
  const page = await text(member.open('/settings/security'));
  await member.submit(page, '/settings/security/password', { current: PASSWORD, new_password: NEW_PASSWORD });

  const { answer } = await secure();

  assert.equal(server.mails[0]?.subject, 'Your password for Agora was changed');
  assert.equal(answer.headers.get('location'), '/reset-password');
  assert.equal((await new Browser(app.url).signIn('lola', NEW_PASSWORD)).status, 400);
});

test('A code and a refresh token that are used twice are mailed, once a day for an application', async () => {
  const member = await memberWithAddress('mona');
  const client = await notebook(portico);
  const callback = await answerConsent(member, authorizationRequest(client));
  const redemption = {
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code') ?? '',
    redirect_uri: client.redirectUri,
  };
  await sendMails();
  server.mails.length = 0;

  const statuses = [];
  for (let times = 0; times < 2; times += 1) {
    statuses.push((await askToken(app, client, redemption)).status);
  }
  await refreshTwice(client, await idOf('mona'));
  await sendMails();
  const first = subjects();
  app.clock.advance(DAY);
  await refreshTwice(client, await idOf('mona'));
  await sendMails();

  const replay = 'An application’s access to your account on Agora may have been stolen';
  assert.deepEqual(statuses, [200, 400]);
  assert.deepEqual(first, [replay]);
  assert.deepEqual(subjects(), [replay, replay]);
  assert.match(server.mails[0]?.text ?? '', /application “Notebook” was used a second time/);
});

async function refreshTwice(client: RegisteredClient, userId: number): Promise<void> {
  const { refresh } = await addSignIn(portico, client, userId);
  const statuses = [];
  for (let times = 0; times < 2; times += 1) {
    const form = { grant_type: 'refresh_token', refresh_token: refresh };
    statuses.push((await askToken(app, client, form)).status);
    app.clock.advance(MINUTE);
  }
  assert.deepEqual(statuses, [200, 400]);
}

test('A member without a confirmed address gets no mail', async () => {
  await person(portico, 'nora');
  await strangerOf('nora');
  await sendMails();

  assert.deepEqual(subjects(), []);
});

test('An account that is closed meanwhile gets no mail', async () => {
  await memberWithAddress('otto');
  await strangerOf('otto');
  await portico.identity.writes.closeAccount(byServer(portico.clock), await idOf('otto'));
  await sendMails();

  assert.deepEqual(subjects(), []);
});
