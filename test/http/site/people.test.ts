// A member's own account: downloading their data, and closing the account.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byMember, byServer } from '../../../src/audit/doer.ts';
import { write } from '../../../src/community/writing.ts';
import { DAY } from '../../../src/lib/clock.ts';
import { openApp } from '../../support/app.ts';
import { Browser, formIn } from '../../support/browser.ts';
import { collectGarbage } from '../../support/garbage.ts';
import { member, notebook, PASSWORD, person, publish } from '../../support/people.ts';
import { addPersonalToken, addSignIn } from '../../support/seeding.ts';
import { drawPicture, PROFILE, uploadPicture } from './picture-form.ts';

const app = await openApp();
const { portico } = app;
after(() => app.close());

const CLOSING = '/settings/account/close';
const EXPORT = '/settings/account/export';

function signedIn(username: string, language = 'en') {
  return member(app, username, { bio: `I am ${username}`, language });
}

test('The download is one document with all of a member’s data, and no secret', async () => {
  const { browser, id, username } = await signedIn('dora');
  const own = { id, username };
  const other = await person(portico, 'dieter');
  // More than one batch, all with the same time.
  for (let n = 0; n < 120; n += 1) await publish(portico, own, `Note ${n}`, `Text "${n}" & more`);
  const by = byMember({ id }, app.clock.read);
  const draft = { title: 'Draft', body: 'Secret.', categoryId: 1 };
  await write(by, portico.community, { authorId: id, text: draft, status: 'draft' });
  const gone = await publish(portico, own, 'Gone');
  await portico.community.writes.removePost(by, gone, 10);
  const theirs = await publish(portico, other, 'Not hers');
  const comment = { postId: theirs, replyTo: undefined, body: 'Well said.', xp: 2, weight: 1 };
  await portico.community.writes.addComment(by, comment);
  const { text: token } = await addPersonalToken(portico, id);
  const { access, refresh } = await addSignIn(portico, await notebook(portico), id);

  const answer = await browser.submit(await browser.read('/settings/account'), EXPORT);

  const text = await answer.text();
  const data = JSON.parse(text);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(answer.headers.get('content-disposition'), `attachment; filename="account-${id}.json"`);
  assert.equal(data.profile.username, username);
  assert.equal(data.posts.length, 122);
  assert.equal(new Set(data.posts.map((post: { id: number }) => post.id)).size, 122);
  assert.deepEqual(
    data.posts
      .filter((post: { status: string }) => post.status !== 'published')
      .map((post: { title: string }) => post.title),
    ['Draft', 'Gone'],
  );
  assert.equal(data.posts.find((post: { title: string }) => post.title === 'Note 7').body, 'Text "7" & more');
  assert.deepEqual(
    data.comments.map((comment: { body: string }) => comment.body),
    ['Well said.'],
  );
  assert.deepEqual(
    data.connected_applications.map((one: { name: string }) => one.name),
    ['Notebook'],
  );
  assert.deepEqual(
    data.api_tokens.map((one: { name: string }) => one.name),
    ['laptop'],
  );
  assert.ok(!text.includes('Not hers'));
  for (const secret of [token, access, refresh, 'argon2', token.slice(-6)]) assert.ok(!text.includes(secret));
});

test('The document is streamed: 10,000 long posts need no more memory than a few', async () => {
  const { browser, id } = await signedIn('emil');
  const { writes } = portico.community;
  const by = byMember({ id }, app.clock.read);
  const body = 'x'.repeat(10_000);
  const post = { title: 'Long', body, excerpt: 'x', words: 'x', categoryId: 1 };
  for (let n = 0; n < 20; n += 1) {
    const some = Array.from({ length: 500 }, () =>
      writes.addPost(by, { ...post, userId: id, status: 'published', xp: 0 }),
    );
    await Promise.all(some);
  }
  const page = await browser.read('/settings/account');
  // Collected before each measurement, because old garbage would count.
  const inUse = () => {
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = inUse();

  const answer = await browser.submit(page, EXPORT);
  let bytes = 0;
  let measuredAt = 0;
  let most = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes - measuredAt < 10_000_000) continue;
    measuredAt = bytes;
    most = Math.max(most, inUse() - before);
  }

  assert.ok(bytes > 100_000_000, `${bytes} bytes`);
  assert.ok(most < 10_000_000, `${most} bytes more`);
});

