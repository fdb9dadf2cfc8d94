// A database from before consents could be paused or have an end, and from before changes of sign-ins were noted once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../src/storage/engine/database.ts';
import { type Dialect, sql } from '../../src/storage/engine/sql.ts';
import { oauthStore } from '../../src/storage/oauth/oauth-store.ts';
import { earlier, postgresWith, skip, sqliteWith } from './earlier-databases.ts';

/** As `earlier`, with a consent, a code and a sign-in. */
function beforeStates(dialect: Dialect): string[] {
  const bytes = dialect === 'sqlite' ? "X'00'" : "'\\x00'";
  return [
    ...earlier(dialect, '0024-states-of-grants'),
    `INSERT INTO clients (id, name, kind, redirect_uris, scopes, created_at)
      VALUES ('notebook', 'Notebook', 'public', '[]', 'posts:read', 0)`,
    `INSERT INTO grants (user_id, client_id, scopes, granted_at, last_authorized_at)
      VALUES (1, 'notebook', 'posts:read', 3, 4)`,
    `INSERT INTO authorization_codes (key, digest, client_id, user_id, redirect_uri, scopes,
        authenticated_at, expires_at)
      VALUES ('code', ${bytes}, 'notebook', 1, 'https://a.example/', 'posts:read', 0, 1)`,
    `INSERT INTO token_families (key, client_id, user_id, scopes, authenticated_at, refresh_digest, rotated_at,
        refresh_expires_at, issued_at, expires_at)
      VALUES ('family', 'notebook', 1, 'posts:read', 0, ${bytes}, 0, 90, 0, 99)`,
  ];
}

async function checkStates(database: Database): Promise<void> {
  await database.migrate();

  const oauth = oauthStore(database);
  assert.deepEqual(await oauth.findGrant(1, 'notebook', 1_000_000), {
    userId: 1,
    clientId: 'notebook',
    scopes: ['posts:read'],
    grantedAt: 3,
    consentedAt: 3,
    lastAuthorizedAt: 4,
    duration: 'until_removed',
    endsAt: undefined,
    allowedAs: undefined,
    pausedAt: undefined,
    withdrawnAt: undefined,
  });
  const code = await oauth.findAuthorizationCode('code');
  assert.deepEqual(
    [code?.duration, code?.grantEndsAt, code?.pausedAt],
    ['until_removed', undefined, undefined],
  );
  assert.ok(await oauth.pauseGrant({ kind: 'member', userId: 1, at: 5 }, 1, 'notebook'));
  assert.equal((await oauth.findAuthorizationCode('code'))?.pausedAt, 5);
  assert.equal((await oauth.findTokenFamily('family'))?.pausedAt, 5);
}

test('0024: consents, codes and sign-ins stay valid without an end, and can be paused, on SQLite', async (t) => {
  await checkStates(await sqliteWith(t, beforeStates('sqlite')));
});

test('0024: the same on PostgreSQL', { skip }, async (t) => {
  await checkStates(await postgresWith(t, beforeStates('postgres')));
});

const withSignIn = [
  ...earlier('sqlite', '0036-changes-of-families'),
  `INSERT INTO clients (id, name, kind, redirect_uris, scopes, created_at)
    VALUES ('notebook', 'Notebook', 'public', 'https://a.example/', 'openid', 0)`,
  `INSERT INTO token_families (key, client_id, user_id, scopes, authenticated_at, refresh_digest, rotated_at,
      refresh_expires_at, issued_at, expires_at)
    VALUES ('family', 'notebook', 1, 'openid', 0, '', 0, 9, 0, 9)`,
];

test('0036: a change of a sign-in from before is noted once, on SQLite', async (t) => {
  const database = await sqliteWith(t, withSignIn);
  await database.migrate();

  await oauthStore(database).revokeFamily('family', 5);

  const noted = await database.rows(
    sql<void, object>`SELECT kind, key FROM changes WHERE kind = 'token_family'`(),
  );
  assert.deepEqual(
    noted.map((row) => ({ ...row })),
    [{ kind: 'token_family', key: 'family' }],
  );
});
