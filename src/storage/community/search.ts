// Searching the words of posts, in the database's own index of them.

import { type Kysely, type RawBuilder, sql as rawSql, type SqlBool } from 'kysely';
import type { PostSummary } from '../../community/post.ts';
import type { SearchStore } from '../../community/search.ts';
import type { Database } from '../engine/database.ts';
import type { Schema } from '../engine/schema.ts';
import { type Param, rowCount, statement } from '../engine/statement.ts';
import { selectSummaries, summaryOf } from './post-summary.ts';

export function search(database: Database): SearchStore {
  return {
    async postsWith(phrases, below, limit) {
      // Both take a quoted row of words for a phrase, and cut it into words as they did the posts. Words are letters
      // and digits, never a quotation mark.
      if (database.dialect === 'postgres') {
        const query = phrases.map((words) => `'${words.join(' ')}'`).join(' & ');
        return searchServer(database, query, below, limit);
      }
      const query = phrases.map((words) => `"${words.join(' ')}"`).join(' AND ');
      return (await database.rows(selectEmbedded({ query, below, limit }))).map(summaryOf);
    },
  };
}

interface Search {
  query: string;
  below: number;
  limit: number;
}

// The index itself goes through its matches from the highest number down, and stops when there are enough.
const selectEmbedded = statement((sql, p: Param<Search>) =>
  selectSummaries(sql)
    .innerJoin('post_search', 'post_search.rowid', 'posts.id')
    .where(rawSql<SqlBool>`post_search match ${p('query')}`)
    .where('post_search.rowid', '<', p('below'))
    .where('posts.status', '=', 'published')
    .orderBy('post_search.rowid', 'desc')
    .limit(rowCount(p('limit'))),
);

/** As many numbers of posts stand in the index as one block. */
const BLOCK = 512;
/** How many blocks are asked for at once, one step after the other, before all that is left. */
const STEPS = [1, 8, 64];

/**
 * A server's index gives all matches at once, in no order: all posts of a large community for a common word. So the
 * newest block of posts is searched first, then more of the older ones, until there are enough matches. A word that
 * is not found by then is rare.
 */
async function searchServer(
  database: Database,
  query: string,
  below: number,
  limit: number,
): Promise<PostSummary[]> {
  const highest = (await database.first(selectHighest({})))?.post_id ?? 0;
  const found: number[] = [];
  let next = Math.min(below, highest + 1);
  for (const step of [...STEPS, undefined]) {
    if (next <= 1 || found.length >= limit) break;
    const last = Math.floor((next - 1) / BLOCK);
    const first = Math.max(0, last - (step ?? last + 1) + 1);
    const asked = { query, below: next, limit: limit - found.length };
    const select =
      step === undefined ? selectInAll(asked) : selectInBlocks({ ...asked, blocks: or(first, last) });
    found.push(...(await database.rows(select)).map(({ id }) => id));
    next = first * BLOCK;
  }
  if (found.length === 0) return [];
  return (await database.rows(selectByNumber({ ids: `{${found.join()}}` }))).map(summaryOf);
}

function or(first: number, last: number): string {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index).join(' | ');
}

const selectHighest = statement((sql, _: Param<Record<never, never>>) =>
  sql.selectFrom('post_words').select('post_id').orderBy('post_id', 'desc').limit(1),
);

// The expressions are the very ones of the index.
const selectInBlocks = statement((sql, p: Param<Search & { blocks: string }>) =>
  selectFound(
    sql,
    p,
    rawSql`and array_to_tsvector(array[(post_id / 512)::text]) @@ cast(${p('blocks')} as tsquery)`,
  ),
);
const selectInAll = statement((sql, p: Param<Search>) => selectFound(sql, p, rawSql``));

// Each step is a fence: otherwise the server may take looking at every post, one by one from the newest, for the shorter
// way to a rare word. The matches are gathered, ordered, and looked at until enough of them are published.
function selectFound(sql: Kysely<Schema>, p: Param<Search>, where: RawBuilder<unknown>) {
  return sql
    .selectFrom(
      rawSql<{ id: number }>`(
        select matches.post_id as id
        from (
          with matches as materialized (
            select post_id from post_words
            where found_by @@ to_tsquery('portico', ${p('query')}) ${where}
          )
          select post_id from matches where post_id < ${p('below')} order by post_id desc offset 0
        ) as matches
        cross join lateral (select status from posts where id = matches.post_id offset 0) as post
        where post.status = 'published'
      )`.as('found'),
    )
    .select('found.id')
    .orderBy('found.id', 'desc')
    .limit(rowCount(p('limit')));
}

const selectByNumber = statement((sql, p: Param<{ ids: string }>) =>
  selectSummaries(sql)
    .where(rawSql<SqlBool>`posts.id = any(cast(${p('ids')} as bigint[]))`)
    .orderBy('posts.id', 'desc'),
);
