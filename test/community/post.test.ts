// The life of a post: draft → published → removed (contract §9).

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  postFor,
  publishedPostsOf,
  removedPostsOf,
  removePost,
  restorePost,
} from '../../src/community/post.ts';
import type { PostProblems, PostText } from '../../src/community/post-text.ts';
import { publish, save, write } from '../../src/community/writing.ts';
import { DAY, HOUR } from '../../src/lib/clock.ts';
import { NEW_YEAR, openForum, text } from './forum.ts';

describe('a draft', () => {
  test('is seen by its author alone', async (t) => {
    const { community, alice, bob, bobWrites } = await openForum(t);

    const id = await bobWrites('draft');

    assert.equal((await postFor(community, bob, id))?.title, 'On arches');
    assert.equal(await postFor(community, alice, id), undefined);
    assert.equal(await postFor(community, undefined, id), undefined);
    assert.deepEqual(await publishedPostsOf(community, bob, 0, 20), { items: [], total: 0 });
  });

  test('is published by its author alone, once, and earns 10 points then', async (t) => {
    const { community, alice, bob, bobWrites, setClock, xpOf, as } = await openForum(t);
    const id = await bobWrites('draft');
    setClock(HOUR);

    const byAlice = await publish(as(alice), community, id);
    const before = await xpOf(bob);
    const byBob = await publish(as(bob), community, id);
    const again = await publish(as(bob), community, id);

    assert.deepEqual([byAlice, byBob, again], [undefined, { id }, undefined]);
    assert.deepEqual([before, await xpOf(bob), await xpOf(alice)], [0, 10, 0]);
    const post = await postFor(community, undefined, id);
    assert.equal(post?.createdAt, NEW_YEAR);
    assert.equal(post?.publishedAt, NEW_YEAR + HOUR);
  });

  test('that is removed had earned no points', async (t) => {
    const { community, bob, bobWrites, xpOf, as } = await openForum(t);
    await bobWrites('published');
    const id = await bobWrites('draft');

    const removed = await removePost(as(bob), community, id);

    assert.equal(removed, true);
    assert.equal(await postFor(community, bob, id), undefined);
    assert.equal(await xpOf(bob), 10);
  });
});

describe('a published post', () => {
  test('is seen by everyone and earns its author 10 points', async (t) => {
    const { community, alice, bob, bobWrites, xpOf } = await openForum(t);

    const id = await bobWrites('published');

    for (const visitor of [undefined, alice, bob]) {
      assert.equal((await postFor(community, visitor, id))?.title, 'On arches');
    }
    assert.equal(await xpOf(bob), 10);
  });

  test('has the beginning of its text as a plain-text excerpt', async (t) => {
    const { community, bobWrites } = await openForum(t);

    const id = await bobWrites('published', { body: '# Arches\n\nAn arch *never* sleeps.' });

    assert.equal((await postFor(community, undefined, id))?.excerpt, 'An arch never sleeps.');
  });

  test('is edited by its author alone, and its excerpt with it', async (t) => {
    const { community, alice, bob, bobWrites, setClock, as } = await openForum(t);
    const id = await bobWrites('published');
    setClock(HOUR);

    const published = { id, status: 'published' } as const;
    const mine = { text: text({ title: 'Mine', body: 'Mine' }), version: undefined };
    const domes = { text: text({ title: ' On domes ', body: '**Round.**' }), version: undefined };
    const byAlice = await save(as(alice), community, published, mine);
    const byBob = await save(as(bob), community, published, domes);

    const post = await postFor(community, undefined, id);
    assert.equal(byAlice, undefined);
    assert.deepEqual(byBob, { id, version: NEW_YEAR + HOUR });
    assert.equal(post?.title, 'On domes');
    assert.equal(post?.excerpt, 'Round.');
    assert.equal(post?.updatedAt, NEW_YEAR + HOUR);
    assert.equal(post?.publishedAt, NEW_YEAR);
  });

  test('that was removed can be restored by its author for 30 days, and earns its points again', async (t) => {
    const { community, alice, bob, bobWrites, setClock, xpOf, as } = await openForum(t);
    const [early, late] = [await bobWrites('published'), await bobWrites('published')];
    for (const id of [early, late]) await removePost(as(bob), community, id);

    setClock(30 * DAY - 1);
    const byAlice = await restorePost(as(alice), community, early);
    const removedPosts = await removedPostsOf(community, bob);
    const byBob = await restorePost(as(bob), community, early);
    setClock(30 * DAY);
    const tooLate = await restorePost(as(bob), community, late);

    assert.deepEqual([byAlice, byBob, tooLate], [false, true, false]);
    assert.deepEqual(
      removedPosts.map(({ id }) => id),
      [late, early],
    );
    assert.deepEqual(await removedPostsOf(community, bob), []);
    assert.equal((await postFor(community, undefined, early))?.publishedAt, NEW_YEAR);
    assert.equal(await xpOf(bob), 10);
  });

  test('that is removed can be seen by no one, and its points are taken back', async (t) => {
    const { community, alice, bob, bobWrites, xpOf, as } = await openForum(t);
    const id = await bobWrites('published');

    const byAlice = await removePost(as(alice), community, id);
    const byBob = await removePost(as(bob), community, id);
    const again = await removePost(as(bob), community, id);

    assert.deepEqual([byAlice, byBob, again], [false, true, false]);
    for (const visitor of [undefined, alice, bob]) {
      assert.equal(await postFor(community, visitor, id), undefined);
    }
    assert.deepEqual(await publishedPostsOf(community, bob, 0, 20), { items: [], total: 0 });
    assert.equal(await publish(as(bob), community, id), undefined);
    const edit = { text: text(), version: undefined };
    assert.equal(await save(as(bob), community, { id, status: 'published' }, edit), undefined);
    assert.equal(await xpOf(bob), 0);
  });
});

