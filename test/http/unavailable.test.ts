// Responses while the database can be read but not written, because another process holds the write lock.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { openApp } from '../support/app.ts';
import { temporaryFolder } from '../support/databases.ts';
import { notebook, person } from '../support/people.ts';
import { askToken, callApi, revoke, signInWith } from '../support/relying-party.ts';

test('If the store fails: 503, never 200. Nothing has happened, and the same request works later.', async (t) => {
  const file = join(await temporaryFolder(t), 'portico.db');
  const app = await openApp({ DATABASE_URL: `file:${file}` });
  t.after(() => app.close());
  await person(app.portico, 'alice');
  const client = await notebook(app.portico);
  const [first, second, third] = [
    await signInWith(app, client, 'alice'),
    await signInWith(app, client, 'alice'),
    await signInWith(app, client, 'alice'),
  ];
  const refresh = { grant_type: 'refresh_token', refresh_token: third.refresh_token };
  const other = new DatabaseSync(file);
  other.exec('BEGIN IMMEDIATE');

  const answers = await Promise.all([
    revoke(app, client, first.access_token),
    revoke(app, client, second.refresh_token),
    askToken(app, client, refresh),
  ]);

  for (const answer of answers) {
    assert.equal(answer.status, 503);
    assert.ok(Number(answer.headers.get('retry-after')) > 0);
    assert.equal(((await answer.json()) as { error: string }).error, 'temporarily_unavailable');
  }
  other.exec('ROLLBACK');
  other.close();
  for (const { access_token } of [first, second, third]) {
    assert.equal((await callApi(app, '/', access_token)).status, 200);
  }
  assert.equal((await revoke(app, client, first.access_token)).status, 200);
  assert.equal((await revoke(app, client, second.refresh_token)).status, 200);
  assert.equal((await askToken(app, client, refresh)).status, 200);
  assert.equal((await callApi(app, '/', first.access_token)).status, 401);
  assert.equal((await callApi(app, '/', second.access_token)).status, 401);
});
