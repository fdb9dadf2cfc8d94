// A database from before each word was one for the index.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { phrasesOf, searchWords } from '../../src/lib/words.ts';
import { communityStore } from '../../src/storage/community/community-store.ts';
import { search } from '../../src/storage/community/search.ts';
import { openConnection } from '../../src/storage/engine/sqlite-connection.ts';
import { TOKENS } from '../../src/storage/migrations/0089-whole-words.ts';
import { asMember } from './doers.ts';
import { earlier, sqliteWith } from './earlier-databases.ts';
import { newPost } from './records.ts';
import { checkIndex } from './search-index.ts';

const HINDI = 'हिन्दी';

test('0089: words with marks from before are whole in the new index', async (t) => {
  const database = await sqliteWith(t, [
    ...earlier('sqlite', '0089-whole-words'),
    `INSERT INTO post_words (post_id, words) VALUES (1, '${searchWords(`${HINDI} 面包 running`)}')`,
  ]);
  await database.migrate();
  const found = async (phrases: string[][], authorId?: number) =>
    (await search(database).postIdsWith({ phrases, authorId }, { below: 9e9, most: 100, enough: 20 })).ids;

  await checkIndex(database);
  assert.deepEqual(await found([[HINDI.normalize('NFKC')]]), [1]);
  assert.deepEqual(await found([['ह']]), []);
  assert.deepEqual(await found([['面', '包'], ['run']], 1), [1]);
  await communityStore(database).removePost(asMember(1), 1, 10);
  await communityStore(database).addPost(asMember(1), { ...newPost(1), words: searchWords(HINDI) });
  assert.deepEqual(await found([[HINDI.normalize('NFKC')]]), [2]);
  await checkIndex(database);
});

// A word of several tokens would be a phrase, whose places the index compares in one piece.
test('no letter, mark or digit splits a word in the index', () => {
  const connection = openConnection(':memory:');
  connection.exec(`CREATE VIRTUAL TABLE found USING fts5(word, tokenize = ${TOKENS})`);
  connection.exec("CREATE VIRTUAL TABLE terms USING fts5vocab(found, 'instance')");
  const insert = connection.prepare('INSERT INTO found (word) VALUES (?)');
  const words = wordsWithEachCharacter();
  connection.exec('BEGIN');
  for (const word of words) insert.run(word);
  connection.exec('COMMIT');

  const split = connection
    .prepare('SELECT word FROM found WHERE rowid IN (SELECT doc FROM terms GROUP BY doc HAVING count(*) > 1)')
    .all();
  connection.close();

  assert.ok(words.length > 40_000, `only ${words.length} words`);
  assert.deepEqual(split, []);
});

function wordsWithEachCharacter(): string[] {
  const words: string[] = [];
  for (let code = 0; code <= 0x10_ffff; code += 1) {
    const [phrase = [], ...others] = phrasesOf(`a${String.fromCodePoint(code)}a`);
    if (others.length === 0 && phrase.length === 1) words.push(...phrase);
  }
  return words;
}
