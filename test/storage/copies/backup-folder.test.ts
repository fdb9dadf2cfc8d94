// Which dated backups are kept, and when the server makes the next one.

import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { DAY, HOUR } from '../../../src/lib/clock.ts';
import { keptBackups, newestBackup } from '../../../src/storage/copies/backup-folder.ts';
import { backUpInThread, isDue } from '../../../src/storage/copies/scheduled-backup.ts';
import { openSqlite } from '../../../src/storage/engine/sqlite.ts';
import { TestClock } from '../../support/app.ts';
import { temporaryFolder } from '../../support/databases.ts';

const NOON = Date.parse('2026-11-22T12:00:00Z');

test('The last backup of 14 days, 8 weeks and 12 months is kept, and all of the last 24 hours.', () => {
  // Every six hours for two years. The newest one is on a Sunday.
  const times = Array.from({ length: 2 * 365 * 4 }, (_, index) => NOON - index * 6 * HOUR);

  const kept = [...keptBackups(times, 14)].toSorted((a, b) => b - a).map((at) => new Date(at).toISOString());

  const atSix = (day: string) => `${day}T18:00:00.000Z`;
  const days = Array.from({ length: 13 }, (_, index) =>
    new Date(NOON - (index + 1) * DAY).toISOString().slice(0, 10),
  );
  const sundays = [14, 21, 28, 35, 42, 49].map((age) =>
    new Date(NOON - age * DAY).toISOString().slice(0, 10),
  );
  const monthEnds = '10-31 09-30 08-31 07-31 06-30 05-31 04-30 03-31 02-28 01-31'
    .split(' ')
    .map((day) => `2026-${day}`);
  const expected = [
    ...['12:00', '06:00', '00:00'].map((time) => `2026-11-22T${time}:00.000Z`),
    ...[...days, ...sundays, ...monthEnds, '2025-12-31'].map(atSix),
  ];
  assert.deepEqual(kept, [...new Set(expected)].sort().reverse());
});

test('Days without a backup don’t count, so a pause deletes nothing.', () => {
  const times = [0, 1, 2].map((day) => NOON - (day + 300) * DAY);

  assert.deepEqual(keptBackups([NOON, ...times], 14).size, 4);
});

test('The server makes a backup when the newest one is old enough, also after a restart', async (t) => {
  const folder = await temporaryFolder(t);
  const database = join(await temporaryFolder(t), 'portico.db');
  const open = openSqlite(database);
  t.after(() => open.close());
  await open.migrate();
  const clock = new TestClock();
  clock.now = NOON;
  const plan = { database, folder, everyMs: 6 * HOUR };

  const isFirstDue = isDue(plan, clock.now);
  const first = await backUpInThread(plan, clock.now);
  clock.advance(6 * HOUR - 1);
  const isTooSoon = !isDue(plan, clock.now);
  clock.advance(1);
  const isSecondDue = isDue(plan, clock.now);
  const second = await backUpInThread(plan, clock.now);

  assert.deepEqual([isFirstDue, isTooSoon, isSecondDue], [true, true, true]);
  assert.equal(first.path, join(folder, 'portico-2026-11-22T12-00-00Z.db'));
  assert.equal(second.path, join(folder, 'portico-2026-11-22T18-00-00Z.db'));
  assert.equal(newestBackup(folder, clock.now)?.at, NOON + 6 * HOUR);
  assert.equal((await readdir(folder)).length, 2);
});

test('A backup with a time in the future does not keep the server from making backups', async (t) => {
  const folder = await temporaryFolder(t);
  await writeFile(join(folder, 'portico-2099-01-01T00-00-00Z.db'), 'from a machine whose clock was wrong');

  assert.equal(newestBackup(folder, NOON), undefined);
  assert.equal(isDue({ database: join(folder, 'none.db'), folder, everyMs: HOUR }, NOON), true);
});

test('A backup that can’t be made says why, and deletes nothing', async (t) => {
  const folder = await temporaryFolder(t);
  await writeFile(join(folder, 'portico-2020-01-01T00-00-00Z.db'), 'old');
  const plan = { database: join(folder, 'none.db'), folder, everyMs: HOUR };

  await assert.rejects(backUpInThread(plan, NOON), /There is no database at .*none\.db/);

  assert.deepEqual(await readdir(folder), ['portico-2020-01-01T00-00-00Z.db']);
  const nowhere = { ...plan, folder: join(folder, 'none') };
  assert.equal(isDue(nowhere, NOON), true);
  await assert.rejects(backUpInThread(nowhere, NOON), /There is no folder .*none\. Make it first\./);
});
