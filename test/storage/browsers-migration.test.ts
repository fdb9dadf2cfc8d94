// A database from before members saw their browsers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../src/storage/engine/database.ts';
import type { Dialect } from '../../src/storage/engine/sql.ts';
import { identityStore } from '../../src/storage/identity/identity-store.ts';
import { earlier, postgresWith, skip, sqliteWith } from './earlier-databases.ts';

/** As `earlier`, with a browser in which bob is signed in, and a mailed link. */
function withSession(dialect: Dialect): string[] {
  const digest = dialect === 'sqlite' ? "x'00'" : "'\\x00'";
  return [
    ...earlier(dialect, '0031-browsers'),
    `INSERT INTO sessions (key, digest, user_id, authenticated_at, last_seen_at, expires_at)
      VALUES ('old', ${digest}, 1, 5, 6, 9)`,
    `INSERT INTO mail_tokens (key, digest, purpose, user_id, email, expires_at)
      VALUES ('old', ${digest}, 'undo', 1, 'bob@x.example', 9)`,
  ];
}

async function checkBrowsers(database: Database): Promise<void> {
  await database.migrate();

  const identity = identityStore(database);
  const [browser] = await identity.browsersOf(1, 7, 0);
  assert.deepEqual([browser?.program, browser?.network, browser?.lastSeenAt], ['', undefined, 6]);
  await identity.touchSession('old', 8, '192.0.2.0/24');
  assert.equal((await identity.findSession('old'))?.session.lastNetwork, '192.0.2.0/24');
  const token = await identity.findMailToken('old');
  assert.deepEqual([token?.purpose, token?.disowned], ['undo', undefined]);
}

test('0031: sessions and links from before go on, on SQLite', async (t) => {
  await checkBrowsers(await sqliteWith(t, withSession('sqlite')));
});

test('0031: the same on PostgreSQL', { skip }, async (t) => {
  await checkBrowsers(await postgresWith(t, withSession('postgres')));
});
