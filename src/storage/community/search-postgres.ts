// A search in PostgreSQL's index of words, which returns all matches at once and in no order. It also has the block of
// 512 ids that a post belongs to, so that the newest blocks can be searched first.

import type { PostQuery } from '../../community/search-store.ts';
import type { Database } from '../engine/database.ts';
import { type Bound, fragment, sql } from '../engine/sql.ts';
import { partOf, type SearchSteps } from './search-steps.ts';

/** The posts of a block have the same `post_id / 512`, which the index holds. */
const BLOCK = 512;
/** How many blocks each step has. The step after them has all posts that are left. */
const STEPS = [1, 8, 64];
const MOST_BLOCKS = 64;

export function postgresSteps(database: Database, query: PostQuery): SearchSteps {
  const { categoryId, tagId, language } = query;
  const filters = { query: queryOf(query), categoryId, tagId, language };
  const idsOf = async (patience: number, select: Bound<{ id: number }>) =>
    (await database.rowsWithin(patience, select)).map(({ id }) => id);
  return {
    async read(below, limit, step, patience) {
      const blocks = STEPS[step];
      const last = Math.floor((below - 1) / BLOCK);
      const first = blocks === undefined ? 0 : Math.max(0, last - blocks + 1);
      const search = { ...filters, below, limit };
      const select =
        last - first >= MOST_BLOCKS
          ? selectIds.postgres(search)
          : selectIdsInBlocks.postgres({ ...search, blocks: anyBlock(first, last) });
      return partOf(await idsOf(patience, select), limit, Math.max(1, first * BLOCK));
    },
    among: (ids, patience) =>
      idsOf(patience, selectIdsAmong.postgres({ ...filters, ids: `{${ids.join()}}`, limit: ids.length })),
  };
}

// Words are letters and digits, so no quotation mark can end a phrase early.
function queryOf({ phrases, isCompleted = false }: PostQuery): string {
  return phrases
    .map((words, index) => `'${words.join(' ')}'${isCompleted && index === phrases.length - 1 ? ':*' : ''}`)
    .join(' & ');
}

/** A text search query for the blocks from `first` to `last`. */
function anyBlock(first: number, last: number): string {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index).join(' | ');
}

interface Filters {
  query: string;
  categoryId: number | undefined;
  tagId: number | undefined;
  language: string | undefined;
}

type Search = Filters & { below: number; limit: number };

const MATCHES = fragment`SELECT post_id FROM post_words WHERE found_by @@ to_tsquery('portico', :query)`;

// MATERIALIZED and OFFSET 0 fix the order of the steps: read the matches, sort them, and look up the posts
// until enough are published. Otherwise PostgreSQL may read every post, newest first, to find a rare word.
const PUBLISHED = fragment`
    CROSS JOIN LATERAL (
      SELECT status, category_id, language FROM posts WHERE posts.id = newest.post_id OFFSET 0
    ) AS post
    WHERE post.status = 'published'
      AND (cast(:categoryId AS bigint) IS NULL OR post.category_id = :categoryId)
      AND (cast(:language AS text) IS NULL OR post.language = :language)
      AND (cast(:tagId AS bigint) IS NULL
        OR EXISTS (SELECT 1 FROM post_tags WHERE post_tags.post_id = newest.post_id AND post_tags.tag_id = :tagId))
    ORDER BY newest.post_id DESC LIMIT cast(:limit AS bigint)`;

const PUBLISHED_MATCHES = fragment`
    SELECT newest.post_id AS id
    FROM (SELECT post_id FROM matches WHERE post_id < :below ORDER BY post_id DESC OFFSET 0) AS newest
    ${PUBLISHED}`;

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

// Their words are read by their ids: the index of words has those of all posts.
const selectIdsAmong = {
  postgres: sql<Filters & { ids: string; limit: number }, { id: number }>`
    SELECT newest.post_id AS id
    FROM (
      SELECT post_id FROM (
        SELECT post_id, found_by FROM post_words WHERE post_id = any(cast(:ids AS bigint[])) OFFSET 0
      ) AS own
      WHERE own.found_by @@ to_tsquery('portico', :query)
    ) AS newest
    ${PUBLISHED}`,
};
