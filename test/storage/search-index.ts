// Whether SQLite's index of words is as it would be if it were built anew. PostgreSQL's always is.

import assert from 'node:assert/strict';
import { NO_ENTRY } from '../../src/storage/audit/audit-trail.ts';
import type { Database } from '../../src/storage/engine/database.ts';
import { type Bound, fragment, sql } from '../../src/storage/engine/sql.ts';
import { indexed } from '../../src/storage/migrations/0083-pairs-of-signs.ts';
import { TOKENS } from '../../src/storage/migrations/0089-whole-words.ts';

export async function checkIndex(database: Database): Promise<void> {
  if (database.dialect !== 'sqlite') return;
  const run = (guard: Bound<unknown>) => database.atomically({ audit: NO_ENTRY, guard });
  await run(createAnew());
  await run(sql`CREATE VIRTUAL TABLE anew_terms USING fts5vocab(anew, instance)`());
  await run(insertAll());
  assert.deepEqual(await database.rows(selectTerms()), await database.rows(selectTermsAnew()));
  await run(sql`DROP TABLE anew_terms`());
  await run(sql`DROP TABLE anew`());
}

const createAnew = sql`
  CREATE VIRTUAL TABLE anew USING fts5(words, content = '', tokenize = ${fragment([TOKENS] as never)})`;

const insertAll = sql`
  INSERT INTO anew (rowid, words) SELECT post_id, ${fragment([indexed('post_words.')] as never)} FROM post_words`;

const selectTerms = sql<void, object>`
  SELECT term, doc, "offset" FROM post_search_terms ORDER BY doc, "offset", term`;
const selectTermsAnew = sql<void, object>`
  SELECT term, doc, "offset" FROM anew_terms ORDER BY doc, "offset", term`;
