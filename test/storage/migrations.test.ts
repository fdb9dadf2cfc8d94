// A database of an earlier version, with data, is brought up to date and goes on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_ENTRY } from '../../src/storage/audit/audit-trail.ts';
import { backgroundWorkReads, backgroundWorkWrites } from '../../src/storage/audit/background-work.ts';
import { communityStore } from '../../src/storage/community/community-store.ts';
import { oldAddressRows } from '../../src/storage/community/old-addresses.ts';
import type { Database } from '../../src/storage/engine/database.ts';
import { type Dialect, sql } from '../../src/storage/engine/sql.ts';
import { identityStore } from '../../src/storage/identity/identity-store.ts';
import { mailRows } from '../../src/storage/identity/mails.ts';
import { importStore } from '../../src/storage/import/import-store.ts';
import { voidCodesOf } from '../../src/storage/oauth/authorization-codes.ts';
import { oauthStore } from '../../src/storage/oauth/oauth-store.ts';
import { siteStore } from '../../src/storage/site/site-store.ts';
import { SERVER } from './doers.ts';
import { earlier, postgresWith, skip, sqliteWith } from './earlier-databases.ts';

test('0014: members keep their names, and have no earlier ones, on SQLite', async (t) => {
  await checkNames(await sqliteWith(t, earlier('sqlite', '0014-earlier-usernames')));
});

test('0014: members keep their names, and have no earlier ones, on PostgreSQL', { skip }, async (t) => {
  await checkNames(await postgresWith(t, earlier('postgres', '0014-earlier-usernames')));
});

async function checkNames(database: Database): Promise<void> {
  await database.migrate();

  const identity = identityStore(database);
  assert.equal((await identity.findUserByAnyName('bob'))?.id, 1);
  assert.deepEqual(await identity.earlierUsernames(1), []);
}

async function checkSettings(database: Database): Promise<void> {
  await database.migrate();

  const site = siteStore(database);
  assert.deepEqual(await site.storedSettings(), {});
  await site.saveSettings(SERVER, { name: 'Agora' });
  assert.deepEqual(await site.storedSettings(), { name: 'Agora' });
}

test('0013: a community from before has no settings of its own, and can have some, on SQLite', async (t) => {
  await checkSettings(await sqliteWith(t, earlier('sqlite', '0013-site-settings')));
});

test('0013: the same on PostgreSQL', { skip }, async (t) => {
  await checkSettings(await postgresWith(t, earlier('postgres', '0013-site-settings')));
});

const liveCode = (id: number) =>
  `INSERT INTO authorization_codes (key, digest, client_id, user_id, redirect_uri, scopes, authenticated_at, expires_at)
    VALUES ('code${id}', '', 'notebook', 1, 'https://a.example/', 'openid', 0, 1)`;

function withCodes(dialect: Dialect): string[] {
  return [
    ...earlier(dialect, '0016-live-access'),
    `INSERT INTO clients (id, name, kind, redirect_uris, scopes, created_at)
      VALUES ('notebook', 'Notebook', 'public', '[]', 'openid', 0)`,
    ...[1, 2].map(liveCode),
  ];
}

async function checkCodes(database: Database): Promise<void> {
  await database.migrate();

  await database.atomically({
    audit: NO_ENTRY,
    guard: voidCodesOf({ userId: 1, clientId: 'notebook', at: 9 }),
  });
  const codes = await Promise.all(['code1', 'code2'].map((key) => database.first(selectVoided({ key }))));
  assert.deepEqual(codes, [{ at: 9 }, { at: 9 }]);
}

const selectVoided = sql<{ key: string }, { at: number }>`
  SELECT voided_at AS at FROM authorization_codes WHERE key = :key`;

test('0016: the codes from before are live, on SQLite', async (t) => {
  await checkCodes(await sqliteWith(t, withCodes('sqlite')));
});

