// A busy process copies SQLite's log on a thread, and no log grows without end.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { communityStore } from '../../../src/storage/community/community-store.ts';
import { type SqliteDatabase, sqliteOn } from '../../../src/storage/engine/sqlite.ts';
import { openConnection } from '../../../src/storage/engine/sqlite-connection.ts';
import { identityStore } from '../../../src/storage/identity/identity-store.ts';
import { migratedMemory, temporaryFolder, writeMigrated } from '../../support/databases.ts';
import { asMember, SERVER } from '../doers.ts';
import { newPost, newUser } from '../records.ts';

const SCRIPT = join(import.meta.dirname, 'other-process.ts');
const BUSY = 500;

/** Open a file with one member. `threads` are those that this process starts from now on. */
async function openWithMember(t: TestContext) {
  const path = join(await temporaryFolder(t), 'portico.db');
  await writeMigrated(path);
  const threads = threadsOf(t);
  const connection = openConnection(path);
  const database = sqliteOn(connection);
  t.after(() => database.close());
  await identityStore(database).addUser(SERVER, newUser('bob'));
  const limit = () => connection.prepare('PRAGMA wal_autocheckpoint').get()?.wal_autocheckpoint;
  return { path, threads, connection, database, limit };
}

function threadsOf(t: TestContext): Worker[] {
  const threads: Worker[] = [];
  const note = (thread: Worker) => threads.push(thread);
  process.on('worker', note);
  t.after(() => process.off('worker', note));
  return threads;
}

/** Write so many posts, ten in a commit. */
async function write(database: SqliteDatabase, count: number): Promise<void> {
  const community = communityStore(database);
  const writeOne = () => community.addPost(asMember(1), newPost(1, { xp: 1 }));
  for (let left = count; left > 0; left -= 10)
    await Promise.all(Array.from({ length: Math.min(10, left) }, writeOne));
}

async function until(holds: () => boolean): Promise<void> {
  for (const since = performance.now(); !holds(); await pause(5))
    assert.ok(performance.now() - since < 20_000, `never: ${holds}`);
}

/** How often the log has begun anew: a number in its header, https://sqlite.org/fileformat2.html#walformat. */
function beginnings(path: string): number {
  const header = Buffer.alloc(32);
  const file = openSync(`${path}-wal`, 'r');
  readSync(file, header, 0, 32, 0);
  closeSync(file);
  return header.readUInt32BE(12);
}

function otherProcess(t: TestContext, task: string, path: string) {
  const child = spawn(process.execPath, [SCRIPT, task, path], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

describe('the thread that makes checkpoints', () => {
  test('starts when a process has written much, and then commits copy nothing', async (t) => {
    const { threads, database, limit } = await openWithMember(t);

    await write(database, BUSY - 2);
    const early = [threads.length, limit()];
    await write(database, 1);
    await until(() => limit() === 8000);

    assert.deepEqual(early, [0, 1000]);
    assert.equal(threads.length, 1);
  });

  test('starts in no process whose database is in memory', async (t) => {
    const threads = threadsOf(t);
    const database = await migratedMemory();
    t.after(() => database.close());
    await identityStore(database).addUser(SERVER, newUser('bob'));

    await write(database, 2 * BUSY);

    assert.deepEqual(threads, []);
  });

  test('copies the log, which begins anew under load, without any help of the commits', async (t) => {
    const { path, connection, database, limit } = await openWithMember(t);
    await write(database, BUSY);
    await until(() => limit() === 8000);
    connection.exec('PRAGMA wal_autocheckpoint = 0');

    const before = beginnings(path);
    for (let round = 0; round < 1000 && beginnings(path) < before + 3; round += 1) await write(database, 50);

    assert.ok(beginnings(path) >= before + 3);
  });

  test('copies what a long read allows, and the rest after it', async (t) => {
    const { path, connection, database, limit } = await openWithMember(t);
    await write(database, BUSY);
    await until(() => limit() === 8000);
    connection.exec('PRAGMA wal_autocheckpoint = 0');
    const reader = new DatabaseSync(path);
    const count = () => reader.prepare('SELECT count(*) AS count FROM posts').get()?.count;
    reader.exec('BEGIN');
    count();
    const before = beginnings(path);

    await write(database, 2 * BUSY);
    const during = [beginnings(path), count()];
    reader.close();
    for (let round = 0; round < 400 && beginnings(path) === before; round += 1) await write(database, 50);

    assert.deepEqual(during, [before, BUSY]);
    assert.ok(beginnings(path) > before);
  });

  test('ends before the database is closed, which removes the log', async (t) => {
    const { path, threads, database, limit } = await openWithMember(t);
    await write(database, BUSY);
    await until(() => limit() === 8000);
    await write(database, BUSY);
    const hadLog = existsSync(`${path}-wal`);

    await database.close();

    assert.equal(hadLog, true);
    assert.equal(threads[0]?.threadId, -1);
    assert.deepEqual([existsSync(`${path}-wal`), existsSync(`${path}-shm`)], [false, false]);
  });

  test('leaves the log to SQLite when it fails, and starts no other in the same minute', async (t) => {
    const { path, threads, database, limit } = await openWithMember(t);
    await write(database, BUSY);
    await until(() => limit() === 8000);

    await threads[0]?.terminate();
    await until(() => limit() === 1000);
    const before = beginnings(path);
    await write(database, 4 * BUSY);

    assert.ok(beginnings(path) > before);
    assert.equal(threads.length, 1);
  });

  test('keeps no process alive that leaves its database open', { timeout: 30_000 }, async (t) => {
    const { path, database } = await openWithMember(t);
    await database.close();

    const child = otherProcess(t, 'leave', path);
    await once(child.stdout, 'data');
    const [code] = await once(child, 'exit');

    assert.equal(code, 0);
  });

  test('loses no confirmed write of a process that is killed, in each of 3 rounds', async (t) => {
    const { path, database } = await openWithMember(t);
    await database.close();

    const confirmed: number[] = [];
    for (let round = 1; round <= 3; round += 1) {
      const child = otherProcess(t, 'write', path);
      for await (const line of createInterface(child.stdout)) {
        confirmed.push(Number(line));
        if (confirmed.length >= 2000 * round) child.kill('SIGKILL');
      }
    }

    const reopened = new DatabaseSync(path);
    t.after(() => reopened.close());
    const ids = new Set(
      reopened
        .prepare('SELECT id FROM posts')
        .all()
        .map(({ id }) => Number(id)),
    );
    assert.deepEqual({ ...reopened.prepare('PRAGMA integrity_check').get() }, { integrity_check: 'ok' });
    assert.deepEqual(
      confirmed.filter((id) => !ids.has(id)),
      [],
    );
  });
});
