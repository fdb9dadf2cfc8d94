// Lists of published posts for everyone. A page starts after the last post of the previous page, which takes
// one look-up in an index.

import type { Cursor } from '../../community/feed.ts';
import type { FeedReads, PopularPost, PostAddress } from '../../community/feed-store.ts';
import type { PostSummary } from '../../community/post-store.ts';
import type { Database } from '../engine/database.ts';
import { sql } from '../engine/sql.ts';
import { SUMMARY_COLUMNS, SUMMARY_TABLES } from './post-summary.ts';

export function feeds(database: Database): FeedReads {
  return {
    newestPosts: async (limit) => database.rows(selectNewest({ limit })),
    newestAddresses: async (limit) => database.rows(selectNewestAddresses({ limit })),
    pinnedPosts: async (limit) => database.rows(selectPinned({ limit })),
    postsBefore: async (after, limit) => database.rows(selectBefore({ ...after, limit })),
    postsInCategory: async (categoryId, after, limit) =>
      database.rows(selectInCategory({ categoryId, ...after, limit })),
    popularPosts: async (after, limit) => database.rows(selectPopular({ ...after, limit })),
  };
}

const selectNewest = sql<{ limit: number }, PostSummary>`
  SELECT ${SUMMARY_COLUMNS} FROM ${SUMMARY_TABLES}
  WHERE posts.status = 'published'
  ORDER BY posts.published_at DESC, posts.id DESC LIMIT cast(:limit AS bigint)`;

const selectNewestAddresses = sql<{ limit: number }, PostAddress>`
  SELECT id, title, updated_at AS "updatedAt" FROM posts
  WHERE status = 'published'
  ORDER BY published_at DESC, id DESC LIMIT cast(:limit AS bigint)`;

const selectPinned = sql<{ limit: number }, PostSummary>`
  SELECT ${SUMMARY_COLUMNS} FROM ${SUMMARY_TABLES}
  WHERE posts.pinned_at IS NOT NULL AND posts.status = 'published'
  ORDER BY posts.pinned_at DESC, posts.id DESC LIMIT cast(:limit AS bigint)`;

const selectBefore = sql<Cursor & { limit: number }, PostSummary>`
  SELECT ${SUMMARY_COLUMNS} FROM ${SUMMARY_TABLES}
  WHERE posts.status = 'published' AND (posts.published_at, posts.id) < (:at, :id)
  ORDER BY posts.published_at DESC, posts.id DESC LIMIT cast(:limit AS bigint)`;

const selectInCategory = sql<Cursor & { categoryId: number; limit: number }, PostSummary>`
  SELECT ${SUMMARY_COLUMNS} FROM ${SUMMARY_TABLES}
  WHERE posts.category_id = :categoryId AND posts.status = 'published'
    AND (posts.published_at, posts.id) < (:at, :id)
  ORDER BY posts.published_at DESC, posts.id DESC LIMIT cast(:limit AS bigint)`;

const selectPopular = sql<Cursor & { limit: number }, PopularPost>`
  SELECT ${SUMMARY_COLUMNS}, posts.heat AS popularity
  FROM ${SUMMARY_TABLES}
  WHERE posts.status = 'published' AND (posts.heat, posts.id) < (:at, :id)
  ORDER BY posts.heat DESC, posts.id DESC LIMIT cast(:limit AS bigint)`;
