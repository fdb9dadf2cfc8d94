// Members are erased with every row about them, in a database with rows in every table.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { eraseMember } from '../../../src/storage/purge/erased-member.ts';
import { openApp } from '../../support/app.ts';
import { temporaryFolder } from '../../support/databases.ts';
import { fillAccounts, fillOtherTables } from '../../support/moving.ts';

test('Nothing is left of erased members, their posts and their applications', async (t) => {
  const path = join(await temporaryFolder(t), 'portico.db');
  const app = await openApp({ DATABASE_URL: `file:${path}` });
  t.after(() => app.close());
  const { alice, bob, client } = await fillAccounts(app.portico);
  app.portico.numbers.note(client.id, 'api', app.clock.now);
  await app.portico.numbers.flush();
  fillOtherTables(path);
  assert.notDeepEqual(traces(path, [bob.id], [client.id]), []);

  await eraseMember(app.portico.database, bob.id);
  assert.deepEqual(traces(path, [bob.id], [client.id]), []);
  assert.equal(await app.portico.oauth.reads.findClient(client.id), undefined);

  await eraseMember(app.portico.database, alice.id);
  assert.deepEqual(traces(path, [alice.id, bob.id], [client.id]), []);
});

test('Others have turns while very many tokens of a member are deleted', async (t) => {
  const path = join(await temporaryFolder(t), 'portico.db');
  const app = await openApp({ DATABASE_URL: `file:${path}` });
  t.after(() => app.close());
  const { alice } = await fillAccounts(app.portico);
  const file = new DatabaseSync(path);
  file.exec(`
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 3000)
    INSERT INTO access_tokens (key, digest, family_key, scopes, expires_at)
    SELECT printf('%s%04d', one.key, n), randomblob(32), one.family_key, one.scopes, one.expires_at
    FROM numbers, (SELECT * FROM access_tokens LIMIT 1) AS one`);
  file.close();
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);

  await eraseMember(app.portico.database, alice.id);
  isOver = true;

  assert.ok(turns >= 6, `${turns} turns`);
});

/** The columns that still name one of these members or applications. */
function traces(path: string, users: number[], clients: string[]): string[] {
  const file = new DatabaseSync(path);
  const tables = file.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const found = tables
    .map(({ name }) => String(name))
    .flatMap((table) => {
      const references = file.prepare('SELECT "from", "table" FROM pragma_foreign_key_list(?)').all(table);
      const named = file
        .prepare("SELECT name FROM pragma_table_info(?) WHERE name IN ('user_id', 'client_id')")
        .all(table)
        .map(({ name }) => ({ from: name, table: name === 'user_id' ? 'users' : 'clients' }));
      return [...references, ...named].flatMap(({ from, table: target }) => {
        if (target !== 'users' && target !== 'clients') return [];
        const values = target === 'users' ? users : clients;
        const places = values.map(() => '?').join(', ');
        const row = file.prepare(`SELECT 1 FROM ${table} WHERE ${from} IN (${places})`).get(...values);
        return row === undefined ? [] : [`${table}.${from}`];
      });
    });
  file.close();
  return [...new Set(found)];
}
