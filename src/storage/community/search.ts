// Searching the words of posts, in each database's own index of them.

import type { PostSummary } from '../../community/post-store.ts';
import type { SearchReads } from '../../community/search-store.ts';
import type { Database } from '../engine/database.ts';
import { type Bound, fragment, sql } from '../engine/sql.ts';
import { SUMMARY_COLUMNS, SUMMARY_TABLES } from './post-summary.ts';

export function search(database: Database): SearchReads {
  return {
    async postsWith(phrases, below, limit) {
      // Words are letters and digits, so no quotation mark can end a phrase early.
      if (database.dialect === 'postgres') {
        const query = phrases.map((words) => `'${words.join(' ')}'`).join(' & ');
        return searchPostgres(database, { query, below, limit });
      }
      const query = phrases.map((words) => `"${words.join(' ')}"`).join(' AND ');
      return database.rows(selectMatches.sqlite({ query, below, limit }));
    },
  };
}

interface Search {
  query: string;
  below: number;
  limit: number;
}

// SQLite reads the matches from the highest id down and stops at the limit.
const selectMatches = {
  sqlite: sql<Search, PostSummary>`
    SELECT ${SUMMARY_COLUMNS} FROM ${SUMMARY_TABLES}
    JOIN post_search ON post_search.rowid = posts.id
    WHERE post_search MATCH :query AND post_search.rowid < :below AND posts.status = 'published'
    ORDER BY post_search.rowid DESC LIMIT cast(:limit AS bigint)`,
};

/** The posts of a block have the same `post_id / 512`, which the index holds. */
const BLOCK = 512;
/** How many blocks each step searches. The step after them searches all posts that are left. */
const STEPS = [1, 8, 64];

// A search for common words can read every post. Nobody waits longer for one.
const MOST_MS = 1500;

/**
 * Search from the newest block of posts to older ones, until there are enough matches. PostgreSQL's index
 * returns all matches at once, unordered, and for a common word nearly every post matches.
 */
async function searchPostgres(database: Database, { query, below, limit }: Search): Promise<PostSummary[]> {
  const end = performance.now() + MOST_MS;
  const rowsInTime = <R>(select: Bound<R>) => database.rowsWithin(end - performance.now(), select);
  const highest = (await database.first(selectHighest()))?.postId ?? 0;
  const ids: number[] = [];
  let next = Math.min(below, highest + 1);
  for (const step of [...STEPS, undefined]) {
    if (next <= 1 || ids.length >= limit) break;
    const last = Math.floor((next - 1) / BLOCK);
    const first = Math.max(0, last - (step ?? last + 1) + 1);
    const rest = { query, below: next, limit: limit - ids.length };
    const blocks = anyBlock(first, last);
    const select =
      step === undefined ? selectIds.postgres(rest) : selectIdsInBlocks.postgres({ ...rest, blocks });
    ids.push(...(await rowsInTime(select)).map(({ id }) => id));
    next = first * BLOCK;
  }
  if (ids.length === 0) return [];
  return rowsInTime(selectByIds.postgres({ ids: `{${ids.join()}}` }));
}

/** A text search query for the blocks from `first` to `last`. */
function anyBlock(first: number, last: number): string {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index).join(' | ');
}

const selectHighest = sql<void, { postId: number }>`
  SELECT post_id AS "postId" FROM post_words ORDER BY post_id DESC LIMIT 1`;

const MATCHES = fragment`SELECT post_id FROM post_words WHERE found_by @@ to_tsquery('portico', :query)`;

// MATERIALIZED and OFFSET 0 fix the order of the steps: read the matches, sort them, and look up the posts
// until enough are published. Otherwise PostgreSQL may read every post, newest first, to find a rare word.
const PUBLISHED_MATCHES = fragment`
    SELECT newest.post_id AS id
    FROM (SELECT post_id FROM matches WHERE post_id < :below ORDER BY post_id DESC OFFSET 0) AS newest
    CROSS JOIN LATERAL (SELECT status FROM posts WHERE posts.id = newest.post_id OFFSET 0) AS post
    WHERE post.status = 'published'
    ORDER BY newest.post_id DESC LIMIT cast(:limit AS bigint)`;

const selectIds = {
  postgres: sql<Search, { id: number }>`
    WITH matches AS MATERIALIZED (${MATCHES})
    ${PUBLISHED_MATCHES}`,
};

// PostgreSQL uses the index only for the expression that the index was created with.
const selectIdsInBlocks = {
  postgres: sql<Search & { blocks: string }, { id: number }>`
    WITH matches AS MATERIALIZED (
      ${MATCHES} AND array_to_tsvector(ARRAY[(post_id / 512)::text]) @@ cast(:blocks AS tsquery)
    )
    ${PUBLISHED_MATCHES}`,
};

const selectByIds = {
  postgres: sql<{ ids: string }, PostSummary>`
    SELECT ${SUMMARY_COLUMNS} FROM ${SUMMARY_TABLES}
    WHERE posts.id = any(cast(:ids AS bigint[]))
    ORDER BY posts.id DESC`,
};