test('0016: the same on PostgreSQL', { skip }, async (t) => {
  await checkCodes(await postgresWith(t, withCodes('postgres')));
});
/** As `earlier`, with a mail that waits. */
function withMail(dialect: Dialect): string[] {
  return [
    ...earlier(dialect, '0019-background-work'),
    `INSERT INTO mails (purpose, user_id, email, language, created_at, next_attempt_at)
      VALUES ('reset', 1, 'bob@x.example', 'en', 0, 0)`,
  ];
}

async function assertMailWaits(database: Database): Promise<void> {
  await database.migrate();

  const { mailsDue, unsentMails } = mailRows(database);
  const [mail] = await unsentMails(100, 10);
  assert.deepEqual([mail?.username, mail?.problem, mail?.givenUpAt], ['bob', undefined, undefined]);
  assert.equal((await mailsDue(0, 10)).length, 1);
  await backgroundWorkWrites(database).recordRun('purging', 7);
  assert.equal((await backgroundWorkReads(database).backgroundWork())[0]?.ranAt, 7);
}

test('0019: mails go on waiting, and background work can be recorded, on SQLite', async (t) =>
  assertMailWaits(await sqliteWith(t, withMail('sqlite'))));

test('0019: mails go on waiting, and background work can be recorded, on PostgreSQL', { skip }, async (t) =>
  assertMailWaits(await postgresWith(t, withMail('postgres'))),
);
/** As `earlier`, with a second category and an operator. */
function beforeModeration(dialect: Dialect): string[] {
  return [
    ...earlier(dialect, '0015-moderation'),
    "INSERT INTO categories (slug, name) VALUES ('craft', 'Craft')",
    'UPDATE users SET is_operator = 1',
  ];
}

async function assertModeration(database: Database): Promise<void> {
  const community = communityStore(database);
  assert.deepEqual(
    (await community.categories()).map(({ slug, description }) => [slug, description]),
    [
      ['general', ''],
      ['craft', ''],
    ],
  );
  const post = await community.findPost(1);
  assert.deepEqual([post?.status, post?.lockedAt, post?.pinnedAt], ['published', undefined, undefined]);
  const bob = await identityStore(database).findUser(1);
  assert.deepEqual([bob?.isOperator, bob?.isModerator], [true, false]);
}

test('0015: categories keep their order, and nobody becomes a moderator, on SQLite', async (t) => {
  const database = await sqliteWith(t, beforeModeration('sqlite'));

  await database.migrate();

  await assertModeration(database);
});

test('0015: categories keep their order, and nobody becomes a moderator, on PostgreSQL', {
  skip,
}, async (t) => {
  const database = await postgresWith(t, beforeModeration('postgres'));

  await database.migrate();

  await assertModeration(database);
});

async function assertAddressable(database: Database): Promise<void> {
  await database.migrate();
  await importStore(database).rememberImportedMember('old site', '7', 1);
  await importStore(database).addOldAddresses('old site', 'member', [{ externalId: '7', address: '/u/rob' }]);

  assert.equal((await oldAddressRows(database).findOldAddress('/u/rob'))?.username, 'bob');
}

test('0017: imported contents can have old addresses, on SQLite', async (t) =>
  assertAddressable(await sqliteWith(t, earlier('sqlite', '0017-old-addresses'))));

test('0017: imported contents can have old addresses, on PostgreSQL', { skip }, async (t) =>
  assertAddressable(await postgresWith(t, earlier('postgres', '0017-old-addresses'))),
);
test('0013: the same on PostgreSQL', { skip }, async (t) => {
  await checkSettings(await postgresWith(t, earlier('postgres', '0013-site-settings')));
});

async function checkDiary(database: Database): Promise<void> {
  await database.migrate();

  assert.equal((await identityStore(database).findUser(1))?.keepsDiary, true);
  assert.deepEqual(await oauthStore(database).diaryLines({ userId: 1, from: 0, until: 1, limit: 1 }), []);
}

test('0028: the diary of a member from before is kept from now on, on SQLite', async (t) => {
  await checkDiary(await sqliteWith(t, earlier('sqlite', '0028-access-diary')));
});

test('0028: the same on PostgreSQL', { skip }, async (t) => {
  await checkDiary(await postgresWith(t, earlier('postgres', '0028-access-diary')));
});

