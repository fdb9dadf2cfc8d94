// The life of a post: draft → published → removed (contract §9).

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  editPost,
  type PostProblems,
  type PostText,
  postFor,
  publishDraft,
  publishedPostsOf,
  removedPostsOf,
  removePost,
  restorePost,
  writePost,
} from '../../src/community/post.ts';
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
    const { community, alice, bob, bobWrites, setClock, xpOf } = await openForum(t);
    const id = await bobWrites('draft');
    setClock(HOUR);

    const byAlice = await publishDraft(community, alice, id);
    const before = await xpOf(bob);
    const byBob = await publishDraft(community, bob, id);
    const again = await publishDraft(community, bob, id);

    assert.deepEqual([byAlice, byBob, again], [false, true, false]);
    assert.deepEqual([before, await xpOf(bob), await xpOf(alice)], [0, 10, 0]);
    const post = await postFor(community, undefined, id);
    assert.equal(post?.createdAt, NEW_YEAR);
    assert.equal(post?.publishedAt, NEW_YEAR + HOUR);
  });

  test('that is removed was worth nothing', async (t) => {
    const { community, bob, bobWrites, xpOf } = await openForum(t);
    await bobWrites('published');
    const id = await bobWrites('draft');

    const removed = await removePost(community, bob, id);

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

  test('carries the beginning of its text as plain text', async (t) => {
    const { community, bobWrites } = await openForum(t);

    const id = await bobWrites('published', { body: '# Arches\n\nAn arch *never* sleeps.' });

    assert.equal((await postFor(community, undefined, id))?.excerpt, 'Arches An arch never sleeps.');
  });

  test('is edited by its author alone, and its excerpt with it', async (t) => {
    const { community, alice, bob, bobWrites, setClock } = await openForum(t);
    const id = await bobWrites('published');
    setClock(HOUR);

    const byAlice = await editPost(community, alice, id, text({ title: 'Mine', body: 'Mine' }));
    const byBob = await editPost(community, bob, id, text({ title: ' On domes ', body: '**Round.**' }));

    const post = await postFor(community, undefined, id);
    assert.equal(byAlice, undefined);
    assert.deepEqual(byBob, { id });
    assert.equal(post?.title, 'On domes');
    assert.equal(post?.excerpt, 'Round.');
    assert.equal(post?.updatedAt, NEW_YEAR + HOUR);
    assert.equal(post?.publishedAt, NEW_YEAR);
  });

  test('that was removed can be restored by its author for 30 days, and earns its points again', async (t) => {
    const { community, alice, bob, bobWrites, setClock, xpOf } = await openForum(t);
    const [early, late] = [await bobWrites('published'), await bobWrites('published')];
    for (const id of [early, late]) await removePost(community, bob, id);

    setClock(30 * DAY - 1);
    const byAlice = await restorePost(community, alice, early);
    const listed = await removedPostsOf(community, bob);
    const byBob = await restorePost(community, bob, early);
    setClock(30 * DAY);
    const tooLate = await restorePost(community, bob, late);

    assert.deepEqual([byAlice, byBob, tooLate], [false, true, false]);
    assert.deepEqual(
      listed.map(({ id }) => id),
      [late, early],
    );
    assert.deepEqual(await removedPostsOf(community, bob), []);
    assert.equal((await postFor(community, undefined, early))?.publishedAt, NEW_YEAR);
    assert.equal(await xpOf(bob), 10);
  });

  test('that is removed is gone from everyone’s sight, with what it earned', async (t) => {
    const { community, alice, bob, bobWrites, xpOf } = await openForum(t);
    const id = await bobWrites('published');

    const byAlice = await removePost(community, alice, id);
    const byBob = await removePost(community, bob, id);
    const again = await removePost(community, bob, id);

    assert.deepEqual([byAlice, byBob, again], [false, true, false]);
    for (const visitor of [undefined, alice, bob]) {
      assert.equal(await postFor(community, visitor, id), undefined);
    }
    assert.deepEqual(await publishedPostsOf(community, bob, 0, 20), { items: [], total: 0 });
    assert.equal(await publishDraft(community, bob, id), false);
    assert.equal(await editPost(community, bob, id, text()), undefined);
    assert.equal(await xpOf(bob), 0);
  });
});

describe('a member’s published posts', () => {
  test('come in pages, newest first, ties by number', async (t) => {
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
    ['with a title of 120 characters is taken', { title: '題'.repeat(120) }, undefined],
    ['with a title of 121 is not', { title: '題'.repeat(121) }, { title: 'too_long' }],
    ['with a title of 120 characters of two UTF-16 units is taken', { title: '🙂'.repeat(120) }, undefined],
    ['without a title is not', { title: ' \u3000 ' }, { title: 'missing' }],
    ['with a title of two lines is not', { title: 'one\ntwo' }, { title: 'hidden_characters' }],
    ['without a body is not', { body: ' \n ' }, { body: 'missing' }],
    ['of 100 000 characters is taken', { body: 'x'.repeat(100_000) }, undefined],
    ['of 100 001 is not', { body: 'x'.repeat(100_001) }, { body: 'too_long' }],
    ['in a category that is not there is not', { categoryId: 99 }, { category: 'unknown' }],
    [
      'is told all its problems at once',
      { title: '', body: '', categoryId: 99 },
      { title: 'missing', body: 'missing', category: 'unknown' },
    ],
  ];
  for (const [title, more, problems] of cases) {
    test(`${title}`, async (t) => {
      const { community, bob } = await openForum(t);

      const post = await writePost(community, bob, text(more), 'published');

      assert.deepEqual('problems' in post ? post.problems : undefined, problems);
    });
  }

  test('that can not be taken changes nothing when a post is edited', async (t) => {
    const { community, bob, bobWrites } = await openForum(t);
    const id = await bobWrites('published');

    const edited = await editPost(community, bob, id, text({ title: '' }));

    assert.deepEqual(edited, { problems: { title: 'missing' } });
    assert.equal((await postFor(community, undefined, id))?.title, 'On arches');
  });
});
