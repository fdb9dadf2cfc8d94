// Posts, as they are read: one with its text, or lists without.

import type { Kysely } from 'kysely';
import type { PostSummary, PublishedPosts } from '../community/post.ts';
import type { CommunityStore } from '../community/store.ts';
import { type Awaitable, andThen, both } from '../lib/awaitable.ts';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';
import { type Param, rowCount, statement } from './statement.ts';

export function postLists(
  database: Database,
): Pick<CommunityStore, 'findPost' | 'publishedPostsOf' | 'draftsOf' | 'newestPosts'> {
  const { recollection } = database;

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
      const name = `${offset}+${limit}`;
      const pages = recollection.recall('posts', userId);
      const kept = pages?.get(name);
      if (kept !== undefined) return kept;
      return andThen(selectPage(userId, offset, limit), (page) => {
        if (pages === undefined || pages.size >= MOST_PAGES_KEPT) {
          recollection.keep('posts', userId, new Map([[name, page]]));
        } else pages.set(name, page);
        return page;
      });
    },
    async draftsOf(userId) {
      return (await database.rows(selectDraftsOf({ userId }))).map(summaryOf);
    },
    async newestPosts(limit) {
      const kept = recollection.recall('newest', limit);
      if (kept !== undefined) return kept;
      const rows = await database.rows(selectNewestPosts({ limit }));
      return recollection.keep('newest', limit, rows.map(summaryOf));
    },
  };
}

// Of one member: who reads a long list to its end does not come back to each page.
const MOST_PAGES_KEPT = 4;
// Below it both questions are asked at once; beyond it the count tells from which end to look.
const DEEP = 500;

// A post's columns but for its body, which can be long, with the names of its author and category.
function selectSummaries(sql: Kysely<Schema>) {
  return sql
    .selectFrom('posts')
    .innerJoin('users', 'users.id', 'posts.user_id')
    .innerJoin('categories', 'categories.id', 'posts.category_id')
    .select([
      ...(['posts.id', 'posts.user_id', 'posts.status', 'posts.title', 'posts.excerpt'] as const),
      ...(['posts.created_at', 'posts.updated_at', 'posts.published_at'] as const),
      ...(['posts.like_count', 'posts.comment_count', 'posts.view_count'] as const),
      'users.username as author_name',
      'users.avatar as author_avatar',
      'categories.name as category_name',
      'categories.slug as category_slug',
    ]);
}

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

const selectDraftsOf = statement((sql, p: Param<{ userId: number }>) =>
  selectSummaries(sql)
    .where('posts.user_id', '=', p('userId'))
    .where('posts.status', '=', 'draft')
    .orderBy('posts.updated_at', 'desc')
    .orderBy('posts.id', 'desc'),
);

const selectNewestPosts = statement((sql, p: Param<{ limit: number }>) =>
  selectSummaries(sql)
    .where('posts.status', '=', 'published')
    .orderBy('posts.published_at', 'desc')
    .orderBy('posts.id', 'desc')
    .limit(rowCount(p('limit'))),
);

type SummaryRow = NonNullable<ReturnType<typeof selectNewestPosts>['rowType']>;

function summaryOf(row: SummaryRow): PostSummary {
  return {
    id: row.id,
    userId: row.user_id,
    authorName: row.author_name,
    authorAvatar: row.author_avatar ?? undefined,
    categoryName: row.category_name,
    categorySlug: row.category_slug,
    status: row.status,
    title: row.title,
    excerpt: row.excerpt,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    publishedAt: row.published_at ?? undefined,
    likeCount: row.like_count,
    commentCount: row.comment_count,
    viewCount: row.view_count,
  };
}