async function checkTexts(database: Database): Promise<void> {
  await database.migrate();

  const site = siteStore(database);
  assert.deepEqual(await site.texts('rules'), { en: '', zh: '' });
  await site.saveTexts(SERVER, 'rules', { en: 'Be kind.', zh: '' });
  assert.deepEqual(await site.texts('rules'), { en: 'Be kind.', zh: '' });
}

test('0020: a community from before has no pages of its own, and can write some, on SQLite', async (t) => {
  await checkTexts(await sqliteWith(t, earlier('sqlite', '0020-site-texts')));
});

test('0020: the same on PostgreSQL', { skip }, async (t) => {
  await checkTexts(await postgresWith(t, earlier('postgres', '0020-site-texts')));
});

async function checkLogo(database: Database): Promise<void> {
  await database.migrate();

  const site = siteStore(database);
  assert.equal(await site.findLogo(''), undefined);
  await site.saveLogo(SERVER, 'aaaaaaaaaaaa', new Uint8Array([0, 255]));
  assert.deepEqual([...((await site.findLogo('aaaaaaaaaaaa')) ?? [])], [0, 255]);
}

test('0022: a community from before has no logo, and can have one, on SQLite', async (t) => {
  await checkLogo(await sqliteWith(t, earlier('sqlite', '0022-site-pictures')));
});

test('0022: the same on PostgreSQL', { skip }, async (t) => {
  await checkLogo(await postgresWith(t, earlier('postgres', '0022-site-pictures')));
});

/** As `earlier`, with an API token, and a notification of a post. */
function withToken(dialect: Dialect): string[] {
  const digest = { sqlite: "x'00'", postgres: "'\\x00'::bytea" }[dialect];
  return [
    ...earlier(dialect, '0026-api-tokens'),
    `INSERT INTO personal_tokens (key, digest, ending, user_id, name, scopes, created_at, last_used_at)
      VALUES ('one', ${digest}, 'x', 1, 'old', 'posts:read', 0, 5)`,
    "INSERT INTO notifications (user_id, kind, post_id, created_at) VALUES (1, 'removal', 1, 7)",
  ];
}

async function assertToken(database: Database): Promise<void> {
  await database.migrate();

  const token = await oauthStore(database).findPersonalToken('one');
  assert.deepEqual(
    [token?.note, token?.addresses, token?.lastUsedAt, token?.lastUse, token?.replacedAt],
    ['', [], 5, undefined, undefined],
  );
  const { notificationsOf } = communityStore(database);
  assert.deepEqual(
    (await notificationsOf(1, 100, 10)).map(({ postId, createdAt }) => [postId, createdAt]),
    [[1, 7]],
  );
  await database.atomically({ audit: NO_ENTRY, guard: deletePost() });
  assert.deepEqual(await notificationsOf(1, 100, 10), []);
}

const deletePost = sql`DELETE FROM posts WHERE id = 1`;

test('0026: old tokens work from everywhere, and notifications keep their posts, on SQLite', async (t) =>
  assertToken(await sqliteWith(t, withToken('sqlite'))));

test('0026: the same on PostgreSQL', { skip }, async (t) =>
  assertToken(await postgresWith(t, withToken('postgres'))),
);

const withReport = (dialect: Dialect) => [
  ...earlier(dialect, '0033-reports-of-members'),
  "INSERT INTO reports (reporter_id, post_id, reason, created_at) VALUES (1, 1, 'spam', 7)",
];

async function checkReports(database: Database): Promise<void> {
  await database.migrate();

  const reports = await communityStore(database).ownReports(1, 0, 10);
  assert.deepEqual(
    reports.map(({ postId, createdAt }) => [postId, createdAt]),
    [[1, 7]],
  );
}

test('0033: members find the reports that they sent before, on SQLite', async (t) =>
  checkReports(await sqliteWith(t, withReport('sqlite'))));

test('0033: the same on PostgreSQL', { skip }, async (t) =>
  checkReports(await postgresWith(t, withReport('postgres'))),
);