describe('a member’s published posts', () => {
  test('come in pages, newest first, ties by id', async (t) => {
    const { community, bob, bobWrites, setClock } = await openForum(t);
    for (const [title, hour] of [
      ['first', 0],
      ['tied', 1],
      ['later', 2],
      ['tied too', 1],
      ['last', 3],
    ] as const) {
      setClock(hour * HOUR);
      await bobWrites('published', { title });
    }

    const pages = [];
    for (const page of [0, 1, 2]) pages.push(await publishedPostsOf(community, bob, page, 2));

    assert.deepEqual(
      pages.map(({ items }) => items.map(({ title }) => title)),
      [['last', 'later'], ['tied too', 'tied'], ['first']],
    );
    assert.deepEqual(
      pages.map(({ total }) => total),
      [5, 5, 5],
    );
  });

  test('are listed without their text', async (t) => {
    const { community, bob, bobWrites } = await openForum(t);
    await bobWrites('published');

    const { items } = await publishedPostsOf(community, bob, 0, 20);

    assert.equal(items.length, 1);
    assert.ok(items[0] !== undefined && !('body' in items[0]));
  });
});

describe('a text', () => {
  const cases: [title: string, more: Partial<PostText>, problems: PostProblems | undefined][] = [
    ['with a title of 120 characters is accepted', { title: '題'.repeat(120) }, undefined],
    ['with a title of 121 is refused', { title: '題'.repeat(121) }, { title: 'too_long' }],
    [
      'with a title of 120 characters of two UTF-16 units is accepted',
      { title: '🙂'.repeat(120) },
      undefined,
    ],
    ['without a title is refused', { title: ' \u3000 ' }, { title: 'missing' }],
    ['with an invisible title is refused', { title: '\u3164' }, { title: 'hidden_characters' }],
    ['with a title of joiners is refused', { title: '\u200D' }, { title: 'hidden_characters' }],
    ['with a title of two lines is refused', { title: 'one\ntwo' }, { title: 'hidden_characters' }],
    ['without a body is refused', { body: ' \n ' }, { body: 'missing' }],
    ['of 100 000 characters is accepted', { body: 'x'.repeat(100_000) }, undefined],
    ['of 100 001 is refused', { body: 'x'.repeat(100_001) }, { body: 'too_long' }],
    ['in an unknown category is refused', { categoryId: 99 }, { category: 'unknown' }],
    [
      'is refused with all its problems at once',
      { title: '', body: '', categoryId: 99 },
      { title: 'missing', body: 'missing', category: 'unknown' },
    ],
  ];
  for (const [title, more, problems] of cases) {
    test(`${title}`, async (t) => {
      const { community, bob, as } = await openForum(t);

      const writing = { authorId: bob, text: text(more), status: 'published' } as const;
      const post = await write(as(bob), community, writing);

      assert.deepEqual('problems' in post ? post.problems : undefined, problems);
    });
  }

  test('that is refused changes nothing when a post is edited', async (t) => {
    const { community, bob, bobWrites, as } = await openForum(t);
    const id = await bobWrites('published');

    const edit = { text: text({ title: '' }), version: undefined };
    const edited = await save(as(bob), community, { id, status: 'published' }, edit);

    assert.deepEqual(edited, { problems: { title: 'missing' } });
    assert.equal((await postFor(community, undefined, id))?.title, 'On arches');
  });
});

test('restoring another member’s post, or one that is not removed, computes nothing', async (t) => {
  const { community, alice, bob, bobWrites, as } = await openForum(t);
  const id = await bobWrites('published', { body: '\ufdfa'.repeat(20_000) });
  const start = process.threadCpuUsage();

  const refused = [await restorePost(as(alice), community, id), await restorePost(as(bob), community, id)];

  const { user } = process.threadCpuUsage(start);
  assert.deepEqual(refused, [false, false]);
  assert.ok(user < 15_000, `${user} µs`);
});

test('a member can restore 60 posts an hour, with the edits', async (t) => {
  const { community, bob, bobWrites, setClock, as } = await openForum(t);
  const id = await bobWrites('published');
  const restoreAgain = async () => {
    await removePost(as(bob), community, id);
    return restorePost(as(bob), community, id);
  };
  for (let count = 0; count < 60; count += 1) assert.equal(await restoreAgain(), true);

  assert.deepEqual(await restoreAgain(), { retryAfterSeconds: 3600 });
  setClock(HOUR);
  assert.equal(await restoreAgain(), true);
});
