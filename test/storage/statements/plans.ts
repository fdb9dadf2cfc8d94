// How SQLite reads for each statement of the program, on an empty database.

import { after } from 'node:test';
import { type SourceStatement, sourceStatements } from './source-statements.ts';

// First: the other imports load files of storage, and the places of their statements would be unknown.
export const statements = (await sourceStatements())
  // The sandbox alone has them, and its tables stay small.
  .filter(({ file }) => !file.endsWith('purge/erased-member.ts'));
const { openConnection, migrate } = await import('../../../src/storage/engine/sqlite-connection.ts');

export const database = openConnection(':memory:');
after(() => database.close());
migrate(database);

export interface Plan {
  place: string;
  steps: string[];
}

/** Explain a statement. */
export function planOf({ file, line, sql }: SourceStatement): Plan {
  const rows = database.prepare(`EXPLAIN QUERY PLAN ${sql.text('sqlite')}`).all();
  return { place: `${file}:${line}`, steps: rows.map(({ detail }) => String(detail)) };
}
