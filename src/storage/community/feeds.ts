// Lists of published posts for everyone, each read from where it is asked for down its index.

import type { FeedStore, Place } from '../../community/feed.ts';
import type { Database } from '../engine/database.ts';
import { type Param, rowCount, statement } from '../engine/statement.ts';
import { isBelow, selectSummaries, summaryOf } from './post-summary.ts';

export function feeds(database: Database): FeedStore {
  return {
    async newestPosts(limit) {
      return (await database.rows(selectNewest({ limit }))).map(summaryOf);
    },
    async postsBefore(before, limit) {
      return (await database.rows(selectBefore({ ...before, limit }))).map(summaryOf);
    },
    async postsInCategory(categoryId, before, limit) {
      return (await database.rows(selectInCategory({ categoryId, ...before, limit }))).map(summaryOf);
    },
    async popularPosts(before, limit) {
      const rows = await database.rows(selectPopular({ ...before, limit }));
      return rows.map((row) => ({ ...summaryOf(row), heat: row.heat }));
    },
  };
}

const selectNewest = statement((sql, p: Param<{ limit: number }>) =>
  selectSummaries(sql)
    .where('posts.status', '=', 'published')
    .orderBy('posts.published_at', 'desc')
    .orderBy('posts.id', 'desc')
    .limit(rowCount(p('limit'))),
);

const selectBefore = statement((sql, p: Param<Place & { limit: number }>) =>
  selectSummaries(sql)
    .where('posts.status', '=', 'published')
    .where(isBelow('published_at', p('at'), p('id')))
    .orderBy('posts.published_at', 'desc')
    .orderBy('posts.id', 'desc')
    .limit(rowCount(p('limit'))),
);

const selectInCategory = statement((sql, p: Param<Place & { categoryId: number; limit: number }>) =>
  selectSummaries(sql)
    .where('posts.category_id', '=', p('categoryId'))
    .where('posts.status', '=', 'published')
    .where(isBelow('published_at', p('at'), p('id')))
    .orderBy('posts.published_at', 'desc')
    .orderBy('posts.id', 'desc')
    .limit(rowCount(p('limit'))),
);

const selectPopular = statement((sql, p: Param<Place & { limit: number }>) =>
  selectSummaries(sql)
    .select('posts.heat')
    .where('posts.status', '=', 'published')
    .where(isBelow('heat', p('at'), p('id')))
    .orderBy('posts.heat', 'desc')
    .orderBy('posts.id', 'desc')
    .limit(rowCount(p('limit'))),
);
