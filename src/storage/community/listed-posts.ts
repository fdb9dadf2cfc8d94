// Lists of all posts that are or were published. A draft that was removed was never published.

import type { ListedPost, PostListReads } from '../../community/post-list-store.ts';
import type { Database } from '../engine/database.ts';
import { patternOf } from '../engine/like.ts';
import { fragment, sql } from '../engine/sql.ts';
import { SUMMARY_TABLES } from './post-summary.ts';

export function listedPosts(database: Database): PostListReads {
  return {
    async postsMatching({ status, userId, category, search }, after, limit) {
      const pattern = search === undefined ? undefined : patternOf(search);
      return database.rows(selectMatching({ status, userId, category, pattern, after, limit }));
    },
    findListedPost: async (id) => database.first(selectListed({ id })),
  };
}

const COLUMNS = fragment`
  posts.id, users.username AS "authorName", categories.name AS "categoryName", posts.status, posts.title,
  posts.published_at AS "publishedAt", posts.updated_at AS "updatedAt", posts.removed_at AS "removedAt",
  posts.like_count AS "likeCount", posts.comment_count AS "commentCount", posts.view_count AS "viewCount"`;

// The status too, so that the rows have its type.
const WAS_PUBLISHED = fragment`posts.status <> 'draft' AND posts.published_at IS NOT NULL`;

interface Query {
  status: string | undefined;
  userId: number | undefined;
  category: string | undefined;
  pattern: string | undefined;
  after: number;
  limit: number;
}

const selectMatching = sql<Query, ListedPost>`
  SELECT ${COLUMNS} FROM ${SUMMARY_TABLES}
  WHERE posts.id > :after AND ${WAS_PUBLISHED}
    AND (cast(:status AS text) IS NULL OR posts.status = :status)
    AND (cast(:userId AS bigint) IS NULL OR posts.user_id = :userId)
    AND (cast(:category AS text) IS NULL OR categories.name = :category)
    AND (cast(:pattern AS text) IS NULL OR lower(posts.title) LIKE :pattern ESCAPE '!')
  ORDER BY posts.id LIMIT cast(:limit AS bigint)`;

const selectListed = sql<{ id: number }, ListedPost & { body: string }>`
  SELECT ${COLUMNS}, posts.body FROM ${SUMMARY_TABLES}
  WHERE posts.id = :id AND ${WAS_PUBLISHED}`;
