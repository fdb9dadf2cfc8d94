// Reading posts: one with its body, or lists of one member's posts without.

import type { Place } from '../../community/feed.ts';
import type { PostReads, PublishedPosts, RemovedPost } from '../../community/post-store.ts';
import { type Awaitable, andThen, both } from '../../lib/awaitable.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';
import { SUMMARY_COLUMNS, SUMMARY_TABLES, type SummaryRow, summaryOf } from './post-summary.ts';

export function postLists(database: Database): PostReads {
  return {
    async findPost(id) {
      const row = await database.first(selectPost({ id }));
      return row && { ...summaryOf(row), body: row.body };
    },
    publishedPostsOf(userId, offset, limit) {
      const count = database.first(countPublishedPosts({ userId }));
      if (offset >= DEEP) {
        return andThen(count, (row) => deepPage(database, { userId, offset, limit }, row?.count ?? 0));
      }
      const rows = database.rows(selectNewestFirst({ userId, offset, limit }));
      return andThen(both(rows, count), ([items, row]) => ({
        items: items.map(summaryOf),
        total: row?.count ?? 0,
      }));
    },
    async draftsOf(userId, after, limit) {
      return (await database.rows(selectDrafts({ userId, ...after, limit }))).map(summaryOf);
    },
    async removedPostsOf(userId, since) {
      return (await database.rows(selectRemovedPosts({ userId, since }))).map(removedPostOf);
    },
  };
}

// Up to this offset the page and the count are read at once. Beyond it the count comes first.
const DEEP = 500;

interface Page {
  userId: number;
  offset: number;
  limit: number;
}

// The database steps over every row before the page, so the page is read from the nearer end of the list.
function deepPage(database: Database, page: Page, total: number): Awaitable<PublishedPosts> {
  const { userId, offset, limit } = page;
  const after = total - offset - limit;
  if (offset >= total) return { items: [], total };
  if (offset <= after) {
    const rows = database.rows(selectNewestFirst(page));
    return andThen(rows, (items) => ({ items: items.map(summaryOf), total }));
  }
  const fromTheEnd = { userId, offset: Math.max(0, after), limit: Math.min(limit, total - offset) };
  const rows = database.rows(selectOldestFirst(fromTheEnd));
  return andThen(rows, (items) => ({ items: items.map(summaryOf).reverse(), total }));
}

const selectPost = sql<{ id: number }, SummaryRow & { body: string }>`
  SELECT ${SUMMARY_COLUMNS}, posts.body
  FROM ${SUMMARY_TABLES}
  WHERE posts.id = :id`;

const countPublishedPosts = sql<{ userId: number }, { count: number }>`
  SELECT count(*) AS count FROM posts WHERE user_id = :userId AND status = 'published'`;

const PUBLISHED_POSTS = fragment`
  SELECT ${SUMMARY_COLUMNS}
  FROM ${SUMMARY_TABLES}
  WHERE posts.user_id = :userId AND posts.status = 'published'`;

const selectNewestFirst = sql<Page, SummaryRow>`
  ${PUBLISHED_POSTS}
  ORDER BY posts.published_at DESC, posts.id DESC
  LIMIT cast(:limit AS bigint) OFFSET cast(:offset AS bigint)`;

const selectOldestFirst = sql<Page, SummaryRow>`
  ${PUBLISHED_POSTS}
  ORDER BY posts.published_at, posts.id
  LIMIT cast(:limit AS bigint) OFFSET cast(:offset AS bigint)`;

const selectDrafts = sql<Place & { userId: number; limit: number }, SummaryRow>`
  SELECT ${SUMMARY_COLUMNS}
  FROM ${SUMMARY_TABLES}
  WHERE posts.user_id = :userId AND posts.status = 'draft' AND (posts.updated_at, posts.id) < (:at, :id)
  ORDER BY posts.updated_at DESC, posts.id DESC
  LIMIT cast(:limit AS bigint)`;

interface RemovedRow extends SummaryRow {
  removed_at: Timestamp | null;
  removed_by: number | null;
}

// The page that shows them has no next page, so the list has an end.
const selectRemovedPosts = sql<{ userId: number; since: Timestamp }, RemovedRow>`
  SELECT ${SUMMARY_COLUMNS}, posts.removed_at, posts.removed_by
  FROM ${SUMMARY_TABLES}
  WHERE posts.user_id = :userId AND posts.status = 'removed' AND posts.removed_at > :since
  ORDER BY posts.removed_at DESC, posts.id DESC
  LIMIT 200`;

function removedPostOf(row: RemovedRow): RemovedPost {
  return {
    ...summaryOf(row),
    removedAt: row.removed_at ?? 0,
    isByOperator: row.removed_by !== null && row.removed_by !== row.user_id,
  };
}
