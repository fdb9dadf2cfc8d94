// A database from before there were second factors.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../src/storage/engine/database.ts';
import { type Dialect, sql } from '../../src/storage/engine/sql.ts';
import { identityStore } from '../../src/storage/identity/identity-store.ts';
import { asMember } from './doers.ts';
import { earlier, postgresWith, skip, sqliteWith } from './earlier-databases.ts';

/** As `earlier`, with a browser in which bob is signed in. */
function withSession(dialect: Dialect): string[] {
  const digest = dialect === 'sqlite' ? "x'00'" : "'\\x00'";
  return [
    ...earlier(dialect, '0025-second-factors'),
    `INSERT INTO sessions (key, digest, user_id, authenticated_at, last_seen_at, expires_at)
      VALUES ('browser', ${digest}, 1, 7, 8, 9)`,
  ];
}

async function checkFactors(database: Database): Promise<void> {
  await database.migrate();

  const identity = identityStore(database);
  const found = await identity.findSession('browser');
  assert.deepEqual([found?.session.provenAt, found?.user.hasFactor], [7, false]);
  assert.deepEqual(await identity.factorsOf(1), { appSince: undefined, passkeys: 0, recoveryCodes: 0 });
  await identity.startApp(asMember(1), 'SECRET');
  await identity.confirmApp(asMember(1), { pending: 'SECRET', secret: 'SECRET' }, 1, {
    sessionKey: 'browser',
    recoveryCodes: ['digest'],
  });
  assert.equal((await identity.findUser(1))?.hasFactor, true);
  assert.equal((await database.rows(selectCodes())).length, 1);
}

const selectCodes = sql<void, { digest: string }>`SELECT digest FROM recovery_codes`;

test('0025: members stay signed in, and can add a second factor, on SQLite', async (t) => {
  await checkFactors(await sqliteWith(t, withSession('sqlite')));
});

test('0025: the same on PostgreSQL', { skip }, async (t) => {
  await checkFactors(await postgresWith(t, withSession('postgres')));
});
