// The server's own backups, as operators see them in the metrics and in the folder.

import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { backgroundWorkReads } from '../../src/storage/audit/background-work.ts';
import { openSqlite } from '../../src/storage/engine/sqlite.ts';
import { temporaryFolder } from '../support/databases.ts';
import { startProgram, untilTrue } from '../support/program.ts';
import { freePort } from '../support/services.ts';

test('An operator gets backups without a timer, one for all workers, and an alert if they stop', async (t) => {
  const folder = await temporaryFolder(t);
  const metrics = await freePort();
  const path = join(await temporaryFolder(t), 'portico.db');
  const program = await startProgram({
    DATABASE_URL: `file:${path}`,
    BACKUP_TO: folder,
    BACKUP_EVERY: '1d',
    WORKERS: '2',
    METRICS_PORT: String(metrics),
  });
  t.after(() => program.stop());
  await program.opened();
  await untilTrue(() => program.output().includes('made a backup'));

  const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();

  const seconds = Number(/^portico_last_backup_timestamp_seconds (\d+)$/m.exec(text)?.[1]);
  assert.ok(Math.abs(Date.now() / 1000 - seconds) < 120, `${seconds}`);
  assert.equal((await readdir(folder)).length, 1);
  const database = openSqlite(path);
  t.after(() => database.close());
  await untilTrue(async () => {
    const work = await backgroundWorkReads(database).backgroundWork();
    return work.some(({ name, ranAt }) => name === 'backups' && ranAt !== undefined);
  });
});
