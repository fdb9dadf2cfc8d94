// What a member wrote, read along indexes in pieces, for the export.

import { type Kysely, sql as rawSql } from 'kysely';
import type { Place } from '../../community/feed.ts';
import type { OwnDataStore, OwnPost } from '../../community/own-data.ts';
import type { Database } from '../engine/database.ts';
import type { Schema } from '../engine/schema.ts';
import { type Param, rowCount, statement } from '../engine/statement.ts';

export function ownDataRows(database: Database): OwnDataStore {
  return {
    async ownPosts(userId, status, before, limit) {
      const rows = await database.rows(POSTS[status]({ userId, ...before, limit }));
      return rows.map(postOf);
    },
    async ownComments(userId, after, limit) {
      const rows = await database.rows(selectComments({ userId, after, limit }));
      return rows.map((row) => ({
        id: row.id,
        postId: row.post_id,
        parentId: row.parent_id ?? undefined,
        status: row.status,
        body: row.body,
        createdAt: row.created_at,
        editedAt: row.edited_at ?? undefined,
        removedAt: row.removed_at ?? undefined,
      }));
    },
    async ownLikes(userId, before, limit) {
      const rows = await database.rows(selectLikes({ userId, ...before, limit }));
      return rows.map((row) => ({
        postId: row.post_id,
        postTitle: row.title,
        createdAt: row.created_at,
      }));
    },
  };
}

type Page = Place & { userId: number; limit: number };

// The moments by which the indexes of each state are ordered.
const PLACES = { published: 'published_at', draft: 'updated_at', removed: 'removed_at' } as const;

function postsWith<S extends keyof typeof PLACES>(status: S) {
  const place = PLACES[status];
  return statement((sql: Kysely<Schema>, p: Param<Page>) =>
    sql
      .selectFrom('posts')
      .innerJoin('categories', 'categories.id', 'posts.category_id')
      .selectAll('posts')
      .select('categories.name as category_name')
      .where('posts.user_id', '=', p('userId'))
      .where('posts.status', '=', status)
      .where(rawSql<boolean>`(${rawSql.ref(`posts.${place}`)}, posts.id) < (${p('at')}, ${p('id')})`)
      .orderBy(`posts.${place}`, 'desc')
      .orderBy('posts.id', 'desc')
      .limit(rowCount(p('limit'))),
  );
}

const POSTS = {
  published: postsWith('published'),
  draft: postsWith('draft'),
  removed: postsWith('removed'),
};

const selectComments = statement((sql, p: Param<{ userId: number; after: number; limit: number }>) =>
  sql
    .selectFrom('comments')
    .selectAll()
    .where('user_id', '=', p('userId'))
    .where('id', '>', p('after'))
    .orderBy('id')
    .limit(rowCount(p('limit'))),
);

// What is gone has no title any more for others than its author.
const selectLikes = statement((sql, p: Param<Page>) =>
  sql
    .selectFrom('likes')
    .innerJoin('posts', 'posts.id', 'likes.post_id')
    .select(['likes.post_id', 'likes.created_at', 'posts.title'])
    .where('likes.user_id', '=', p('userId'))
    .where('posts.status', '=', 'published')
    .where(rawSql<boolean>`(likes.created_at, likes.post_id) < (${p('at')}, ${p('id')})`)
    .orderBy('likes.created_at', 'desc')
    .orderBy('likes.post_id', 'desc')
    .limit(rowCount(p('limit'))),
);

type PostRow = NonNullable<ReturnType<typeof POSTS.published>['rowType']>;

function postOf(row: PostRow): OwnPost {
  return {
    id: row.id,
    status: row.status,
    categoryName: row.category_name,
    title: row.title,
    body: row.body,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    publishedAt: row.published_at ?? undefined,
    removedAt: row.removed_at ?? undefined,
    likeCount: row.like_count,
    commentCount: row.comment_count,
    viewCount: row.view_count,
  };
}
