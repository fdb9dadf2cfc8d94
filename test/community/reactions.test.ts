// Comments, likes and views by their rules, on a database in memory.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comment, editComment, removeComment, reply } from '../../src/community/comment.ts';
import { likePost, unlikePost } from '../../src/community/like.ts';
import { countUnread, markRead, notificationsOf } from '../../src/community/notification.ts';
import { threadsOf } from '../../src/community/thread.ts';
import { isCrawler, openViews } from '../../src/community/view.ts';
import type { View } from '../../src/community/view-store.ts';
import { save } from '../../src/community/writing.ts';
import { DAY, HOUR, MINUTE, siteDayOf } from '../../src/lib/clock.ts';
import { NEW_YEAR, openForum, text } from './forum.ts';

type Forum = Awaited<ReturnType<typeof openForum>>;

async function addComment({ community, as }: Forum, userId: number, postId: number): Promise<number> {
  const result = await comment(as(userId), community, postId, 'True.');
  assert.ok(result !== undefined && 'id' in result);
  return result.id;
}

test('A comment earns 2 points and a like 1, and removing or unliking takes them back', async (t) => {
  const forum = await openForum(t);
  const { community, alice, bob, as } = forum;
  const postId = await forum.bobWrites('published');
  const points = async () => [await forum.xpOf(alice), await forum.xpOf(bob)];

  const id = await addComment(forum, alice, postId);
  await likePost(as(alice), community, postId);
  const earned = await points();
  const others = await removeComment(as(bob), community, id);
  await removeComment(as(alice), community, id);
  await unlikePost(as(alice), community, postId);

  assert.deepEqual(earned, [2, 11]);
  assert.equal(others, false);
  assert.deepEqual(await points(), [0, 10]);
});

test('A member can take back 200 likes an hour', async (t) => {
  const { community, alice, bobWrites, as } = await openForum(t);
  const postId = await bobWrites('published');

  for (let time = 0; time < 200; time += 1) {
    assert.equal(await unlikePost(as(alice), community, postId), undefined);
  }

  assert.ok((await unlikePost(as(alice), community, postId)) !== undefined);
});

test('Spaces around a comment are dropped, and a comment of spaces alone is refused', async (t) => {
  const forum = await openForum(t);
  const { community, alice, as } = forum;
  const postId = await forum.bobWrites('published');

  await comment(as(alice), community, postId, '\n  True.\n\n');
  const nothing = await comment(as(alice), community, postId, ' \n\t ');

  assert.deepEqual(nothing, { problem: 'missing' });
  const { threads } = await threadsOf(community, postId, 0);
  assert.deepEqual(
    threads.map(({ top }) => top.body),
    ['True.'],
  );
});

test('A comment has 5,000 characters at most, also as a reply or after an edit', async (t) => {
  const forum = await openForum(t);
  const { community, alice, as } = forum;
  const postId = await forum.bobWrites('published');
  const id = await addComment(forum, alice, postId);
  const [most, more] = ['拱'.repeat(5_000), '拱'.repeat(5_001)];

  const tooLong = { problem: 'too_long' };
  assert.deepEqual(await comment(as(alice), community, postId, more), tooLong);
  assert.deepEqual(await reply(as(alice), community, id, more), tooLong);
  assert.deepEqual(await editComment(as(alice), community, id, more), tooLong);
  assert.deepEqual(await editComment(as(alice), community, id, most), { id });
});

test('A member can write 30 comments and replies an hour; the hour begins with the first', async (t) => {
  const forum = await openForum(t);
  const { community, alice, bob, as } = forum;
  const postId = await forum.bobWrites('published');
  const id = await addComment(forum, alice, postId);
  forum.setClock(20 * MINUTE);
  for (let count = 1; count < 30; count += 1) await reply(as(alice), community, id, 'Again.');

  const refused = await reply(as(alice), community, id, 'Again.');
  const bobs = await comment(as(bob), community, postId, 'I may.');
  forum.setClock(HOUR);
  const later = await comment(as(alice), community, postId, 'Again.');

  assert.deepEqual(refused, { retryAfterSeconds: 40 * 60 });
  assert.ok(bobs !== undefined && 'id' in bobs);
  assert.ok(later !== undefined && 'id' in later);
});

test('A refused comment is not counted', async (t) => {
  const forum = await openForum(t);
  const { community, alice, as } = forum;
  const postId = await forum.bobWrites('published');

  for (let count = 0; count < 40; count += 1) await comment(as(alice), community, postId, '');

  assert.ok('id' in ((await comment(as(alice), community, postId, 'True.')) ?? {}));
});

