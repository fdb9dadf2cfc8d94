// A database from before applications could introduce themselves.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../src/storage/engine/database.ts';
import type { Dialect } from '../../src/storage/engine/sql.ts';
import { oauthStore } from '../../src/storage/oauth/oauth-store.ts';
import { earlier, postgresWith, skip, sqliteWith } from './earlier-databases.ts';

/** As `earlier`, with an application. */
function beforeIntroductions(dialect: Dialect): string[] {
  return [
    ...earlier(dialect, '0027-introductions'),
    `INSERT INTO clients (id, name, kind, redirect_uris, scopes, created_at)
      VALUES ('pocket', 'Pocket', 'public', '["https://pocket.example/cb"]', 'profile:read', 0)`,
  ];
}

async function checkIntroductions(database: Database): Promise<void> {
  await database.migrate();

  const oauth = oauthStore(database);
  const client = await oauth.findClient('pocket');
  assert.deepEqual(
    [client?.name, client?.requiredScopes, client?.scopeReasons, client?.homePage],
    ['Pocket', [], {}, undefined],
  );
  const by = { kind: 'server', at: 5 } as const;
  const introduction = {
    requiredScopes: ['profile:read'],
    scopeReasons: { 'profile:read': { zh: '问候' } },
    homePage: 'https://pocket.example/',
  } as const;
  assert(client !== undefined);
  assert.equal(
    await oauth.changeClient(by, client, { ...client, ...introduction }, ['homePage'], 'kept'),
    true,
  );
  const introduced = await oauth.findClient('pocket');
  assert.deepEqual(introduced, { ...client, ...introduction });
  const member = { kind: 'member', userId: 1, at: 6 } as const;
  const report = { clientId: 'pocket', reason: 'other', note: '' } as const;
  assert.equal(await oauth.addClientReport(member, report, 0), true);
  assert.equal(await oauth.countOpenClientReports(10), 1);
}

test('0027: applications stay as they are, and can introduce themselves, on SQLite', async (t) => {
  await checkIntroductions(await sqliteWith(t, beforeIntroductions('sqlite')));
});

test('0027: the same on PostgreSQL', { skip }, async (t) => {
  await checkIntroductions(await postgresWith(t, beforeIntroductions('postgres')));
});
