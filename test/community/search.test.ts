// The bounds of the search: the words of a post in the index, and the words of a query.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { likePost } from '../../src/community/like.ts';
import { removePost, restorePost } from '../../src/community/post.ts';
import { type Search, searchPosts, wordsOfPost } from '../../src/community/search.ts';
import type { PostQuery } from '../../src/community/search-store.ts';
import { publish, save } from '../../src/community/writing.ts';
import { openForum } from './forum.ts';

/** Return the phrases that the search asks storage for. */
async function phrasesAskedFor(
  query: string,
  { community }: Awaited<ReturnType<typeof openForum>>,
): Promise<string[]> {
  const asked: string[] = [];
  const reads = {
    ...community.reads,
    async postIdsWith({ phrases }: PostQuery) {
      asked.push(...phrases.map((words) => words.join(' ')));
      return { ids: [], count: 0, searchedFrom: 1 };
    },
  };
  await searchPosts({ ...community, reads }, { text: query, order: 'new' });
  return asked;
}

test('the index has at most 10,000 words of a post, also of signs that stand for several words', () => {
  assert.equal(wordsOfPost('Rye', '面'.repeat(20_000)).split(' ').length, 10_000);
  assert.equal(wordsOfPost('Rye', '㌖'.repeat(20_000)).split(' ').length, 10_000);
  assert.equal(wordsOfPost('Rye', '面包').split(' ').length, 3);
});

test('a search is for at most 12 words, and a phrase has at most 8', async (t) => {
  const forum = await openForum(t);
  const letters = [...'abcdefghijklmnop'];

  assert.deepEqual(await phrasesAskedFor(letters.join(' '), forum), letters.slice(0, 12));
  assert.deepEqual(await phrasesAskedFor('天地玄黄宇宙洪荒日月盈昃辰宿列张', forum), [
    '天 地 玄 黄 宇 宙 洪 荒',
    '日 月 盈 昃',
  ]);
  assert.deepEqual(await phrasesAskedFor('天地玄黄 宇宙洪荒 日月盈昃 辰宿列张', forum), [
    '天 地 玄 黄',
    '宇 宙 洪 荒',
    '日 月 盈 昃',
  ]);
  assert.deepEqual(await phrasesAskedFor('㌖㌖㌖㌖', forum), ['キ ロ メ ー ト ル キ ロ', 'メ ー ト ル']);
  assert.deepEqual(await phrasesAskedFor('…', forum), []);
});

test('a sentence without spaces finds the post that contains it', async (t) => {
  const { community, bobWrites } = await openForum(t);
  const sentence = '天地玄黄宇宙洪荒日月盈昃辰宿列张';
  await bobWrites('published', { title: 'Thousand', body: `千字文：${sentence}。` });
  await bobWrites('published', { title: 'Other', body: '日月盈昃，天地玄黄' });

  const result = await searchPosts(community, { text: sentence, order: 'new' });

  assert.deepEqual(
    result?.posts.map(({ title }) => title),
    ['Thousand'],
  );
});

test('a post is found from its publication on, not while it is removed, and again when it is restored', async (t) => {
  const { community, bob, bobWrites, as } = await openForum(t);
  const id = await bobWrites('draft', { title: 'On domes' });
  const isFound = async (query: string) =>
    (await searchPosts(community, { text: query, order: 'new' }))?.count === 1;
  const text = { title: 'On vaults', body: 'Round.', categoryId: 1 };

  const asDraft = await isFound('domes');
  await publish(as(bob), community, id);
  const published = await isFound('domes');
  await save(as(bob), community, { id, status: 'published' }, { text, version: undefined });
  const edited = [await isFound('domes'), await isFound('vaults')];
  await removePost(as(bob), community, id);
  const removed = await isFound('vaults');
  await restorePost(as(bob), community, id);

  assert.deepEqual([asDraft, published, edited, removed], [false, true, [false, true], false]);
  assert.equal(await isFound('vaults'), true);
});

/** The titles of the posts that a search finds, and what it says of them. */
async function found({ community }: Awaited<ReturnType<typeof openForum>>, search: Partial<Search>) {
  const result = await searchPosts(community, { text: 'bread', order: 'new', ...search });
  const { posts = [], count, isCountCut, isCompleted, next } = result ?? {};
  return { titles: posts.map(({ title }) => title), count, isCountCut, isCompleted, next };
}

