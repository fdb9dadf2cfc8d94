// A database from before it was stored since when an application is deactivated.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../src/storage/engine/database.ts';
import type { Dialect } from '../../src/storage/engine/sql.ts';
import { oauthStore } from '../../src/storage/oauth/oauth-store.ts';
import { earlier, postgresWith, skip, sqliteWith } from './earlier-databases.ts';

/** As `earlier`, with consents to two deactivated applications, one of which was deactivated by an operator. */
function beforeTimes(dialect: Dialect): string[] {
  const client = (id: string) => `
    INSERT INTO clients (id, name, kind, redirect_uris, scopes, status, created_at)
    VALUES ('${id}', 'Notebook', 'public', '[]', 'posts:read', 'deactivated', 3)`;
  const grant = (id: string) => `
    INSERT INTO grants (user_id, client_id, scopes, granted_at, last_authorized_at)
    VALUES (1, '${id}', 'posts:read', 3, 4)`;
  return [
    ...earlier(dialect, '0034-deactivated-applications'),
    ...['audited', 'unknown'].flatMap((id) => [client(id), grant(id)]),
    `INSERT INTO audit_events (at, action, subject_kind, subject_id, detail)
      VALUES (8, 'client.deactivate', 'client', 'audited', '{}')`,
  ];
}

async function checkTimes(database: Database): Promise<void> {
  await database.migrate();

  const oauth = oauthStore(database);
  const until = async (moment: number) =>
    (await oauth.abandonedGrants(moment, 9, 10)).map(({ clientId }) => clientId).toSorted();
  assert.deepEqual([await until(2), await until(3)], [[], ['unknown']]);
  assert.deepEqual([await until(7), await until(8)], [['unknown'], ['audited', 'unknown']]);
}

test('0034: the audit log tells since when applications are deactivated, on SQLite', async (t) =>
  checkTimes(await sqliteWith(t, beforeTimes('sqlite'))));

test('0034: the same on PostgreSQL', { skip }, async (t) =>
  checkTimes(await postgresWith(t, beforeTimes('postgres'))),
);
