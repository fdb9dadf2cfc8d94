// The records of background work: when it last ran, and why it last failed.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { compose } from '../../src/compose.ts';
import { readConfig } from '../../src/config.ts';
import { MINUTE } from '../../src/lib/clock.ts';
import { openApp } from '../support/app.ts';
import { temporaryFolder } from '../support/databases.ts';
import { startProgram, untilTrue } from '../support/program.ts';

test('A run is recorded at most once a minute, each failure with its reason, and the run after it at once', async (t) => {
  const app = await openApp();
  t.after(() => app.close());
  const { recorded, audit } = app.portico;
  let error: Error | undefined;
  const work = recorded('purging', async () => {
    if (error !== undefined) throw error;
    return 7;
  });
  const record = async () => (await audit.reads.backgroundWork())[0];
  const start = app.clock.now;

  assert.equal(await work(), 7);
  app.clock.advance(MINUTE - 1);
  await work();
  assert.deepEqual(await record(), { name: 'purging', ranAt: start, failedAt: undefined, error: undefined });

  error = new Error(`disk full\n${'x'.repeat(500)}`);
  await assert.rejects(work(), /disk full/);
  const failed = await record();
  assert.deepEqual(
    [failed?.ranAt, failed?.failedAt, failed?.error],
    [start, start + MINUTE - 1, 'disk full'],
  );

  error = undefined;
  app.clock.advance(1);
  await work();
  assert.deepEqual(await record(), { ...failed, ranAt: start + MINUTE });
});

test('Work fails with its own error when the database can’t record it', async () => {
  const app = await openApp();
  const work = app.portico.recorded('rendering', async () => {
    throw new Error('broken');
  });
  await app.close();

  await assert.rejects(work(), /broken/);
});

test('A running server records its purging, rendering, mails, diaries, events and the notices of tokens', async (t) => {
  const settings = {
    DATABASE_URL: `file:${join(await temporaryFolder(t), 'portico.db')}`,
    LOG_LEVEL: 'warn',
  };
  const program = await startProgram(settings);
  t.after(() => program.stop());
  const portico = await compose(readConfig({ ...settings, LOG_LEVEL: 'silent' }));
  t.after(() => portico.close());

  await untilTrue(async () => (await portico.audit.reads.backgroundWork()).length === 6);

  const works = await portico.audit.reads.backgroundWork();
  assert.deepEqual(
    works.map(({ name, failedAt }) => [name, failedAt]),
    [
      ['diary', undefined],
      ['events', undefined],
      ['mails', undefined],
      ['purging', undefined],
      ['rendering', undefined],
      ['tokens', undefined],
    ],
  );
});