test('Another site can’t start a download, and a member can only start three a day', async () => {
  const { browser } = await signedIn('frida');
  const page = await browser.read('/settings/account');

  const without = await browser.post(EXPORT, new URLSearchParams());
  const byLink = await browser.open(EXPORT);
  const statuses = [];
  let wait: string | null = null;
  for (let n = 0; n < 4; n += 1) {
    const answer = await browser.submit(page, EXPORT);
    await answer.text();
    statuses.push(answer.status);
    wait = answer.headers.get('retry-after');
  }
  app.clock.advance(DAY);
  const nextDay = await browser.submit(page, EXPORT);
  await nextDay.text();

  assert.deepEqual([without.status, byLink.status], [403, 404]);
  assert.deepEqual(statuses, [200, 200, 200, 429]);
  assert.equal(wait, '86400');
  assert.equal(nextDay.status, 200);
});

test('Closing an account takes the password and a tick; the page says when it closed, and everything ends at once', async () => {
  const { browser, id, username } = await signedIn('greta');
  await uploadPicture(browser, await drawPicture());
  const post = await publish(portico, { id, username }, 'Last words');
  const { text: token } = await addPersonalToken(portico, id);
  const { access } = await addSignIn(portico, await notebook(portico), id);
  const elsewhere = new Browser(app.url);
  await elsewhere.signIn(username, PASSWORD);
  const question = await browser.read(CLOSING);
  assert.match(question, /can’t be undone/);

  const unsure = await browser.submit(question, CLOSING, { password: PASSWORD });
  const wrong = await browser.submit(question, CLOSING, { password: 'wrong', sure: '1' });
  assert.deepEqual([unsure.status, wrong.status], [400, 400]);
  assert.match(await unsure.text(), /href="#sure"/);
  assert.match(await wrong.text(), /The current password is incorrect/);
  assert.equal((await portico.identity.reads.findUser(id))?.status, 'active');
  app.clock.now = Date.UTC(2032, 0, 2, 6, 3, 7);
  await browser.signIn(username, PASSWORD);
  const answer = await browser.submit(await browser.read(CLOSING), CLOSING, {
    password: PASSWORD,
    sure: '1',
  });

  const page = await answer.text();
  assert.equal(answer.status, 200);
  assert.match(page, /The account greta was closed at 14:03:07\./);
  assert.match(page, /href="\/login"/);
  assert.equal(browser.cookie('portico_session'), undefined);
  assert.equal((await browser.open(PROFILE)).status, 303);
  assert.equal((await elsewhere.open(PROFILE)).status, 303);
  assert.equal((await new Browser(app.url).signIn(username, PASSWORD)).status, 400);
  assert.equal((await browser.open(`/posts/${post}`)).status, 404);
  assert.equal((await browser.open(`/u/${username}`)).status, 404);
  for (const credential of [token, access]) {
    const call = await fetch(`${app.url}/api/open/v1/me`, {
      headers: { Authorization: `Bearer ${credential}` },
    });
    assert.equal(call.status, 401);
  }
});

test('A signed-in browser can try ten wrong passwords at most', async () => {
  const { browser, id } = await signedIn('heidi');
  const page = await browser.read(CLOSING);
  for (let n = 0; n < 10; n += 1) await browser.submit(page, CLOSING, { password: `guess ${n}`, sure: '1' });

  const right = await browser.submit(page, CLOSING, { password: PASSWORD, sure: '1' });

  assert.equal(right.status, 429);
  assert.equal(right.headers.get('retry-after'), '900');
  assert.equal((await portico.identity.reads.findUser(id))?.status, 'active');
});

test('The only operator can’t close the account, and the page says why', async () => {
  const { browser, id } = await signedIn('otto');
  await portico.identity.writes.setRole(byServer(portico.clock), id, 'operator');

  const page = await browser.read(CLOSING);

  assert.match(page, /You are the only operator/);
  assert.throws(() => formIn(page, CLOSING));
  const token = formIn(await browser.read('/settings/account'), EXPORT)[0]?.[1] ?? '';
  const forced = new URLSearchParams({ form_token: token, password: PASSWORD, sure: '1' });
  const answer = await browser.post(CLOSING, forced);
  assert.equal(answer.status, 409);
  assert.equal((await portico.identity.reads.findUser(id))?.status, 'active');
});
