// A process that is killed never leaves an act without its security event, nor an event without its act.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from '../../src/storage/engine/sql.ts';
import { openSqlite } from '../../src/storage/engine/sqlite.ts';
import { openFixture, storesOf } from '../storage/fixture.ts';
import { temporaryFolder } from '../support/databases.ts';

// Calls the tag as a function, because a template for `sql` accepts only fragments.
const count = (what: string) => {
  const text = [`SELECT count(*) AS count FROM ${what}`];
  return sql<void, { count: number }>(Object.assign(text, { raw: text }))();
};

test('after kill -9 each act has its event and each event its act', async (t) => {
  const path = join(await temporaryFolder(t), 'portico.db');
  await openFixture(async () => {
    const database = openSqlite(path);
    await database.migrate();
    t.after(() => database.close());
    return storesOf(database);
  }, t);

  for (let round = 0; round < 3; round += 1) {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'endless-writes.ts'), path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    await pause(150 + Math.random() * 300);
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  const database = openSqlite(path);
  t.after(() => database.close());
  const counts: Record<string, number | undefined> = {};
  for (const what of [
    'personal_tokens',
    'sessions',
    'mails',
    "security_events WHERE event = 'api_token_created'",
    "security_events WHERE event = 'signed_in'",
    "security_events WHERE event = 'password_reset_asked'",
  ]) {
    counts[what] = (await database.first(count(what)))?.count;
  }
  const [tokens, sessions, mails, created, signedIn = 0, asked] = Object.values(counts);
  // A member has at most 100 sessions.
  assert.deepEqual([created, Math.min(signedIn, 100), asked], [tokens, sessions, mails]);
  assert.ok((tokens ?? 0) > 0 && (sessions ?? 0) > 0 && (mails ?? 0) > 0);
});
