// What every list of posts reads: a post's columns but for its body, which can be long, with the names of its author
// and category.

import { type Kysely, type RawBuilder, sql as rawSql, type SqlBool } from 'kysely';
import type { PostSummary } from '../../community/post.ts';
import type { Schema } from '../engine/schema.ts';

export function selectSummaries(sql: Kysely<Schema>) {
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

/** What stands after a place in a list by this column and the number, both descending: one step into its index. */
export function isBelow(
  column: 'published_at' | 'heat' | 'updated_at',
  at: number,
  id: number,
): RawBuilder<SqlBool> {
  return rawSql<SqlBool>`(${rawSql.ref(`posts.${column}`)}, posts.id) < (${at}, ${id})`;
}

type SummaryRow = NonNullable<Awaited<ReturnType<ReturnType<typeof selectSummaries>['executeTakeFirst']>>>;

export function summaryOf(row: SummaryRow): PostSummary {
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
