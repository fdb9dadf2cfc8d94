// Settings: profile, connected applications, security.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byMember } from '../../../src/audit/doer.ts';
import { mintToken } from '../../../src/oauth/token.ts';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { notebook, PASSWORD, person } from '../../support/people.ts';

const app = await openApp();
const { portico } = app;
after(() => app.close());
const alice = await person(portico, 'alice', 'Reads a lot');
const browser = new Browser(app.url);
await browser.signIn('alice', PASSWORD);

/** An application that alice allowed to read her profile. */
async function connected(name: string): Promise<string> {
  const { id, redirectUri } = await notebook(portico, { name });
  const { key, digest } = mintToken('code', 'svc', app.clock.now);
  const code = {
    key,
    digest,
    clientId: id,
    userId: alice.id,
    redirectUri,
    scopes: ['profile:read'] as const,
    codeChallenge: undefined,
    nonce: undefined,
    authenticatedAt: app.clock.now,
    expiresAt: app.clock.now,
  };
  await portico.oauth.writes.approve(
    byMember({ id: code.userId }, portico.clock),
    [],
    ['profile:read'],
    code,
  );
  return id;
}

test('A bio is changed, confirmed and shown', async () => {
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

test('A bio that is too long is kept in the form and nowhere else', async () => {
  const page = await (await browser.open('/settings/profile')).text();

  const answer = await browser.submit(page, '/settings/profile', { bio: 'x'.repeat(161) });

  const again = await answer.text();
  assert.equal(answer.status, 400);
  assert.ok(again.includes('x'.repeat(161)));
  assert.match(again, /id="bio-problem">The bio can have at most 160 characters/);
  assert.ok(!(await (await browser.open('/u/alice')).text()).includes('xxx'));
});

test('A connected application is listed with what it can read, and has an address of its own', async () => {
  const id = await connected('Notebook');

  const list = await (await browser.open('/settings/apps')).text();
  const own = await (await browser.open(`/settings/apps/${id}`)).text();

  assert.match(list, /Notebook[\s\S]*profile:read[\s\S]*Connected on[\s\S]*Last authorised/);
  assert.match(own, /Nickname, avatar, bio/);
  assert.match(own, /notebook\.example\.com/);
  assert.ok(!own.includes('posts:read'));
});

test('An application is removed after a question that says what happens; then the page says when access stopped', async () => {
  const id = await connected('Diary');
  const path = `/settings/apps/${id}/remove`;
  const question = await (await browser.open(path)).text();
  assert.match(question, /Remove Diary’s access\?[\s\S]*stays with the application/);
  app.clock.now = Date.UTC(2030, 0, 2, 6, 3, 7);
  await browser.signIn('alice', PASSWORD);
  const fresh = await (await browser.open(path)).text();

  const answer = await browser.submit(fresh, path);

  const grant = await portico.oauth.reads.findGrant(alice.id, id);
  assert.equal(answer.status, 303);
  assert.equal(grant?.withdrawnAt, app.clock.now);
  const page = await (await browser.open(answer.headers.get('location') ?? '')).text();
  assert.match(page, /Access stopped at 14:03:07\./);
  assert.match(page, /Data it already copied stays with the application/);
  assert.ok(!(await (await browser.open('/settings/apps')).text()).includes('Diary'));
});

test('An application that was never allowed says so; an unknown one is not found', async () => {
  const { id } = await notebook(portico, { name: 'Stranger' });

  const stranger = await browser.open(`/settings/apps/${id}`);

  assert.equal(stranger.status, 200);
  assert.match(await stranger.text(), /Stranger can’t read anything from your account/);
  assert.equal((await browser.open('/settings/apps/app_unknown')).status, 404);
  assert.equal((await browser.open(`/settings/apps/${id}/remove`)).status, 404);
});

test('The security page tells since when this browser is signed in', async () => {
  app.clock.now = Date.UTC(2030, 0, 3, 1, 2, 3);
  await browser.signIn('alice', PASSWORD);

  const page = await (await browser.open('/settings/security')).text();

  assert.match(page, /Signed in since <time datetime="2030-01-03T01:02:03Z"/);
  assert.match(page, /09:02:03 \(UTC\+8\)/);
  assert.match(page, /<form method="post" action="\/logout">/);
});

test('The settings are for members: anyone else signs in first', async () => {
  for (const path of ['/settings/profile', '/settings/tokens', '/settings/apps', '/settings/security']) {
    const answer = await new Browser(app.url).open(path);

    assert.equal(answer.status, 303);
    assert.equal(answer.headers.get('location'), `/login?return_to=${encodeURIComponent(path)}`);
  }
});
