// Reads one post with its body, or lists of a member's posts without their bodies.

import type { Cursor } from '../../community/feed.ts';
import type {
  Post,
  PostReads,
  PostSize,
  PostSummary,
  PublishedPosts,
  RemovedPost,
} from '../../community/post-store.ts';
import { type Awaitable, andThen, both } from '../../lib/awaitable.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { type Fragment, fragment, sql } from '../engine/sql.ts';
import { IS_LISTED } from './listed-ids.ts';
import { POST_COLUMNS, SUMMARY_COLUMNS, SUMMARY_TABLES } from './post-summary.ts';

export function postLists(database: Database): PostReads {
  return {
    findPost: async (id) => database.first(selectPost({ id })),
    postSizes: async (ids) => database.rows(selectSizes[database.dialect]({ ids: JSON.stringify(ids) })),
    publishedPostsOf(userId, offset, limit) {
      const count = database.first(selectPostCount({ userId }));
      if (offset >= DEEP) {
        return andThen(count, (row) => deepPage(database, { userId, offset, limit }, row?.count ?? 0));
      }
      const rows = database.rows(selectNewestFirst({ userId, offset, limit }));
      return andThen(both(rows, count), ([items, row]) => ({ items, total: row?.count ?? 0 }));
    },
    async countDrafts(userId) {
      return (await database.first(selectDraftCounts({ userId }))) ?? { drafts: 0, removed: 0 };
    },
    draftsOf: async (userId, after, limit) => database.rows(selectDrafts({ userId, ...after, limit })),
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
    return andThen(rows, (items) => ({ items, total }));
  }
  const fromTheEnd = { userId, offset: Math.max(0, after), limit: Math.min(limit, total - offset) };
  const rows = database.rows(selectOldestFirst(fromTheEnd));
  return andThen(rows, (items) => ({ items: items.reverse(), total }));
}

const selectPost = sql<{ id: number }, Post>`
  SELECT ${POST_COLUMNS}
  FROM ${SUMMARY_TABLES}
  WHERE posts.id = :id`;

// Both databases know the length in bytes without reading the text.
function sizes(areThese: Fragment): Fragment {
  return fragment`
    SELECT posts.id, coalesce(octet_length(posts.html), octet_length(posts.body)) AS bytes
    FROM posts
    WHERE posts.id ${areThese} AND posts.status = 'published'`;
}

const selectSizes = {
  sqlite: sql<{ ids: string }, PostSize>`${sizes(IS_LISTED.sqlite)}`,
  postgres: sql<{ ids: string }, PostSize>`${sizes(IS_LISTED.postgres)}`,
};

// Triggers keep the number. The posts of a closed account are hidden before they are removed, in steps.
const selectPostCount = sql<{ userId: number }, { count: number }>`
  SELECT post_count AS count FROM users WHERE id = :userId AND status <> 'closed'`;

// The index alone leads to the page: the posts before it are not read.
const IN_INDEX = fragment`SELECT id AS picked FROM posts WHERE user_id = :userId AND status = 'published'`;
const PART = fragment`LIMIT cast(:limit AS bigint) OFFSET cast(:offset AS bigint)`;
const PICKED_POSTS = fragment`${SUMMARY_TABLES} WHERE posts.id = picked AND posts.status = 'published'`;

const selectNewestFirst = sql<Page, PostSummary>`
  SELECT ${SUMMARY_COLUMNS}
  FROM (${IN_INDEX} ORDER BY published_at DESC, id DESC ${PART}) AS part CROSS JOIN ${PICKED_POSTS}
  ORDER BY posts.published_at DESC, posts.id DESC`;

const selectOldestFirst = sql<Page, PostSummary>`
  SELECT ${SUMMARY_COLUMNS}
  FROM (${IN_INDEX} ORDER BY published_at, id ${PART}) AS part CROSS JOIN ${PICKED_POSTS}
  ORDER BY posts.published_at, posts.id`;

const selectDrafts = sql<Cursor & { userId: number; limit: number }, PostSummary>`
  SELECT ${SUMMARY_COLUMNS} FROM ${SUMMARY_TABLES}
  WHERE posts.user_id = :userId AND posts.status = 'draft' AND (posts.updated_at, posts.id) < (:at, :id)
  ORDER BY posts.updated_at DESC, posts.id DESC LIMIT cast(:limit AS bigint)`;

interface RemovedRow extends PostSummary {
  removedAt: Timestamp | undefined;
  removedBy: number | undefined;
  openReports: number;
}

// The list of removed posts has no second page, so the query has a fixed limit.
const selectRemovedPosts = sql<{ userId: number; since: Timestamp }, RemovedRow>`
  SELECT ${SUMMARY_COLUMNS}, posts.removed_at AS "removedAt", posts.removed_by AS "removedBy",
    (SELECT count(*) FROM reports
      WHERE reports.post_id = posts.id AND reports.comment_id IS NULL AND reports.resolved_at IS NULL
    ) AS "openReports"
  FROM ${SUMMARY_TABLES}
  WHERE posts.user_id = :userId AND posts.status = 'removed' AND posts.removed_at > :since
  ORDER BY posts.removed_at DESC, posts.id DESC LIMIT 200`;

function removedPostOf({ removedBy, openReports, ...post }: RemovedRow): RemovedPost {
  return {
    ...post,
    removedAt: post.removedAt ?? 0,
    isByOperator: removedBy !== undefined && removedBy !== post.userId,
    isReported: openReports > 0,
  };
}

const selectDraftCounts = sql<{ userId: number }, { drafts: number; removed: number }>`
  SELECT (SELECT count(*) FROM posts WHERE user_id = :userId AND status = 'draft') AS drafts,
    (SELECT count(*) FROM posts WHERE user_id = :userId AND status = 'removed' AND published_at IS NULL) AS removed`;
