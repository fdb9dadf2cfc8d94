// Mails about second factors, and about sign-ins with them, with their link "This wasn't me".

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byMember } from '../../../src/audit/doer.ts';
import { DAY, HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { Browser } from '../../support/browser.ts';
import { codeAt, STEP, sessionOf, withApp } from '../../support/codes.ts';
import { PASSWORD } from '../../support/people.ts';
import { openMailFixture, text } from './mail-fixture.ts';

const { app, server, mailedLink, memberWithAddress } = await openMailFixture({ after });
const { portico, clock } = app;

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

async function sendMails(): Promise<void> {
  while ((await portico.sendMails()) > 0);
}

async function accountOf(username: string) {
  const user = await portico.identity.reads.findUserByName(username);
  if (user === undefined) throw new Error(username);
  return user;
}

async function addPasskey(username: string, name: string): Promise<void> {
  const user = await accountOf(username);
  const by = byMember(user, portico.clock, '203.0.113.9');
  const passkey = { credentialId: `${username} ${name}`, publicKey: new Uint8Array([1]), counter: 0 };
  const change = { sessionKey: await sessionOf(portico.identity, user.id), recoveryCodes: [] };
  await portico.identity.writes.addPasskey(by, { ...passkey, transports: '', name }, 5, change);
}

/** Follow the last mail's link, and press its button. */
async function secure(): Promise<{ question: string; browser: Browser }> {
  const browser = new Browser(app.url);
  const question = await text(browser.follow(await mailedLink()));
  await browser.submit(question, '/not-me');
  return { question, browser };
}

test('A member is mailed when a second factor is added, and when one is removed', async () => {
  const browser = await memberWithAddress('ada');
  await withApp(portico.identity, await accountOf('ada'));
  await sendMails();
  const added = server.mails.map(({ subject, text }) => ({ subject, text }));
  server.mails.length = 0;
  const ada = await accountOf('ada');
  const session = await sessionOf(portico.identity, ada.id);
  await portico.identity.writes.removeApp(byMember(ada, portico.clock, '203.0.113.9'), session);
  await sendMails();

  assert.ok(browser);
  assert.deepEqual(
    added.map(({ subject }) => subject),
    ['A second factor was added to your account on Agora'],
  );
  assert.match(added[0]?.text ?? '', /the code of an authenticator app[\s\S]*\/not-me\?token=/);
  const [removed] = server.mails;
  assert.equal(removed?.subject, 'A second factor was removed from your account on Agora');
  assert.match(removed?.text ?? '', /203\.0\.113\.9[\s\S]*\/not-me\?token=/);
  server.mails.length = 0;
});

test('“This wasn’t me” removes the factor that was added, and leaves the member’s older one', async () => {
  await memberWithAddress('bea');
  await withApp(portico.identity, await accountOf('bea'));
  await sendMails();
  clock.advance(4 * DAY);
  await addPasskey('bea', 'stranger');
  server.mails.length = 0;

  const { question } = await secure();

  assert.match(question, /added in the last 72 hours, or since the email, are removed\. Older ones stay/);
  const { appSince, passkeys, recoveryCodes } = await portico.identity.reads.factorsOf(
    (await accountOf('bea')).id,
  );
  assert.deepEqual([appSince !== undefined, passkeys, recoveryCodes], [true, 0, 10]);
});

test('“This wasn’t me” in a later mail removes a factor that a stranger added before', async () => {
  await memberWithAddress('cleo');
  await addPasskey('cleo', 'stranger');
  await sendMails();
  clock.advance(HOUR);
  await new Browser(app.url, 'en', FIREFOX).signIn('cleo', PASSWORD);
  await withApp(portico.identity, await accountOf('cleo'));
  server.mails.length = 0;

  await secure();

  const account = await accountOf('cleo');
  assert.equal(account.hasFactor, false);
  assert.deepEqual(await portico.identity.reads.factorsOf(account.id), {
    appSince: undefined,
    passkeys: 0,
    recoveryCodes: 0,
  });
});

test('The first ten wrong codes of a day are mailed: whoever entered them knows the password', async () => {
  await memberWithAddress('elsa');
  await withApp(portico.identity, await accountOf('elsa'));
  await sendMails();
  const guess = async () => {
    const browser = new Browser(app.url, 'en', FIREFOX);
    const answer = await browser.signIn('elsa', PASSWORD);
    const page = await browser.read(answer.headers.get('location') ?? '');
    for (let count = 0; count < 11; count += 1)
      await browser.submit(page, '/login/verify', { code: '000000' });
    clock.advance(15 * MINUTE);
    await sendMails();
    return server.mails.splice(0).map(({ subject, text }) => ({ subject, text }));
  };
  server.mails.length = 0;

  const first = await guess();
  const second = await guess();
  clock.advance(DAY);
  const nextDay = await guess();

  assert.deepEqual(
    [first, second, nextDay].map((mails) => mails.map(({ subject }) => subject)),
    [
      ['Someone with your password for Agora entered wrong codes'],
      [],
      ['Someone with your password for Agora entered wrong codes'],
    ],
  );
  assert.match(first[0]?.text ?? '', /account elsa on Agora[\s\S]*127\.0\.0\.1[\s\S]*\/not-me\?token=/);
  const { appSince } = await portico.identity.reads.factorsOf((await accountOf('elsa')).id);
  assert.ok(appSince !== undefined);
});

test('A sign-in with the code of an app in a new browser is mailed, and in a known one it is not', async () => {
  await memberWithAddress('dora');
  const { secret, recoveryCodes } = await withApp(portico.identity, await accountOf('dora'));
  await sendMails();
  server.mails.length = 0;
  const browser = new Browser(app.url, 'en', FIREFOX);
  const signIn = async (code: string) => {
    const answer = await browser.signIn('dora', PASSWORD);
    const page = await browser.read(answer.headers.get('location') ?? '');
    assert.equal((await browser.submit(page, '/login/verify', { code })).status, 303);
    await sendMails();
    return server.mails.splice(0).map(({ subject }) => subject);
  };

  clock.advance(STEP);
  const first = await signIn(codeAt(secret, clock.now));
  const second = await signIn(recoveryCodes[0] ?? '');

  assert.deepEqual([first, second], [['A new browser signed in to your account on Agora'], []]);
  assert.match(await browser.read('/settings/browsers'), /Firefox on Linux/);
});
