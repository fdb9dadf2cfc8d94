// A database from before the hours of access diaries were added up.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR } from '../../src/lib/clock.ts';
import type { Database } from '../../src/storage/engine/database.ts';
import type { Dialect } from '../../src/storage/engine/sql.ts';
import { oauthStore } from '../../src/storage/oauth/oauth-store.ts';
import { earlier, postgresWith, skip, sqliteWith } from './earlier-databases.ts';

const lineOf = (hour: number, clientId: string, program: string, lastAt: number) => `
  INSERT INTO access_diary
    (hour, user_id, client_id, source, reading, status, network, program, requests, posts, first_at, last_at)
  VALUES (${hour}, 1, '${clientId}', 'family', 'profile', 200, '192.0.2.0/24', '${program}', 2, 0, ${hour}, ${lastAt})`;

const beforeSums = (dialect: Dialect) => [
  ...earlier(dialect, '0037-sums-of-diaries'),
  lineOf(HOUR, 'notebook', 'curl', HOUR + 5),
  lineOf(HOUR, 'notebook', 'node', HOUR + 7),
  lineOf(HOUR, '', 'node', HOUR + 6),
  lineOf(2 * HOUR, 'notebook', 'node', 2 * HOUR + 5),
];

async function checkSums(database: Database): Promise<void> {
  await database.migrate();

  const days = [
    { beginsAt: 0, endsAt: 2 * HOUR },
    { beginsAt: 2 * HOUR, endsAt: 3 * HOUR },
  ];
  const sums = await oauthStore(database).diarySums(1, days);
  assert.deepEqual(
    sums.map(({ beginsAt, clientId, requests, lastAt }) => [beginsAt, clientId, requests, lastAt]).sort(),
    [
      [0, '', 2, HOUR + 6],
      [0, 'notebook', 4, HOUR + 7],
      [2 * HOUR, 'notebook', 2, 2 * HOUR + 5],
    ],
  );
}

test('0037: the lines of a diary from before are added up, on SQLite', async (t) => {
  await checkSums(await sqliteWith(t, beforeSums('sqlite')));
});

test('0037: the same on PostgreSQL', { skip }, async (t) => {
  await checkSums(await postgresWith(t, beforeSums('postgres')));
});