test('A notification that came after the page was read stays unread', async (t) => {
  const forum = await openForum(t);
  const { community, alice, bob, as } = forum;
  const postId = await forum.bobWrites('published');
  await addComment(forum, alice, postId);
  const [notification] = (await notificationsOf(community, bob)).items;
  await likePost(as(alice), community, postId);

  await markRead(as(bob), community, notification?.id ?? 0);

  assert.equal(await countUnread(community, bob), 1);
});

/** Open views over a store that only records batches. The first `fail` batches fail. */
async function openRecordedViews(forum: Forum, fail = 0) {
  const batches: View[][] = [];
  const failures: unknown[] = [];
  let failuresLeft = fail;
  const writes = {
    ...forum.community.writes,
    async countViews(views: readonly View[]) {
      failuresLeft -= 1;
      if (failuresLeft >= 0) throw new Error('away');
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

test('Views wait in memory, without duplicates, and are written in one batch', async (t) => {
  const forum = await openForum(t);
  const { views, batches } = await openRecordedViews(forum);

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
    batches.map((batch) => batch.map(({ postId, day }) => [postId, day])),
    [[1, 1, 2].map((postId) => [postId, siteDayOf(NEW_YEAR)])],
  );
  assert.equal(new Set(batches[0]?.map(({ visitor }) => visitor)).size, 2);
});

test('However many user agents an address sends, it counts as at most five visitors of a post per day', async (t) => {
  const { views, batches } = await openRecordedViews(await openForum(t));

  for (let sent = 0; sent < 300; sent += 1) {
    views.note(1, { address: '192.0.2.1', userAgent: `Browser/${sent}` });
  }
  views.note(1, { address: '192.0.2.2', userAgent: 'Browser/0' });
  await views.close();

  assert.equal(batches.flat().length, 6);
});

test('However many addresses an IPv6 network of /48 has, it counts as at most 20 visitors of a post per day', async (t) => {
  const { views, batches } = await openRecordedViews(await openForum(t));

  for (let sent = 0; sent < 300; sent += 1) {
    views.note(1, { address: `2001:db8:1:${sent.toString(16)}::/64`, userAgent: 'Firefox' });
  }
  views.note(1, { address: '2001:db8:2::/64', userAgent: 'Firefox' });
  await views.close();

  assert.equal(batches.flat().length, 21);
});

test('Changes are limited: beyond 60 edits an hour of posts and comments together, nothing is overwritten', async (t) => {
  const forum = await openForum(t);
  const { community, bob, as } = forum;
  const postId = await forum.bobWrites('published');
  const commentId = await addComment(forum, bob, postId);
  const post = { id: postId, status: 'published' } as const;
  const saveEdit = (body: string) =>
    save(as(bob), community, post, { text: text({ body }), version: undefined });

  for (let count = 0; count < 30; count += 1) {
    assert.ok('id' in ((await saveEdit(`Version ${count}`)) ?? {}));
    assert.ok('id' in ((await editComment(as(bob), community, commentId, `Version ${count}`)) ?? {}));
  }
  const refusals = [await saveEdit('Beyond'), await editComment(as(bob), community, commentId, 'Beyond')];

  assert.deepEqual(refusals, Array(2).fill({ retryAfterSeconds: 3600 }));
  assert.equal((await community.reads.findPost(postId))?.body, 'Version 29');
  assert.equal((await community.reads.findComment(commentId))?.body, 'Version 29');
});

test('A batch that could not be written is retried; views after closing are ignored', async (t) => {
  const forum = await openForum(t);
  const { views, batches, failures } = await openRecordedViews(forum, 1);

  views.note(1, { userId: forum.alice });
  await views.flush();
  views.note(2, { userId: forum.alice });
  await views.close();
  views.note(3, { userId: forum.alice });
  await views.flush();

  assert.equal(failures.length, 1);
  assert.deepEqual(
    batches.map((batch) => batch.map(({ postId }) => postId)),
    [[1, 2]],
  );
});

test('At most 20,000 views wait', async (t) => {
  const forum = await openForum(t);
  const { views, batches } = await openRecordedViews(forum);

  for (let userId = 0; userId < 25_000; userId += 1) views.note(1, { userId });
  await views.close();

  assert.equal(batches[0]?.length, 20_000);
});

test('A visitor has another digest on another day', async (t) => {
  const forum = await openForum(t);
  const { views, batches } = await openRecordedViews(forum);

  views.note(1, { userId: forum.alice });
  forum.setClock(DAY);
  views.note(1, { userId: forum.alice });
  await views.close();

  const [today, tomorrow] = batches[0] ?? [];
  assert.notEqual(today?.visitor, tomorrow?.visitor);
  assert.equal(today?.visitor.length, 22);
});

test('Crawlers are recognised by their user agent', () => {
  for (const name of ['Googlebot/2.1', 'Baiduspider', 'ia_archiver crawler'])
    assert.ok(isCrawler(name), name);
  assert.ok(!isCrawler('Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0'));
});
