// Both databases can prepare every statement, and its types agree with how the databases describe it.

import assert from 'node:assert/strict';
import { glob } from 'node:fs/promises';
import { after, test } from 'node:test';
import pg from 'pg';
import type { Dialect } from '../../src/storage/engine/sql.ts';
import type { Description } from './statements/described.ts';
import { countTags, type SourceStatement, sourceStatements } from './statements/source-statements.ts';

// First: the other imports load files of storage, and the places of their statements would be unknown.
const statements = await sourceStatements();
const { openConnection, migrate } = await import('../../src/storage/engine/sqlite-connection.ts');
const { openPostgres } = await import('../../src/storage/engine/postgres.ts');
const { createPostgresDatabase, temporaryFolder } = await import('../support/databases.ts');
const { describeOnPostgres, describeOnSqlite, readCatalog } = await import('./statements/described.ts');
const { typeMistakes } = await import('./statements/type-checks.ts');

const skip = process.env.TEST_POSTGRES_URL ? false : 'TEST_POSTGRES_URL is not set; run it with npm test';

/** How SQLite and, if there is one, PostgreSQL describe each statement. */
const descriptions = new Map<SourceStatement, Description[]>(statements.map((statement) => [statement, []]));

test('every statement in the sources is registered when its file is loaded', async () => {
  const places = new Set(statements.map(({ file, line, column }) => `${file}:${line}:${column}`));
  const placesByFile = Map.groupBy(places, (place) => place.split(':')[0] ?? '');

  for await (const file of glob('src/storage/**/*.ts')) {
    assert.equal(placesByFile.get(file)?.length ?? 0, await countTags(file), file);
  }
  assert.ok(places.size > 0);
});

test('SQLite prepares every statement', () => {
  const database = openConnection(':memory:');
  after(() => database.close());
  migrate(database);

  const mistakes: string[] = [];
  for (const statement of statementsFor('sqlite')) {
    try {
      note(statement, describeOnSqlite(database, statement.sql));
    } catch (error) {
      mistakes.push(`${statement.file}:${statement.line}: ${error}`);
    }
  }

  assert.deepEqual(mistakes, []);
});

test('PostgreSQL prepares every statement', { skip }, async (t) => {
  const url = await createPostgresDatabase(t);
  const database = openPostgres(url);
  await database.migrate();
  await database.close();

  const mistakes: string[] = [];
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const catalog = await readCatalog(client);
    for (const statement of statementsFor('postgres')) {
      try {
        note(statement, await describeOnPostgres(client, catalog, statement.sql));
      } catch (error) {
        mistakes.push(`${statement.file}:${statement.line}: ${error}`);
      }
    }
  } finally {
    await client.end();
  }

  assert.deepEqual(mistakes, []);
});

test('the types of every statement list its values, its columns and which of them can be null', async () => {
  const folder = await temporaryFolder({ after });

  const mistakes = await typeMistakes(descriptions, folder);

  assert.deepEqual(mistakes, []);
});

function statementsFor(dialect: Dialect): SourceStatement[] {
  return statements.filter(({ dialects }) => dialects.includes(dialect));
}

function note(statement: SourceStatement, description: Description): void {
  // The program tells from a statement's text whether it returns rows.
  assert.equal(statement.sql.returnsRows, description.columns.length > 0, 'returnsRows is wrong');
  descriptions.get(statement)?.push(description);
}
