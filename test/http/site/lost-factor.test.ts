// A lost second factor: an operator removes it a day later, and the member can cancel that.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byCommandLine, byServer } from '../../../src/audit/doer.ts';
import { setEmail } from '../../../src/identity/email-by-operator.ts';
import { askFactorReset } from '../../../src/identity/factor-reset.ts';
import { createResetLink, resetPassword } from '../../../src/identity/password-reset.ts';
import { DAY, HOUR } from '../../../src/lib/clock.ts';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { codeAt, STEP, withApp } from '../../support/codes.ts';
import { member, PASSWORD, person } from '../../support/people.ts';
import { startSmtpServer } from '../../support/smtp-server.ts';

const server = await startSmtpServer({ after });
const app = await openApp({ SMTP_URL: server.url });
const { portico, clock } = app;
const { identity } = portico;
after(() => app.close());

const { browser: operator } = await member(app, 'olivia', { isOperator: true });

/** Add a member with an address and an app, whose factor an operator removes. */
async function lostFactor(username: string) {
  const user = await person(portico, username);
  const address = { email: `${username}@home.example`, emailKey: `${username}@home.example` };
  const options = { mayBeOperator: true, language: 'en' };
  await identity.writes.setEmail(byServer(clock.read), { id: user.id, email: undefined }, address, options);
  const { secret } = await withApp(identity, user);
  clock.advance(STEP);
  await operator.signIn('olivia', PASSWORD);
  const page = await operator.read(`/operator/members/${user.id}`);
  const answer = await operator.submit(page, `/operator/members/${user.id}/factors`);
  return { ...user, secret, answer, mails: await mails() };
}

async function mails() {
  server.mails.length = 0;
  while ((await portico.sendMails()) > 0);
  return server.mails.slice();
}

async function signInTo(username: string, password = PASSWORD): Promise<string | null> {
  return (await new Browser(app.url).signIn(username, password)).headers.get('location');
}

async function eventsOf(userId: number): Promise<string[]> {
  const events = await portico.audit.reads.securityEvents({ userId, limit: 4 });
  return events.map(({ event, by, detail }) => [event, by, detail].filter(Boolean).join(' '));
}

test('An operator removes a lost factor: the member is told at once, and a day later the password is enough', async () => {
  const nina = await lostFactor('nina');
  const page = await operator.read(nina.answer.headers.get('location') ?? '');
  clock.advance(24 * HOUR - 1);
  const before = await signInTo('nina');
  clock.advance(1);

  const later = await signInTo('nina');

  assert.match(page, /will be removed in 24 hours[\s\S]*Will be removed on/);
  const mail = nina.mails.find(({ subject }) => subject.includes('Your second factor'));
  assert.equal(mail?.to[0], 'nina@home.example');
  assert.match(before ?? '', /^\/login\/verify/);
  assert.equal(later, '/');
  assert.deepEqual((await eventsOf(nina.id)).slice(0, 4), [
    'new_browser',
    'signed_in password',
    'factor_removed server all',
    'factor_reset_asked operator',
  ]);
  const [act] = await portico.audit.reads.auditEvents({ limit: 1 });
  assert.deepEqual([act?.actorName, act?.action], ['olivia', 'user.reset_factors']);
});

