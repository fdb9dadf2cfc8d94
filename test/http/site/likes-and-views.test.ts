// Likes and views: which ones count, and how often.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { HOUR } from '../../../src/lib/clock.ts';
import { openApp } from '../../support/app.ts';
import { Browser, formTokenIn } from '../../support/browser.ts';
import { browserOf, person, publish } from '../../support/people.ts';

const app = await openApp();
const { portico } = app;
after(() => app.close());
await person(portico, 'alice');
const bob = await person(portico, 'bob');
const asAlice = await browserOf(app, 'alice');
const asBob = await browserOf(app, 'bob');

async function show(browser: Browser, postId: number, init: RequestInit = {}): Promise<string> {
  const { title = '' } = (await portico.community.reads.findPost(postId)) ?? {};
  const answer = await browser.open(`/posts/${postId}/${title.toLowerCase().replaceAll(' ', '-')}`, init);
  assert.equal(answer.status, 200);
  return answer.text();
}

async function viewsOf(postId: number): Promise<number | undefined> {
  await portico.views.flush();
  return (await portico.community.reads.findPost(postId))?.viewCount;
}

test('One button likes and unlikes a post, and shows the current state', async () => {
  const postId = await publish(portico, bob, 'Worth it');
  const before = await show(asAlice, postId);

  const answer = await asAlice.submit(before, `/posts/${postId}/like`);
  const twice = await asAlice.submit(before, `/posts/${postId}/like`);
  const after = await show(asAlice, postId);
  await asAlice.submit(after, `/posts/${postId}/unlike`);

  assert.equal(answer.status, 303);
  assert.equal(answer.headers.get('location'), `/posts/${postId}/worth-it#reactions`);
  assert.equal(twice.status, 303);
  assert.match(before, /aria-pressed="false"[\s\S]*?0 likes/);
  assert.match(after, /aria-pressed="true"[\s\S]*?1 like/);
  assert.match(await show(asAlice, postId), /aria-pressed="false"[\s\S]*?0 likes/);
  assert.equal((await portico.identity.reads.findUser(bob.id))?.xp, 10);
});

test('Members can’t like their own posts, and a visitor is asked to sign in', async () => {
  const postId = await publish(portico, bob, 'My own');
  const own = await show(asBob, postId);
  const token = formTokenIn(own);

  const answer = await asBob.post(`/posts/${postId}/like`, new URLSearchParams({ form_token: token }));

  assert.equal(answer.status, 403);
  assert.match(await answer.text(), /You can’t like your own post/);
  assert.ok(!own.includes(`action="/posts/${postId}/like"`));
  assert.equal((await portico.community.reads.findPost(postId))?.likeCount, 0);
  const visitors = await show(new Browser(app.url), postId);
  assert.ok(visitors.includes(`/login?return_to=${encodeURIComponent(`/posts/${postId}/my-own#reactions`)}`));
  const back = await asAlice.open(`/posts/${postId}/like`);
  assert.equal(back.headers.get('location'), `/posts/${postId}#reactions`);
});

test('After 200 likes in an hour the page says when the member can go on', async () => {
  const postId = await publish(portico, bob, 'Too good');
  const { id } = await person(portico, 'carol');
  const asCarol = await browserOf(app, 'carol');
  const page = await show(asCarol, postId);
  const { now } = app.clock;
  for (let count = 0; count < 200; count += 1) {
    await portico.community.writes.countAttempt(`like ${id}`, 200, now, now + HOUR);
  }

  const answer = await asCarol.submit(page, `/posts/${postId}/like`);

  assert.equal(answer.status, 429);
  assert.equal(answer.headers.get('retry-after'), '3600');
  assert.match(await answer.text(), /You can like more in 60 minutes/);
  assert.equal((await portico.community.reads.findPost(postId))?.likeCount, 0);
});

test('A visitor counts once a day for a post, and a member once from all devices', async () => {
  app.clock.now = Date.UTC(2031, 4, 5, 12);
  const postId = await publish(portico, bob, 'Seen');
  const browser = new Browser(app.url);
  const firefox = { headers: { 'User-Agent': 'Firefox' } };

  await show(browser, postId, firefox);
  await show(browser, postId, firefox);
  await portico.views.flush();
  await show(new Browser(app.url), postId, firefox);
  const once = await viewsOf(postId);
  await show(browser, postId, { headers: { 'User-Agent': 'Safari' } });
  const twice = await viewsOf(postId);
  // In UTC+8 a new day begins at 16:00 UTC.
  app.clock.now = Date.UTC(2031, 4, 5, 15, 59);
  await show(browser, postId, firefox);
  const sameDay = await viewsOf(postId);
  app.clock.now = Date.UTC(2031, 4, 5, 16);
  await show(browser, postId, firefox);
  const nextDay = await viewsOf(postId);
  const [one, other] = [await browserOf(app, 'alice'), await browserOf(app, 'alice')];
  await show(one, postId, firefox);
  await show(other, postId, { headers: { 'User-Agent': 'Safari' } });

  assert.deepEqual([once, twice, sameDay, nextDay], [1, 2, 2, 3]);
  assert.equal(await viewsOf(postId), 4);
});

test('Views by the author, a crawler, a HEAD request or through an address that redirects do not count', async () => {
  const postId = await publish(portico, bob, 'Unseen');
  const author = await browserOf(app, 'bob');

  await show(author, postId);
  for (const name of ['Googlebot/2.1', 'some Spider', 'CRAWLER']) {
    await show(new Browser(app.url), postId, { headers: { 'User-Agent': name } });
  }
  await show(new Browser(app.url), postId, { method: 'HEAD' });
  await new Browser(app.url).open(`/posts/${postId}/an-old-title`);

  assert.equal(await viewsOf(postId), 0);
});
