// Comments, likes and views by their rules, on a database in memory.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comment, editComment, removeComment, reply, threadsOf } from '../../src/community/comment.ts';
import { likePost, unlikePost } from '../../src/community/like.ts';
import { countUnread, markRead, notificationsOf } from '../../src/community/notification.ts';
import type { View } from '../../src/community/view.ts';
import { isCrawler, openViews } from '../../src/community/view.ts';
import { DAY, HOUR, MINUTE, siteDayOf } from '../../src/lib/clock.ts';
import { NEW_YEAR, openForum } from './forum.ts';

type Forum = Awaited<ReturnType<typeof openForum>>;

async function commented({ community }: Forum, userId: number, postId: number): Promise<number> {
  const result = await comment(community, userId, postId, 'True.');
  assert.ok(result !== undefined && 'id' in result);
  return result.id;
}

test('A comment earns 2 points and a like 1, and removing or unliking takes them back', async (t) => {
  const forum = await openForum(t);
  const { community, alice, bob } = forum;
  const postId = await forum.bobWrites('published');
  const points = async () => [await forum.xpOf(alice), await forum.xpOf(bob)];

  const id = await commented(forum, alice, postId);
  await likePost(community, alice, postId);
  const earned = await points();
  const others = await removeComment(community, bob, id);
  await removeComment(community, alice, id);
  await unlikePost(community, alice, postId);

  assert.deepEqual(earned, [2, 11]);
  assert.equal(others, false);
  assert.deepEqual(await points(), [0, 10]);
});

test('Spaces around a comment are dropped, and nothing else makes no comment', async (t) => {
  const forum = await openForum(t);
  const { community, alice } = forum;
  const postId = await forum.bobWrites('published');

  await comment(community, alice, postId, '\n  True.\n\n');
  const nothing = await comment(community, alice, postId, ' \n\t ');

  assert.deepEqual(nothing, { problem: 'missing' });
  const { threads } = await threadsOf(community, postId, 0);
  assert.deepEqual(
    threads.map(({ top }) => top.body),
    ['True.'],
  );
});

test('A comment has 5,000 characters at most, written, answered or changed', async (t) => {
  const forum = await openForum(t);
  const { community, alice } = forum;
  const postId = await forum.bobWrites('published');
  const id = await commented(forum, alice, postId);
  const [most, more] = ['拱'.repeat(5_000), '拱'.repeat(5_001)];

  const tooLong = { problem: 'too_long' };
  assert.deepEqual(await comment(community, alice, postId, more), tooLong);
  assert.deepEqual(await reply(community, alice, id, more), tooLong);
  assert.deepEqual(await editComment(community, alice, id, more), tooLong);
  assert.deepEqual(await editComment(community, alice, id, most), { id });
});

test('30 comments an hour, answers among them, are one member’s; the hour begins with the first', async (t) => {
  const forum = await openForum(t);
  const { community, alice, bob } = forum;
  const postId = await forum.bobWrites('published');
  const id = await commented(forum, alice, postId);
  forum.setClock(20 * MINUTE);
  for (let count = 1; count < 30; count += 1) await reply(community, alice, id, 'Again.');

  const refused = await reply(community, alice, id, 'Again.');
  const bobs = await comment(community, bob, postId, 'I may.');
  forum.setClock(HOUR);
  const later = await comment(community, alice, postId, 'Again.');

  assert.deepEqual(refused, { retryAfterSeconds: 40 * 60 });
  assert.ok(bobs !== undefined && 'id' in bobs);
  assert.ok(later !== undefined && 'id' in later);
});

test('What is not taken is not counted against the hour', async (t) => {
  const forum = await openForum(t);
  const { community, alice } = forum;
  const postId = await forum.bobWrites('published');

  for (let count = 0; count < 40; count += 1) await comment(community, alice, postId, '');

  assert.ok('id' in ((await comment(community, alice, postId, 'True.')) ?? {}));
});

test('What came after a member looked stays unread', async (t) => {
  const forum = await openForum(t);
  const { community, alice, bob } = forum;
  const postId = await forum.bobWrites('published');
  await commented(forum, alice, postId);
  const [seen] = (await notificationsOf(community, bob)).items;
  await likePost(community, alice, postId);

  await markRead(community, bob, seen?.id ?? 0);

  assert.equal(await countUnread(community, bob), 1);
});

/** Views over a store that only remembers. `fail` lets so many turns fail. */
async function openCounting(forum: Forum, fail = 0) {
  const batches: View[][] = [];
  const failures: unknown[] = [];
  let left = fail;
  const writes = {
    ...forum.community.writes,
    async countViews(views: readonly View[]) {
      left -= 1;
      if (left >= 0) throw new Error('away');
      batches.push([...views]);
    },
  };
  const views = openViews(
    { ...forum.community, writes },
    async () => 'secret',
    (error) => failures.push(error),
  );
  return { views, batches, failures };
}

test('Views wait in memory, the same one once, and are written in one turn', async (t) => {
  const forum = await openForum(t);
  const { views, batches } = await openCounting(forum);

  for (let count = 0; count < 3; count += 1) {
    views.note(1, { userId: forum.alice });
    views.note(1, { address: '192.0.2.1', userAgent: 'Firefox' });
  }
  views.note(2, { userId: forum.alice });
  const before = batches.length;
  await Promise.all([views.flush(), views.flush()]);
  await views.close();

  assert.equal(before, 0);
  assert.deepEqual(
    batches.map((turn) => turn.map(({ postId, day }) => [postId, day])),
    [[1, 1, 2].map((postId) => [postId, siteDayOf(NEW_YEAR)])],
  );
  assert.equal(new Set(batches[0]?.map(({ visitor }) => visitor)).size, 2);
});

test('A turn that could not be written is tried again; what is noted after closing is not taken', async (t) => {
  const forum = await openForum(t);
  const { views, batches, failures } = await openCounting(forum, 1);

  views.note(1, { userId: forum.alice });
  await views.flush();
  views.note(2, { userId: forum.alice });
  await views.close();
  views.note(3, { userId: forum.alice });
  await views.flush();

  assert.equal(failures.length, 1);
  assert.deepEqual(
    batches.map((turn) => turn.map(({ postId }) => postId)),
    [[1, 2]],
  );
});

test('So many views wait and no more', async (t) => {
  const forum = await openForum(t);
  const { views, batches } = await openCounting(forum);

  for (let userId = 0; userId < 25_000; userId += 1) views.note(1, { userId });
  await views.close();

  assert.equal(batches[0]?.length, 20_000);
});

test('The same visitor is another digest on another day', async (t) => {
  const forum = await openForum(t);
  const { views, batches } = await openCounting(forum);

  views.note(1, { userId: forum.alice });
  forum.setClock(DAY);
  views.note(1, { userId: forum.alice });
  await views.close();

  const [today, tomorrow] = batches[0] ?? [];
  assert.notEqual(today?.visitor, tomorrow?.visitor);
  assert.equal(today?.visitor.length, 22);
});

test('Crawlers are known by what they call themselves', () => {
  for (const name of ['Googlebot/2.1', 'Baiduspider', 'ia_archiver crawler'])
    assert.ok(isCrawler(name), name);
  assert.ok(!isCrawler('Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0'));
});
