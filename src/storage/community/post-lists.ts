// Posts, as they are read: one with its text, or lists without.

import type { Place } from '../../community/feed.ts';
import type { PublishedPosts } from '../../community/post.ts';
import type { CommunityStore } from '../../community/store.ts';
import { type Awaitable, andThen, both } from '../../lib/awaitable.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { type Param, rowCount, statement } from '../engine/statement.ts';
import { isBelow, selectSummaries, summaryOf } from './post-summary.ts';

export function postLists(
  database: Database,
): Pick<CommunityStore, 'findPost' | 'publishedPostsOf' | 'draftsOf' | 'removedPostsOf'> {
  function selectPage(userId: number, offset: number, limit: number): Awaitable<PublishedPosts> {
    const count = database.first(countPublishedPosts({ userId }));
    if (offset >= DEEP) {
      return andThen(count, (counted) => selectDeepPage(userId, offset, limit, Number(counted?.count ?? 0)));
    }
    const rows = database.rows(selectPublishedPostsOf({ userId, offset, limit }));
    return andThen(both(rows, count), ([items, counted]) => ({
      items: items.map(summaryOf),
      total: Number(counted?.count ?? 0),
    }));
  }

  // Rows before the page are passed one by one: they are fewer from the nearer end.
  function selectDeepPage(
    userId: number,
    offset: number,
    limit: number,
    total: number,
  ): Awaitable<PublishedPosts> {
    const after = total - offset - limit;
    if (offset >= total) return { items: [], total };
    if (offset <= after) {
      const rows = database.rows(selectPublishedPostsOf({ userId, offset, limit }));
      return andThen(rows, (items) => ({ items: items.map(summaryOf), total }));
    }
    const fromTheEnd = { userId, offset: Math.max(0, after), limit: Math.min(limit, total - offset) };
    const rows = database.rows(selectOldestPostsOf(fromTheEnd));
    return andThen(rows, (items) => ({ items: items.map(summaryOf).reverse(), total }));
  }

  return {
    async findPost(id) {
      const row = await database.first(selectPost({ id }));
      return row && { ...summaryOf(row), body: row.body };
    },
    publishedPostsOf(userId, offset, limit) {
      return selectPage(userId, offset, limit);
    },
    async draftsOf(userId, before, limit) {
      return (await database.rows(selectDraftsOf({ userId, ...before, limit }))).map(summaryOf);
    },
    async removedPostsOf(userId, since) {
      return (await database.rows(selectRemovedOf({ userId, since }))).map((row) => ({
        ...summaryOf(row),
        removedAt: row.removed_at ?? 0,
        isByOperator: row.removed_by !== null && row.removed_by !== row.user_id,
      }));
    },
  };
}

// Nobody looks for what they removed before so many others.
const MOST_REMOVED = 200;
// Below it both questions are asked at once; beyond it the count tells from which end to look.
const DEEP = 500;

const selectPost = statement((sql, p: Param<{ id: number }>) =>
  selectSummaries(sql).select('posts.body').where('posts.id', '=', p('id')),
);

const selectPublishedPostsOf = publishedPostsFrom('desc');
const selectOldestPostsOf = publishedPostsFrom('asc');

function publishedPostsFrom(direction: 'desc' | 'asc') {
  return statement((sql, p: Param<{ userId: number; offset: number; limit: number }>) =>
    selectSummaries(sql)
      .where('posts.user_id', '=', p('userId'))
      .where('posts.status', '=', 'published')
      .orderBy('posts.published_at', direction)
      .orderBy('posts.id', direction)
      .limit(rowCount(p('limit')))
      .offset(rowCount(p('offset'))),
  );
}

const countPublishedPosts = statement((sql, p: Param<{ userId: number }>) =>
  sql
    .selectFrom('posts')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('user_id', '=', p('userId'))
    .where('status', '=', 'published'),
);

const selectDraftsOf = statement((sql, p: Param<Place & { userId: number; limit: number }>) =>
  selectSummaries(sql)
    .where('posts.user_id', '=', p('userId'))
    .where('posts.status', '=', 'draft')
    .where(isBelow('updated_at', p('at'), p('id')))
    .orderBy('posts.updated_at', 'desc')
    .orderBy('posts.id', 'desc')
    .limit(rowCount(p('limit'))),
);

const selectRemovedOf = statement((sql, p: Param<{ userId: number; since: Timestamp }>) =>
  selectSummaries(sql)
    .select(['posts.removed_at', 'posts.removed_by'])
    .where('posts.user_id', '=', p('userId'))
    .where('posts.status', '=', 'removed')
    .where('posts.removed_at', '>', p('since'))
    .orderBy('posts.removed_at', 'desc')
    .orderBy('posts.id', 'desc')
    .limit(MOST_REMOVED),
);