test('The mailed link cancels it, also after the password was reset meanwhile', async () => {
  const otto = await lostFactor('otto');
  const mail = otto.mails.find(({ subject }) => subject.includes('Your second factor'));
  const link = /(\/second-factor\/keep\?token=\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
  const account = await identity.reads.findUser(otto.id);
  assert.ok(account);
  const reset = await createResetLink(byServer(clock.read), identity, account, 'en');
  assert.ok('token' in reset);
  const password = 'seven green bottles on a wall';
  await resetPassword(identity, { token: reset.token, password, language: 'en' });
  const browser = new Browser(app.url);

  const question = await (await browser.follow(link)).text();
  const kept = await browser.submit(question, '/second-factor/keep');
  const again = await browser.follow(link);
  clock.advance(24 * HOUR);

  assert.match(question, /second factor of the account otto/);
  assert.match(await kept.text(), /Your second factor stays/);
  assert.equal(again.status, 403);
  assert.match((await signInTo('otto', password)) ?? '', /^\/login\/verify/);
  assert.ok((await eventsOf(otto.id)).includes('factor_reset_cancelled'));
});

test('Signing in with the factor cancels it', async () => {
  const { id, secret } = await lostFactor('petra');
  const browser = new Browser(app.url);
  const page = await browser.read((await browser.signIn('petra', PASSWORD)).headers.get('location') ?? '');

  await browser.submit(page, '/login/verify', { code: codeAt(secret, clock.now) });
  clock.advance(24 * HOUR);

  assert.match((await signInTo('petra')) ?? '', /^\/login\/verify/);
  assert.deepEqual((await eventsOf(id)).slice(0, 3), [
    'new_browser',
    'signed_in app',
    'factor_reset_cancelled',
  ]);
});

test('A signed-in member sees it in the security settings, and cancels it', async () => {
  const user = await person(portico, 'quinn');
  const { secret } = await withApp(identity, user);
  clock.advance(STEP);
  const browser = new Browser(app.url);
  const step = await browser.read((await browser.signIn('quinn', PASSWORD)).headers.get('location') ?? '');
  await browser.submit(step, '/login/verify', { code: codeAt(secret, clock.now) });
  await operator.signIn('olivia', PASSWORD);
  const page = await operator.read(`/operator/members/${user.id}`);
  await operator.submit(page, `/operator/members/${user.id}/factors`);

  const settings = await browser.read('/settings/security');
  const kept = await browser.submit(settings, '/settings/security/factors/keep');

  assert.match(settings, /It will be removed on/);
  assert.equal(kept.headers.get('location'), '/settings/security?done=factors_kept');
  assert.equal(await identity.reads.findFactorReset(user.id), undefined);
});

test('A factor whose time has come opens nothing any more', async () => {
  const { secret } = await lostFactor('rosa');
  const browser = new Browser(app.url);
  clock.advance(24 * HOUR - STEP);
  const page = await browser.read((await browser.signIn('rosa', PASSWORD)).headers.get('location') ?? '');
  clock.advance(STEP);

  const answer = await browser.submit(page, '/login/verify', { code: codeAt(secret, clock.now) });

  assert.equal(answer.status, 400);
  assert.equal(await signInTo('rosa'), '/');
});

test('On the pages no operator removes the factor of an operator', async () => {
  const sven = await person(portico, 'sven');
  await identity.writes.setRole(byServer(clock.read), sven.id, 'operator');
  await withApp(identity, sven);
  await operator.signIn('olivia', PASSWORD);
  const page = await operator.read(`/operator/members/${sven.id}`);
  const token = /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? '';

  await operator.post(`/operator/members/${sven.id}/factors`, new URLSearchParams({ form_token: token }));

  assert.doesNotMatch(page, /Remove second factor/);
  assert.equal(await identity.reads.findFactorReset(sven.id), undefined);
});

test('In the week after operators changed the address, only the command line removes the factor', async () => {
  const tara = await person(portico, 'tara');
  const { secret } = await withApp(identity, tara);
  clock.advance(STEP);
  await operator.signIn('olivia', PASSWORD);
  const path = `/operator/members/${tara.id}`;
  const ask = async () => operator.submit(await operator.read(path), `${path}/factors`);
  const set = await operator.submit(await operator.read(path), `${path}/email`, {
    email: 'new@home.example',
  });

  const early = await ask();
  const account = await identity.reads.findUser(tara.id);
  clock.advance(7 * DAY);
  await operator.signIn('olivia', PASSWORD);
  const later = await ask();

  assert.ok(secret);
  assert.equal(set.status, 303);
  assert.equal(early.status, 400);
  assert.match(
    await early.text(),
    /address of this member was changed in the last seven days by an operator/,
  );
  assert.equal(account?.email, 'new@home.example');
  assert.equal(later.status, 303);
  assert.ok(await identity.reads.findFactorReset(tara.id));
});

test('The command line removes it also after operators changed the address', async () => {
  const ugo = await person(portico, 'ugo');
  await withApp(identity, ugo);
  const account = await identity.reads.findUser(ugo.id);
  assert.ok(account);
  await setEmail(byCommandLine(clock.read), identity, account, { email: 'ugo@home.example', language: 'en' });

  const reset = await askFactorReset(byCommandLine(clock.read), identity, account);

  assert.ok('dueAt' in reset);
});

test('A change of role cancels a removal that waits', async () => {
  const vera = await lostFactor('vera');

  await identity.writes.setRole(byServer(clock.read), vera.id, 'operator');
  clock.advance(24 * HOUR);

  assert.equal(await identity.reads.findFactorReset(vera.id), undefined);
  assert.match((await signInTo('vera')) ?? '', /^\/login\/verify/);
  assert.equal((await eventsOf(vera.id))[0], 'factor_reset_cancelled');
});
