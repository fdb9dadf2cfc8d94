// Lists of published posts for everyone. A page starts below the last post of the page before, one step into
// an index.

import type { Place } from '../../community/feed.ts';
import type { FeedReads } from '../../community/feed-store.ts';
import type { Database } from '../engine/database.ts';
import { sql } from '../engine/sql.ts';
import { SUMMARY_COLUMNS, SUMMARY_TABLES, type SummaryRow, summaryOf } from './post-summary.ts';

export function feeds(database: Database): FeedReads {
  return {
    async newestPosts(limit) {
      return (await database.rows(selectNewest({ limit }))).map(summaryOf);
    },
    async postsBefore(after, limit) {
      return (await database.rows(selectBefore({ ...after, limit }))).map(summaryOf);
    },
    async postsInCategory(categoryId, after, limit) {
      return (await database.rows(selectInCategory({ categoryId, ...after, limit }))).map(summaryOf);
    },
    async popularPosts(after, limit) {
      const rows = await database.rows(selectPopular({ ...after, limit }));
      return rows.map((row) => ({ ...summaryOf(row), popularity: row.popularity }));
    },
  };
}

const selectNewest = sql<{ limit: number }, SummaryRow>`
  SELECT ${SUMMARY_COLUMNS}
  FROM ${SUMMARY_TABLES}
  WHERE posts.status = 'published'
  ORDER BY posts.published_at DESC, posts.id DESC
  LIMIT cast(:limit AS bigint)`;

const selectBefore = sql<Place & { limit: number }, SummaryRow>`
  SELECT ${SUMMARY_COLUMNS}
  FROM ${SUMMARY_TABLES}
  WHERE posts.status = 'published' AND (posts.published_at, posts.id) < (:at, :id)
  ORDER BY posts.published_at DESC, posts.id DESC
  LIMIT cast(:limit AS bigint)`;

const selectInCategory = sql<Place & { categoryId: number; limit: number }, SummaryRow>`
  SELECT ${SUMMARY_COLUMNS}
  FROM ${SUMMARY_TABLES}
  WHERE posts.category_id = :categoryId
    AND posts.status = 'published'
    AND (posts.published_at, posts.id) < (:at, :id)
  ORDER BY posts.published_at DESC, posts.id DESC
  LIMIT cast(:limit AS bigint)`;

const selectPopular = sql<Place & { limit: number }, SummaryRow & { popularity: number }>`
  SELECT ${SUMMARY_COLUMNS}, posts.heat AS popularity
  FROM ${SUMMARY_TABLES}
  WHERE posts.status = 'published' AND (posts.heat, posts.id) < (:at, :id)
  ORDER BY posts.heat DESC, posts.id DESC
  LIMIT cast(:limit AS bigint)`;
