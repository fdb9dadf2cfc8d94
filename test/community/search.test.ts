// The bounds of the search: the words of a post in the index, and the words of a query.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { removePost, restorePost } from '../../src/community/post.ts';
import { searchPosts, wordsOfPost } from '../../src/community/search.ts';
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
    async postsWith(phrases: readonly (readonly string[])[]) {
      asked.push(...phrases.map((words) => words.join(' ')));
      return [];
    },
  };
  await searchPosts({ ...community, reads }, query, 5);
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

  const posts = await searchPosts(community, sentence, 5);

  assert.deepEqual(
    posts.map(({ title }) => title),
    ['Thousand'],
  );
});

test('a post is found from its publication on, not while it is removed, and again when it is restored', async (t) => {
  const { community, bob, bobWrites, as } = await openForum(t);
  const id = await bobWrites('draft', { title: 'On domes' });
  const isFound = async (query: string) => (await searchPosts(community, query, 5)).length === 1;
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
