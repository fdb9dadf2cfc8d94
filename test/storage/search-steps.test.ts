// How long a step of a search may become. It runs in the server's only thread.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { NO_ENTRY } from '../../src/storage/audit/audit-trail.ts';
import { search } from '../../src/storage/community/search.ts';
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
  SELECT id, CASE WHEN id <= :old THEN 'bread and rye' ELSE 'other words' END FROM posts`;

async function watchedSearch(t: TestContext) {
  const { database, bob } = await openFixture(uncached(openMemory), t);
  const add = (guard: ReturnType<typeof insertWords>) => database.atomically({ audit: NO_ENTRY, guard });
  await add(insertPosts({ userId: bob, most: OLD + NEW }));
  await add(insertWords({ old: OLD }));
  const lengths: number[] = [];
  const texts: string[] = [];
  const matches: string[] = [];
  const watched: Database = Object.create(database, {
    rows: {
      async value(query: Parameters<Database['rows']>[0]) {
        const rows = await database.rows(query);
        if (typeof query.values.match === 'string') matches.push(query.values.match);
        lengths.push(rows.length);
        texts.push(query.statement.text('sqlite'));
        return rows;
      },
    },
  });
  return { reads: search(watched), lengths, texts, matches, bob };
}

const bounds = { below: Number.MAX_SAFE_INTEGER, most: 1001, enough: 21 };

test('words that are in many posts, and nowhere together, are looked for in few steps', async (t) => {
  const { reads, lengths } = await watchedSearch(t);

  const found = await reads.postIdsWith({ phrases: [['rye', 'bread']] }, bounds);

  assert.deepEqual(found, { ids: [], count: 0, searchedFrom: 0 });
  assert.ok(lengths.length < 12, `${lengths.length}`);
});

// Otherwise the index would look through all newer posts, however many there are.
for (const phrases of [[['rye'], ['other']], [['bread', 'rye']]]) {
  test(`a search for ${JSON.stringify(phrases)} from an older post on looks in few blocks of posts at once`, async (t) => {
    const { reads, matches } = await watchedSearch(t);

    const found = await reads.postIdsWith({ phrases }, { ...bounds, below: 20_000 });

    assert.deepEqual(found, { ids: [], count: 0, searchedFrom: 0 });
    assert.ok(matches.length > 0);
    for (const match of matches) {
      const blocks = [...match.matchAll(/"\u{E000}(\d+)"/gu)].map(([, block]) => Number(block));
      assert.ok(blocks.length > 0 && blocks.length <= 32 && Math.max(...blocks) <= 20, match);
    }
  });
}

test('a phrase is found only where its words are beside each other, whatever block a post is in', async (t) => {
  const { reads } = await watchedSearch(t);
  const search = async (phrases: string[][]) => (await reads.postIdsWith({ phrases }, bounds)).ids;

  assert.deepEqual(await search([['bread', 'rye']]), []);
  assert.deepEqual((await search([['and', 'rye'], ['bread']])).slice(0, 2), [OLD, OLD - 1]);
});

// The index would look from each post of the author on for the next match.
test('words that are nowhere together are looked for in few steps among the posts of an author, too', async (t) => {
  const { reads, lengths, texts, bob } = await watchedSearch(t);

  await reads.postIdsWith({ phrases: [['rye', 'bread']], authorId: bob }, bounds);
  const steps = lengths.length;
  const isById = texts.some((text) => text.includes('rowid IN'));
  await reads.postIdsWith({ phrases: [['bread']], authorId: bob }, bounds);

  assert.ok(steps < 12 && !isById, `${steps}`);
  assert.ok(texts.some((text) => text.includes('rowid IN')));
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
