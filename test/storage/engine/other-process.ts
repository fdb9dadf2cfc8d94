// What another process does to a database file: `node other-process.ts migrate|hold|fill PATH`. It reports
// each step in a line of its own.

import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { communityStore } from '../../../src/storage/community/community-store.ts';
import { StorageUnavailable } from '../../../src/storage/engine/database.ts';
import { openSqlite } from '../../../src/storage/engine/sqlite.ts';
import { asMember } from '../doers.ts';
import { newPost } from '../records.ts';

const [, , verb, path = ''] = process.argv;

function say(line: string | number): void {
  process.stdout.write(`${line}\n`);
}

/** Opens and migrates the file at the word, and says how many migrations it applied. */
async function migrate(): Promise<void> {
  say('ready');
  await once(process.stdin, 'data');
  const database = openSqlite(path);
  const applied = await database.migrate();
  await database.close();
  say(applied.length);
}

/** Is the writer until it gets the word, and commits a change of its own. */
async function hold(): Promise<void> {
  const connection = new DatabaseSync(path);
  connection.exec('BEGIN IMMEDIATE');
  connection.exec("UPDATE users SET bio = 'written by another process' WHERE username_key = 'bob'");
  say('holding');
  await once(process.stdin, 'data');
  connection.exec('COMMIT');
  connection.close();
  say('released');
}

/**
 * Writes long posts of the first member, three at once, until there is no more room; says what was answered.
 */
async function fill(): Promise<void> {
  const database = openSqlite(path);
  const community = communityStore(database);
  const write = () => community.addPost(asMember(1), newPost(1, { body: 'x'.repeat(50_000), xp: 1 }));
  for (let isFull = false; !isFull; ) {
    for (const answer of await Promise.allSettled([write(), write(), write()])) {
      if (answer.status === 'fulfilled') say(answer.value);
      else say(answer.reason instanceof StorageUnavailable ? 'unavailable' : String(answer.reason));
      isFull ||= answer.status === 'rejected';
    }
  }
  say(`readable: ${(await community.publishedPostsOf(1, 0, 1)).total}`);
}

if (verb === 'migrate') await migrate();
if (verb === 'hold') await hold();
if (verb === 'fill') await fill();
process.stdin.destroy();
