// Changes that leave security events have a pace, so that no member can fill the database with them.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { recordFactorFailure } from '../../../src/identity/failed-sign-in.ts';
import { HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { openApp } from '../../support/app.ts';
import { type Browser, formTokenIn } from '../../support/browser.ts';
import { browserOf, type Member, member, person } from '../../support/people.ts';
import { freePort } from '../../support/services.ts';
import { type Lies, SoftwarePasskey } from '../../support/software-passkey.ts';

// Browsers accept no passkeys for an IP address.
const port = String(await freePort());
const app = await openApp({ HOST: 'localhost', PORT: port, BASE_URL: `http://localhost:${port}` });
const { portico, clock } = app;
after(() => app.close());

const SECURITY = '/settings/security';
const PASSKEYS = `${SECURITY}/passkeys`;
const CODES = `${SECURITY}/recovery-codes`;

async function memberWithPasskey(username: string): Promise<Member & { device: SoftwarePasskey }> {
  const device = new SoftwarePasskey(app.url);
  const user = await member(app, username);
  const page = await user.browser.read(PASSKEYS);
  await user.browser.submit(page, PASSKEYS, { name: 'Laptop', ...device.create(page) });
  return { ...user, device };
}

async function countOf(userId: number, name: string): Promise<number> {
  const events = await portico.audit.reads.securityEvents({ userId, limit: 500 });
  return events.filter(({ event }) => event === name).length;
}

/** The statuses of `count` answers to the same act, each with how often it came. */
async function statusesOf(count: number, act: (index: number) => Promise<Response>) {
  const statuses: Record<number, number> = {};
  for (let index = 0; index < count; index += 1) {
    const { status } = await act(index);
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return statuses;
}

test('New apps, passkeys and recovery codes have one pace: 30 an hour', async () => {
  const { browser, id } = await memberWithPasskey('nina');
  const page = await browser.read(SECURITY);

  const codes = await statusesOf(28, () => browser.submit(page, CODES));
  const passkey = await browser.read(PASSKEYS);
  const refused = await browser.submit(passkey, PASSKEYS, { name: 'Phone', passkey: '{}' });
  const beyond = [
    await browser.submit(page, CODES),
    await browser.submit(page, `${SECURITY}/app/start`),
    await browser.submit(passkey, PASSKEYS, { name: 'Phone', passkey: '{}' }),
  ];

  assert.deepEqual(codes, { 200: 28 });
  assert.equal(refused.status, 400);
  assert.deepEqual(
    beyond.map(({ status }) => status),
    [429, 429, 429],
  );
  assert.ok(Number(beyond[0]?.headers.get('retry-after')) > 3_000);
  assert.equal(await countOf(id, 'factor_added'), 29);
});

test('Other browsers are signed out 30 times an hour', async () => {
  const { browser } = await member(app, 'olga');
  const path = '/settings/browsers/sign-out';
  const page = await browser.read(path);

  const done = await statusesOf(30, () => browser.submit(page, path));
  const beyond = await browser.submit(page, path);

  assert.deepEqual(done, { 303: 30 });
  assert.equal(beyond.status, 429);
});

test('A thief who opens costly pages with one session of a member leaves the member theirs', async () => {
  const { browser } = await member(app, 'oscar');
  const thief = await browserOf(app, 'oscar');
  const open = (own: Browser) => own.open('/settings/browsers');

  const stolen = await statusesOf(130, () => open(thief));

  assert.deepEqual(stolen, { 200: 120, 429: 10 });
  assert.equal((await thief.open('/posts/removed')).status, 429);
  assert.equal((await open(browser)).status, 200);
});

test('Ten refused passkeys in 15 minutes are checked as a proof, and no more', async () => {
  const { browser, id, device } = await memberWithPasskey('otto');
  const page = await browser.read(SECURITY);
  clock.advance(10 * MINUTE + 1);
  const prove = async (lies: Lies) => {
    const question = await (await browser.submit(page, CODES)).text();
    return browser.submit(question, CODES, { proof_password: '', ...device.get(question, lies) });
  };

  const refused = await statusesOf(10, () => prove({ origin: 'https://evil.example' }));
  const beyond = await prove({});

  assert.deepEqual(refused, { 400: 10 });
  assert.equal(beyond.status, 429);
  assert.equal(await countOf(id, 'factor_failed'), 10);
  clock.advance(15 * MINUTE);
  assert.equal((await prove({})).status, 200);
});

test('60 refused codes and passkeys of a member are recorded in an hour, from however many addresses', async () => {
  const { id } = await person(portico, 'petra');
  const fail = () => recordFactorFailure(portico.identity, id, '2001:db8::/64', 'passkey');

  for (let count = 0; count < 70; count += 1) await fail();
  const first = await countOf(id, 'factor_failed');
  clock.advance(HOUR);
  await fail();

  assert.equal(first, 60);
  assert.equal(await countOf(id, 'factor_failed'), 61);
});

test('An API token can be edited 60 times an hour, and the form keeps what was typed beyond that', async () => {
  const { browser, id } = await member(app, 'quinn');
  const fields = { name: 'backup', scope: 'profile:read', expires: '30' };
  await browser.submit(await browser.read('/settings/tokens'), '/settings/tokens', fields);
  const [token] = await portico.oauth.reads.personalTokensOf(id);
  const path = `/settings/tokens/${token?.id}/edit`;
  const page = await browser.read(path);
  const edit = (index: number) =>
    browser.submit(page, path, { ...fields, expires: 'keep', name: `backup ${index}` });

  const saved = await statusesOf(60, edit);
  const beyond = await edit(61);

  assert.deepEqual(saved, { 303: 60 });
  assert.equal(beyond.status, 429);
  assert.match(await beyond.text(), /Try again in an hour[\s\S]*value="backup 61"/);
  assert.equal(await countOf(id, 'api_token_changed'), 60);
});

test('Sign-ins at applications are ended 60 times an hour, with the other changes of applications', async () => {
  const { browser } = await member(app, 'rosa');
  const fields = { form_token: formTokenIn(await browser.read('/settings/diary')), sign_in: 'none' };
  const end = () => browser.post('/settings/apps/none/sign-ins', new URLSearchParams(fields));

  const ended = await statusesOf(60, end);
  const beyond = await end();

  assert.deepEqual(ended, { 404: 60 });
  assert.equal(beyond.status, 429);
});
