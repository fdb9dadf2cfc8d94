// A database from before sign-ins at applications had the browser that they began in.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../src/storage/engine/database.ts';
import type { Dialect } from '../../src/storage/engine/sql.ts';
import { identityStore } from '../../src/storage/identity/identity-store.ts';
import { oauthStore } from '../../src/storage/oauth/oauth-store.ts';
import { earlier, postgresWith, skip, sqliteWith } from './earlier-databases.ts';
import { newAccessToken } from './records.ts';

/** As `earlier`, with a session of bob's, and a code and a sign-in that began in it. */
function beforeOrigins(dialect: Dialect): string[] {
  const bytes = dialect === 'sqlite' ? "X'00'" : "'\\x00'";
  return [
    ...earlier(dialect, '0075-origins-of-sign-ins'),
    `INSERT INTO clients (id, name, kind, redirect_uris, scopes, created_at)
      VALUES ('pocket', 'Pocket', 'public', '[]', 'posts:read', 0)`,
    `INSERT INTO sessions (key, digest, user_id, authenticated_at, last_seen_at, expires_at)
      VALUES ('session', ${bytes}, 1, 5, 6, 90)`,
    `INSERT INTO authorization_codes (key, digest, client_id, user_id, redirect_uri, scopes,
        authenticated_at, expires_at)
      VALUES ('code', ${bytes}, 'pocket', 1, 'https://a.example/', 'posts:read', 5, 90)`,
    `INSERT INTO token_families (key, client_id, user_id, scopes, authenticated_at, refresh_digest, rotated_at,
        refresh_expires_at, issued_at, expires_at)
      VALUES ('family', 'pocket', 1, 'posts:read', 5, ${bytes}, 0, 90, 0, 99)`,
  ];
}

async function checkOrigins(database: Database): Promise<void> {
  await database.migrate();

  const [oauth, identity] = [oauthStore(database), identityStore(database)];
  const code = await oauth.findAuthorizationCode('code');
  const family = await oauth.findTokenFamily('family');
  assert.ok(code !== undefined && family !== undefined);
  const unknown = { program: undefined, network: undefined };
  for (const { program, network } of [code, family]) assert.deepEqual({ program, network }, unknown);
  const later = { ...family, key: 'later' };
  assert.equal(await oauth.redeem(code, later, newAccessToken('later'), 7), 'redeemed');
  const by = { kind: 'member', userId: 1, at: 8 } as const;
  await identity.endOwnSession(by, { key: 'session', signedInAt: 5 });
  for (const key of ['family', 'later']) assert.equal((await oauth.findTokenFamily(key))?.revokedAt, 8);
}

test('0075: codes and sign-ins from before go on without a browser, and end with it, on SQLite', async (t) => {
  await checkOrigins(await sqliteWith(t, beforeOrigins('sqlite')));
});

test('0075: the same on PostgreSQL', { skip }, async (t) => {
  await checkOrigins(await postgresWith(t, beforeOrigins('postgres')));
});
