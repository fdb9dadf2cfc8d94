// A database from before links for a new password had a maker.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../src/storage/engine/database.ts';
import type { Dialect } from '../../src/storage/engine/sql.ts';
import { identityStore } from '../../src/storage/identity/identity-store.ts';
import { SERVER } from './doers.ts';
import { earlier, postgresWith, skip, sqliteWith } from './earlier-databases.ts';

/** As `earlier`, with a link for bob. */
function withLink(dialect: Dialect): string[] {
  const digest = dialect === 'sqlite' ? "x'00'" : "'\\x00'";
  return [
    ...earlier(dialect, '0076-makers-of-links'),
    `INSERT INTO mail_tokens (key, digest, purpose, user_id, email, expires_at)
      VALUES ('old', ${digest}, 'reset', 1, 'bob@x.example', 9)`,
  ];
}

async function check(database: Database): Promise<void> {
  await database.migrate();

  const identity = identityStore(database);
  assert.equal((await identity.findMailToken('old'))?.userId, 1);
  await identity.setStatus(SERVER, 1, 'suspended');
  assert.equal((await identity.findMailToken('old'))?.purpose, 'reset');
}

test('0076: links from before go on, and are nobody’s, on SQLite', async (t) => {
  await check(await sqliteWith(t, withLink('sqlite')));
});

test('0076: the same on PostgreSQL', { skip }, async (t) => {
  await check(await postgresWith(t, withLink('postgres')));
});
