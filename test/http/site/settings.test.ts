// Settings: profile, connected applications, security.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { notebook, PASSWORD, person } from '../../support/people.ts';
import { addCode } from '../../support/seeding.ts';

const app = await openApp();
const { portico } = app;
after(() => app.close());
const alice = await person(portico, 'alice', 'Reads a lot');
const browser = new Browser(app.url);
await browser.signIn('alice', PASSWORD);

/** Register an application, and let alice allow it to read her profile. Returns its id. */
async function connectApplication(name: string): Promise<string> {
  const client = await notebook(portico, { name });
  await addCode(portico, client, alice.id, { scopes: ['profile:read'] });
  return client.id;
}

test('A bio is changed, and shown with a confirmation', async () => {
  const page = await (await browser.open('/settings/profile')).text();
  assert.match(page, /name="bio" value="Reads a lot"/);

  const answer = await browser.submit(page, '/settings/profile', { bio: ' Reads & walks ' });

  assert.equal(answer.status, 303);
  assert.match(
    await (await browser.open(answer.headers.get('location') ?? '')).text(),
    /role="status">Profile saved/,
  );
  assert.match(await (await browser.open('/u/alice')).text(), /Reads &amp; walks</);
});

test('A bio that is too long stays in the form, and is not saved', async () => {
  const page = await (await browser.open('/settings/profile')).text();

  const answer = await browser.submit(page, '/settings/profile', { bio: 'x'.repeat(161) });

  const again = await answer.text();
  assert.equal(answer.status, 400);
  assert.ok(again.includes('x'.repeat(161)));
  assert.match(again, /id="bio-problem">The bio can have at most 160 characters/);
  assert.ok(!(await (await browser.open('/u/alice')).text()).includes('xxx'));
});

test('A connected application is listed with what it can read, and has a page of its own', async () => {
  const id = await connectApplication('Notebook');

  const list = await (await browser.open('/settings/apps')).text();
  const own = await (await browser.open(`/settings/apps/${id}`)).text();

  assert.match(list, /Notebook[\s\S]*profile:read[\s\S]*Connected on[\s\S]*Last used/);
  assert.match(own, /Nickname, avatar, bio/);
  assert.match(own, /notebook\.example\.com/);
  assert.ok(!own.includes('posts:read'));
});

test('Access is removed after a confirmation that says what happens; then the page says when it ended', async () => {
  const id = await connectApplication('Diary');
  const path = `/settings/apps/${id}/remove`;
  const question = await (await browser.open(path)).text();
  assert.match(question, /Remove Diary’s access\?[\s\S]*stays with the application/);
  app.clock.now = Date.UTC(2030, 0, 2, 6, 3, 7);
  await browser.signIn('alice', PASSWORD);
  const fresh = await (await browser.open(path)).text();

  const answer = await browser.submit(fresh, path);

  const grant = await portico.oauth.reads.findGrant(alice.id, id, portico.clock());
  assert.equal(answer.status, 303);
  assert.equal(grant?.withdrawnAt, app.clock.now);
  const page = await (await browser.open(answer.headers.get('location') ?? '')).text();
  assert.match(page, /Access stopped at 14:03:07\./);
  assert.match(page, /Data it already copied stays with the application/);
  assert.ok(!(await (await browser.open('/settings/apps')).text()).includes('Diary'));
});

test('The page of an application without access says so; an unknown application is not found', async () => {
  const { id } = await notebook(portico, { name: 'Stranger' });

  const stranger = await browser.open(`/settings/apps/${id}`);

  assert.equal(stranger.status, 200);
  assert.match(await stranger.text(), /Stranger can’t read anything from your account/);
  assert.equal((await browser.open('/settings/apps/app_unknown')).status, 404);
  assert.equal((await browser.open(`/settings/apps/${id}/remove`)).status, 404);
});

test('The security page says when this browser signed in', async () => {
  app.clock.now = Date.UTC(2030, 0, 3, 1, 2, 3);
  await browser.signIn('alice', PASSWORD);

  const page = await (await browser.open('/settings/security')).text();

  assert.match(page, /Signed in since <time datetime="2030-01-03T01:02:03Z"/);
  assert.match(page, /09:02:03 \(UTC\+8\)/);
  assert.match(page, /<form method="post" action="\/logout">/);
});

test('The settings are for members: a visitor must sign in first', async () => {
  for (const path of ['/settings/profile', '/settings/tokens', '/settings/apps', '/settings/security']) {
    const answer = await new Browser(app.url).open(path);

    assert.equal(answer.status, 303);
    assert.equal(answer.headers.get('location'), `/login?return_to=${encodeURIComponent(path)}`);
  }
});

test('A page says what is kept about a member, why and how long, in both languages', async () => {
  const account = await browser.read('/settings/account');
  assert.match(account, /href="\/settings\/account\/data"/);

  const page = await browser.read('/settings/account/data');

  assert.match(page, /Access diary[\s\S]*To show you who reads what[\s\S]*30 days, unless you switch it off/);
  const chinese = new Browser(app.url, 'zh');
  await chinese.signIn('alice', PASSWORD);
  assert.match(await chinese.read('/settings/account/data'), /访问日记[\s\S]*30 天，您可以关闭/);
});
