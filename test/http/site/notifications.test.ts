// Notifications: the bell in the header, and the page, which marks them as read.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byMember } from '../../../src/audit/doer.ts';
import { comment, reply } from '../../../src/community/comment.ts';
import { likePost } from '../../../src/community/like.ts';
import { DAY } from '../../../src/lib/clock.ts';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { member, person, publish } from '../../support/people.ts';
import { addMember } from '../../support/seeding.ts';

const app = await openApp();
const { portico } = app;
after(() => app.close());
const alice = await person(portico, 'alice');

async function pageOf(browser: Browser, path = '/notifications'): Promise<string> {
  const answer = await browser.open(path);
  assert.equal(answer.status, 200);
  return answer.text();
}

test('Comments, replies and likes are listed, newest first, and each links to its post or comment', async () => {
  const bob = await member(app, 'bob');
  const postId = await publish(portico, bob, 'On arches <b>');
  const first = await comment(byMember(alice, app.clock.read), portico.community, postId, 'Good.');
  const id = first !== undefined && 'id' in first ? first.id : 0;
  const own = await comment(byMember(bob, app.clock.read), portico.community, postId, 'Thanks.');
  const commentId = own !== undefined && 'id' in own ? own.id : 0;
  await reply(byMember(alice, app.clock.read), portico.community, commentId, 'No, thank you.');
  await likePost(byMember(alice, app.clock.read), portico.community, postId);

  assert.match(await pageOf(bob.browser, '/'), /Notifications, 3 unread/);
  const page = await pageOf(bob.browser);

  const likeAt = page.indexOf('alice liked “On arches &lt;b&gt;”');
  const answerAt = page.indexOf('alice replied to your comment on “On arches');
  const commentAt = page.indexOf('alice commented on “On arches');
  assert.ok(likeAt > 0 && likeAt < answerAt && answerAt < commentAt);
  assert.ok(page.includes(`<a class="what" href="/comments/${id}">alice commented`));
  assert.ok(page.includes(`<a class="what" href="/posts/${postId}/on-arches-b">alice liked`));
  assert.ok(!page.includes('bob commented'));
});

test('Opening the page marks those it shows as read, and the number at the bell is gone', async () => {
  const bob = await member(app, 'bob2');
  const postId = await publish(portico, bob, 'On domes');
  await comment(byMember(alice, app.clock.read), portico.community, postId, 'One.');
  const bell = async () => /class="unseen">(Notifications[^<]*)</.exec(await pageOf(bob.browser, '/'))?.[1];
  assert.equal(await bell(), 'Notifications, 1 unread');

  // A browser that only prepares the page, or asks for its head, has shown it to no one.
  await bob.browser.open('/notifications', { headers: { 'Sec-Purpose': 'prefetch;prerender' } });
  await bob.browser.open('/notifications', { method: 'HEAD' });
  assert.equal(await bell(), 'Notifications, 1 unread');

  const page = await pageOf(bob.browser);
  assert.match(page, /class="new"[\s\S]*alice commented on “On domes”/);
  assert.match(page, /class="unseen">Notifications</);
  assert.equal(await bell(), 'Notifications');

  await comment(byMember(alice, app.clock.read), portico.community, postId, 'Two.');
  const later = await pageOf(bob.browser);
  assert.equal(later.match(/class="new"/g)?.length, 1);
  assert.equal(later.match(/alice commented/g)?.length, 2);
});

test('The bell counts to 99, and older notifications are on further pages', async () => {
  const bob = await member(app, 'bob3');
  const postId = await publish(portico, bob, 'On crowds');
  const likes = async (from: number, to: number) => {
    for (let index = from; index < to; index += 1) {
      const fan = { id: await addMember(portico, `fan${index}`) };
      await likePost(byMember(fan, app.clock.read), portico.community, postId);
    }
  };
  await likes(0, 99);
  const exact = await pageOf(bob.browser, '/');
  await likes(99, 101);

  const home = await pageOf(bob.browser, '/');
  const page = await pageOf(bob.browser);
  const next = /rel="next" href="([^"]+)"/.exec(page)?.[1] ?? '';
  const second = await pageOf(bob.browser, next);

  assert.match(exact, /aria-hidden="true">99<[\s\S]*Notifications, 99 unread/);
  assert.match(home, /aria-hidden="true">99\+<[\s\S]*Notifications, 99\+ unread/);
  assert.equal(page.match(/ liked “/g)?.length, 30);
  assert.match(page, /fan100[\s\S]*fan71/);
  assert.match(second, /fan70 [\s\S]*fan41 /);
});

test('Visitors have no bell, and must sign in to see the page', async () => {
  const stranger = new Browser(app.url);

  const answer = await stranger.open('/notifications');

  assert.equal(answer.headers.get('location'), '/login?return_to=%2Fnotifications');
  assert.ok(!(await pageOf(stranger, '/')).includes('/notifications'));
});

test('Notifications are deleted after 90 days', async () => {
  const bob = await member(app, 'bob4');
  const postId = await publish(portico, bob, 'On time');
  await comment(byMember(alice, app.clock.read), portico.community, postId, 'Old.');
  app.clock.advance(89 * DAY);
  await comment(byMember(alice, app.clock.read), portico.community, postId, 'New.');
  const total = async () => (await portico.community.reads.notificationsOf(bob.id, 1_000_000, 10)).length;

  while ((await portico.purge()) > 0);
  const before = await total();
  app.clock.advance(2 * DAY);
  while ((await portico.purge()) > 0);

  assert.deepEqual([before, await total()], [2, 1]);
});

test('Pages appear without the count if it can’t be read', async () => {
  const bob = await member(app, 'bob6');
  const { countUnread } = portico.community.reads;
  portico.community.reads.countUnread = () => Promise.reject(new Error('away'));

  const page = await pageOf(bob.browser, '/docs');
  portico.community.reads.countUnread = countUnread;

  assert.match(page, /class="unseen">Notifications</);
});
