// How long a step of a search may become. It runs in the server's only thread.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { PostQuery } from '../../src/community/search-store.ts';
import { NO_ENTRY } from '../../src/storage/audit/audit-trail.ts';
import { search } from '../../src/storage/community/search.ts';
import { stepsOf } from '../../src/storage/community/search-steps.ts';
import type { Database } from '../../src/storage/engine/database.ts';
import { sql } from '../../src/storage/engine/sql.ts';
import { openMemory } from '../support/databases.ts';
import { openFixture, uncached } from './fixture.ts';

const [OLD, NEW] = [30_000, 12_000];
const MOST_ROWS = 8192;

const insertPosts = sql<{ userId: number; most: number }>`
  WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :most)
  INSERT INTO posts (user_id, title, body, excerpt, category_id, status, created_at, updated_at, published_at)
  SELECT :userId, 'Bread', 'Bread', '', 1, 'published', 1, 1, 1 FROM numbers`;
const insertWords = sql<{ old: number }>`
  INSERT INTO post_words (post_id, words)
  SELECT id, CASE WHEN id <= :old THEN 'bread and rye ก ข ค 的 的 的' ELSE 'other words' END FROM posts`;

async function watchedSearch(t: TestContext) {
  const { database, alice, bob } = await openFixture(uncached(openMemory), t);
  const add = (guard: ReturnType<typeof insertWords>) => database.atomically({ audit: NO_ENTRY, guard });
  await add(insertPosts({ userId: bob, most: OLD + NEW }));
  await add(insertWords({ old: OLD }));
  const lengths: number[] = [];
  const matches: string[] = [];
  const watched: Database = Object.create(database, {
    rows: {
      async value(query: Parameters<Database['rows']>[0]) {
        const rows = await database.rows(query);
        if (typeof query.values.match === 'string') matches.push(query.values.match);
        lengths.push(rows.length);
        return rows;
      },
    },
  });
  return { reads: search(watched), lengths, matches, alice, bob };
}

const bounds = { below: Number.MAX_SAFE_INTEGER, most: 1001, enough: 21 };

test('words that are in many posts, and nowhere together, are looked for in few steps', async (t) => {
  const { reads, lengths } = await watchedSearch(t);

  const found = await reads.postIdsWith({ phrases: [['rye'], ['other']] }, bounds);

  assert.deepEqual(found, { ids: [], count: 0, searchedFrom: 0 });
  assert.ok(lengths.length < 12, `${lengths.length}`);
});

// Otherwise the index would look through all newer posts, however many there are.
test('a search from an older post on looks in few blocks of posts at once', async (t) => {
  const { reads, matches } = await watchedSearch(t);

  const found = await reads.postIdsWith({ phrases: [['rye'], ['other']] }, { ...bounds, below: 20_000 });

  assert.deepEqual(found, { ids: [], count: 0, searchedFrom: 0 });
  assert.ok(matches.length > 0);
  for (const match of matches) {
    const blocks = [...match.matchAll(/"\u{E000}(\d+)"/gu)].map(([, block]) => Number(block));
    const isOneLarge = match.split('"\u{E001}0"').length > 1;
    assert.ok(isOneLarge || (blocks.length > 0 && blocks.length <= 8 && Math.max(...blocks) <= 20), match);
  }
});

test('a phrase is found only where its words are beside each other, whatever block a post is in', async (t) => {
  const { reads } = await watchedSearch(t);
  const search = async (phrases: string[][]) => (await reads.postIdsWith({ phrases }, bounds)).ids;

  assert.deepEqual(await search([['ก', 'ค']]), []);
  assert.deepEqual((await search([['ข', 'ค'], ['bread']])).slice(0, 2), [OLD, OLD - 1]);
});

// In the index, a sign that fills a post has ten thousand places. Comparing those of two phrases takes milliseconds.
test('the index never compares the places of words', async (t) => {
  const { reads, matches } = await watchedSearch(t);

  for (const phrases of [
    [
      ['的', '的', '的', '的'],
      ['的', '的', '的'],
    ],
    [
      ['ก', 'ข'],
      ['ข', 'ค'],
    ],
  ]) {
    assert.equal(
      (await reads.postIdsWith({ phrases }, bounds)).ids[0],
      phrases[0]?.includes('ก') ? OLD : undefined,
    );
    await reads.postIdsWith({ phrases, tagId: 1 }, bounds);
  }

  assert.ok(matches.length > 2);
  for (const match of matches) {
    assert.doesNotMatch(match, /NEAR/);
    for (const [, word] of match.matchAll(/"([^"]*)"/g)) assert.doesNotMatch(word ?? '', / /);
  }
});

// The index would look from each post on for the next match, which can be far away.
test('words that are nowhere together are looked for in few steps among the posts of an author or with a tag', async (t) => {
  const { reads, matches, lengths, bob, alice } = await watchedSearch(t);
  const countSteps = async (more: Partial<PostQuery>) => {
    lengths.length = 0;
    await reads.postIdsWith({ phrases: [['rye'], ['other']], ...more }, bounds);
    return lengths.length;
  };

  assert.ok((await countSteps({ authorId: bob })) < 12);
  // All posts of an author who has few are one step.
  assert.ok((await countSteps({ phrases: [['rye'], ['bread']], authorId: alice })) < 2);
  assert.ok(matches.every((match) => !match.includes(`("\u{E002}${bob}")`)));
});

test('in this process, a step looks for words in few posts of a tag at first, and in fewer while that takes long', async () => {
  const posts = Array.from({ length: 300 }, (_, index) => ({ id: index + 1 }));
  const sizes: number[] = [];
  const taking = (ms: number) => async (ids: readonly number[]) => {
    sizes.push(ids.length);
    for (const until = performance.now() + ms; performance.now() < until; );
    return [...ids];
  };

  const [quick, slow] = [stepsOf(posts, taking(0), true), stepsOf(posts, taking(12), true)];
  let { ids, next } = await quick.read(301, 500, 0, 500);
  while (next > 1) {
    const part = await quick.read(next, 500, 0, 500);
    ids = [...ids, ...part.ids];
    next = part.next;
  }
  const quickSizes = sizes.splice(0);
  for (let step = 0; step < 4; step += 1) await slow.read(301, 500, step, 500);

  assert.deepEqual(ids, posts.map(({ id }) => id).reverse());
  assert.deepEqual(quickSizes.slice(0, 5), [4, 8, 16, 32, 50]);
  assert.deepEqual(sizes, [4, 2, 1, 1]);
});

test('a word that begins no other is not looked for twice', async (t) => {
  const { reads } = await watchedSearch(t);

  assert.deepEqual(
    [
      await reads.canBeBeginning('bread'),
      await reads.canBeBeginning('brea'),
      await reads.canBeBeginning('nowhere'),
    ],
    [false, true, false],
  );
});

for (const phrases of [[['bread']], [['bread'], ['rye']]]) {
  const name = phrases.flat().join(' ');
  test(`a filtered search for “${name}”, which only older posts have, reads them in short steps`, async (t) => {
    const { reads, lengths } = await watchedSearch(t);

    const found = await reads.postIdsWith({ phrases, categoryId: 99 }, bounds);

    assert.deepEqual(found.ids, []);
    assert.ok(lengths.length > 5);
    assert.ok(Math.max(...lengths) <= MOST_ROWS, `${Math.max(...lengths)}`);
  });
}
