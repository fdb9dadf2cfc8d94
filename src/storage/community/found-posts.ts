// The posts that a search found, by their ids.

import type { FoundPost, SearchReads } from '../../community/search-store.ts';
import type { Database } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';
import { SUMMARY_COLUMNS, SUMMARY_TABLES } from './post-summary.ts';

export function foundPosts(database: Database): Pick<SearchReads, 'popularityOf' | 'postsByIds'> {
  const { dialect } = database;
  const listOf = (ids: readonly number[]) =>
    dialect === 'postgres' ? `{${ids.join()}}` : JSON.stringify(ids);
  return {
    async popularityOf(ids) {
      return database.rows(selectPopularity[dialect]({ ids: listOf(ids) }));
    },
    async postsByIds(ids) {
      const rows = await database.rows(selectPosts[dialect]({ ids: listOf(ids) }));
      const posts = new Map(rows.map((post) => [post.id, post]));
      return ids.map((id) => posts.get(id)).filter((post) => post !== undefined);
    },
  };
}

const IS_LISTED = {
  sqlite: fragment`posts.id IN (SELECT value FROM json_each(:ids)) AND posts.status = 'published'`,
  postgres: fragment`posts.id = any(cast(:ids AS bigint[])) AND posts.status = 'published'`,
};

const POPULARITY = fragment`SELECT posts.id, posts.heat AS popularity FROM posts`;

const selectPopularity = {
  sqlite: sql<{ ids: string }, { id: number; popularity: number }>`${POPULARITY} WHERE ${IS_LISTED.sqlite}`,
  postgres: sql<{ ids: string }, { id: number; popularity: number }>`
    ${POPULARITY} WHERE ${IS_LISTED.postgres}`,
};

// As much as a page reads to show the words that it found.
const POSTS = fragment`
  SELECT ${SUMMARY_COLUMNS}, substr(posts.html, 1, 12000) AS html FROM ${SUMMARY_TABLES}`;

const selectPosts = {
  sqlite: sql<{ ids: string }, FoundPost>`${POSTS} WHERE ${IS_LISTED.sqlite}`,
  postgres: sql<{ ids: string }, FoundPost>`${POSTS} WHERE ${IS_LISTED.postgres}`,
};
