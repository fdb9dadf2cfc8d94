// The server is killed while members upload pictures: what it has acknowledged is there, and nothing else is left.

import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { removeLeftoverFiles } from '../../../src/community/picture-files.ts';
import { compose } from '../../../src/compose.ts';
import { readConfig } from '../../../src/config.ts';
import { DAY, HOUR } from '../../../src/lib/clock.ts';
import { openLog } from '../../../src/lib/log.ts';
import { sql } from '../../../src/storage/engine/sql.ts';
import { Browser, formTokenIn } from '../../support/browser.ts';
import { temporaryFolder } from '../../support/databases.ts';
import { startProgram } from '../../support/program.ts';
import { sendPicture } from './text-picture-form.ts';
import { sessionsOf } from './watched-program.ts';

const MEMBERS = 4;
const ROUNDS = 4;
const WIDTHS = ['', '-320', '-640'];

const selectDigests = sql<void, { digest: string }>`SELECT digest FROM pictures ORDER BY digest`;

test('Killed again and again during uploads, the server loses no picture that it acknowledged, and leaves no file', async (t) => {
  const folder = await temporaryFolder(t);
  const files = join(folder, 'pictures');
  const settings = { DATABASE_URL: `file:${join(folder, 'portico.db')}`, FILES_URL: `file:${files}` };
  const sessions = await sessionsOf(MEMBERS, settings);
  const file = await sharp({ create: { width: 900, height: 600, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  const acknowledged = new Set<string>();
  let interrupted = 0;

  for (let round = 0; round < ROUNDS; round += 1) {
    const program = await startProgram(settings);
    const uploads = sessions.map(async (session) => {
      const browser = new Browser(program.url);
      browser.setCookie('portico_session', session);
      const token = formTokenIn(await browser.read('/write'));
      for (;;) {
        const answer = await sendPicture(browser, file, token);
        const { markdown = '' } = (await answer.json()) as { markdown?: string };
        const [, digest] = /\/pictures\/([0-9a-f]{32})/.exec(markdown) ?? [];
        if (digest !== undefined) acknowledged.add(digest);
      }
    });
    const ends = uploads.map((upload) =>
      upload.catch(() => {
        interrupted += 1;
      }),
    );
    await pause(2500 + 331 * round);
    process.kill(program.pid, 'SIGKILL');
    await Promise.all(ends);
    await program.stop();
  }

  let now = Date.now();
  const config = readConfig({ LOG_LEVEL: 'silent', ...settings });
  const portico = await compose(config, () => now, openLog('silent'));
  t.after(() => portico.close());
  const stored = (await portico.database.rows(selectDigests())).map(({ digest }) => digest);
  now += 2 * HOUR;
  while ((await removeLeftoverFiles(portico.community)) > 0);
  const left = await filesIn(files);

  assert.equal(interrupted, MEMBERS * ROUNDS);
  assert.ok(acknowledged.size > 0);
  for (const digest of acknowledged) assert.ok(stored.includes(digest), digest);
  assert.deepEqual(
    left,
    stored.flatMap((digest) => WIDTHS.map((width) => `${digest}${width}.webp`)).toSorted(),
  );

  now += 8 * DAY;
  while ((await portico.purge()) > 0);
  assert.deepEqual(await filesIn(files), []);
});

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted();
}
