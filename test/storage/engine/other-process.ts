// Another process that works on a database file: `node other-process.ts migrate|hold|fill|write|leave PATH`. It prints
// a line for each step.

import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { communityStore } from '../../../src/storage/community/community-store.ts';
import { StorageUnavailable } from '../../../src/storage/engine/database.ts';
import { openSqlite } from '../../../src/storage/engine/sqlite.ts';
import { asMember } from '../doers.ts';
import { newPost } from '../records.ts';

const [, , task, path = ''] = process.argv;

function say(line: string | number): void {
  process.stdout.write(`${line}\n`);
}

/** Open and migrate the file when told to. Prints the number of migrations. */
async function migrate(): Promise<void> {
  say('ready');
  await once(process.stdin, 'data');
  const database = openSqlite(path);
  const applied = await database.migrate();
  await database.close();
  say(applied.length);
}

/** Hold the write lock until told to stop, then commit a change. */
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
 * Write long posts by the first member, three at once, until the file can't grow. Prints the result of each.
 */
async function fill(): Promise<void> {
  const database = openSqlite(path);
  const community = communityStore(database);
  const write = () => community.addPost(asMember(1), newPost(1, { body: 'x'.repeat(50_000), xp: 1 }));
  for (let isFull = false; !isFull; ) {
    for (const answer of await Promise.allSettled([write(), write(), write()])) {
      if (answer.status === 'fulfilled') say(String(answer.value));
      else say(answer.reason instanceof StorageUnavailable ? 'unavailable' : String(answer.reason));
      isFull ||= answer.status === 'rejected';
    }
  }
  say(`readable: ${(await community.publishedPostsOf(1, 0, 1)).total}`);
}

/** Write posts by the first member until the process is killed. Prints the id of each. */
async function write(): Promise<void> {
  const community = communityStore(openSqlite(path));
  const writeOne = async () => say(String(await community.addPost(asMember(1), newPost(1, { xp: 1 }))));
  for (;;) await Promise.all(Array.from({ length: 10 }, writeOne));
}

/** Write enough posts by the first member that a thread starts, and leave the database open. */
async function leave(): Promise<void> {
  const community = communityStore(openSqlite(path));
  const writeOne = () => community.addPost(asMember(1), newPost(1, { xp: 1 }));
  for (let group = 0; group < 100; group += 1) await Promise.all(Array.from({ length: 10 }, writeOne));
  say('written');
}

if (task === 'migrate') await migrate();
if (task === 'hold') await hold();
if (task === 'fill') await fill();
if (task === 'write') await write();
if (task === 'leave') await leave();
process.stdin.destroy();