test('a beginning of three letters stands for the words that begin with it, if few posts have it as a word', async (t) => {
  const forum = await openForum(t);
  await forum.bobWrites('published', { title: 'Bread' });
  await forum.bobWrites('published', { title: 'Breakfast' });
  await forum.bobWrites('published', { title: '面包' });
  const titlesOf = async (text: string) => (await found(forum, { text })).titles;

  assert.deepEqual(await titlesOf('brea'), ['Breakfast', 'Bread']);
  assert.deepEqual(await titlesOf('arch brea'), ['Breakfast', 'Bread']);
  assert.deepEqual(await titlesOf('br'), []);
  assert.deepEqual(await titlesOf('brea arch'), []);
  assert.deepEqual(await titlesOf('面'), ['面包']);
  for (let number = 1; number <= 20; number += 1)
    await forum.bobWrites('published', { title: `Brea ${number}` });
  const { isCompleted, count } = await found(forum, { text: 'brea' });
  assert.deepEqual([isCompleted, count], [false, 20]);
});

test('a beginning of fewer letters is not completed, even if that is asked for', async (t) => {
  const forum = await openForum(t);
  await forum.bobWrites('published', { title: 'Bread' });
  await forum.bobWrites('published', { title: 'B' });
  const begun = async (text: string) => {
    const { titles, isCompleted } = await found(forum, { text, isCompleted: true });
    return [titles, isCompleted];
  };

  assert.deepEqual(await begun('b'), [['B'], false]);
  assert.deepEqual(await begun('br'), [[], false]);
  assert.deepEqual(await begun('bre'), [['Bread'], true]);
});

test('the results continue where the page ends, and are counted on the first page only', async (t) => {
  const forum = await openForum(t);
  for (let number = 1; number <= 45; number += 1)
    await forum.bobWrites('published', { title: `Bread ${number}` });

  const first = await found(forum, {});
  const second = await found(forum, { below: first.next });
  const third = await found(forum, { below: second.next });

  assert.deepEqual([first.count, first.isCountCut, second.count], [45, false, undefined]);
  assert.deepEqual(
    [first.titles[0], second.titles[0], third.titles.at(-1)],
    ['Bread 45', 'Bread 25', 'Bread 1'],
  );
  assert.equal(third.next, undefined);
});

test('more than a hundred posts are not counted, but as many are sorted by popularity', async (t) => {
  const forum = await openForum(t);
  const counted = async (search: Partial<Search> = {}) => {
    const result = await searchPosts(forum.community, { text: 'bread', order: 'new', ...search });
    return [result?.count, result?.isCountFull];
  };
  for (let number = 1; number <= 100; number += 1)
    await forum.bobWrites('published', { title: `Bread ${number}` });
  const exactly = await counted();
  await forum.bobWrites('published', { title: 'Bread again' });

  assert.deepEqual(exactly, [100, false]);
  assert.deepEqual(await counted(), [100, true]);
  assert.deepEqual(await counted({ authorId: forum.bob }), [100, true]);
  assert.deepEqual(await counted({ order: 'popular' }), [101, false]);
});

test('a search is limited to an author, a category or a language, and sorted by popularity', async (t) => {
  const forum = await openForum(t);
  const { community, alice, bob, as } = forum;
  const craft = await community.writes.ensureCategory({ kind: 'server', at: 0 }, 'craft', 'Craft', 100);
  const old = await forum.bobWrites('published', { title: 'Old bread' });
  await forum.bobWrites('published', { title: 'Craft bread', categoryId: craft?.id ?? 0 });
  await forum.bobWrites('published', { title: 'Bread 面包', body: '面包很好吃。' });
  await likePost(as(alice), community, old);

  assert.deepEqual((await found(forum, { authorId: bob })).titles, [
    'Bread 面包',
    'Craft bread',
    'Old bread',
  ]);
  assert.deepEqual((await found(forum, { authorId: alice })).titles, []);
  assert.deepEqual((await found(forum, { categoryId: craft?.id ?? 0 })).titles, ['Craft bread']);
  assert.deepEqual((await found(forum, { language: 'zh' })).titles, ['Bread 面包']);
  assert.equal((await found(forum, { order: 'popular' })).titles[0], 'Old bread');
});
