// Posts related to another: of each of its tags only the newest posts are candidates, so that the time doesn't depend
// on how many there are.

import type { RelatedPost, RelatedReads } from '../../community/related-store.ts';
import type { Database } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';

export function relatedRows(database: Database): RelatedReads {
  return {
    postsSharingTags: async (postId, limit) =>
      database.rows(selectSharing[database.dialect]({ postId, limit })),
    newestInCategory: async (slug, limit) => database.rows(selectNewestInCategory({ slug, limit })),
  };
}

const COLUMNS = fragment`
  posts.id, posts.status, posts.title, users.username AS "authorName",
  posts.published_at AS "publishedAt", posts.updated_at AS "updatedAt"`;

const NEWEST = fragment`
  SELECT newest.post_id FROM post_tags AS newest
  WHERE newest.tag_id = own.tag_id ORDER BY newest.published_at DESC, newest.post_id DESC LIMIT 20`;

const SHARING = fragment`
  SELECT ${COLUMNS}
  FROM (
    SELECT post_id, count(*) AS tags FROM candidates WHERE post_id <> :postId
    GROUP BY post_id ORDER BY count(*) DESC, post_id DESC LIMIT cast(:limit AS bigint)
  ) AS sharing
  JOIN posts ON posts.id = sharing.post_id AND posts.status = 'published'
  JOIN users ON users.id = posts.user_id AND users.status <> 'closed'
  ORDER BY sharing.tags DESC, posts.id DESC`;

interface Sharing {
  postId: number;
  limit: number;
}

const selectSharing = {
  // SQLite reads a subquery of another row only as a value, such as an array.
  sqlite: sql<Sharing, RelatedPost>`
    WITH candidates AS (
      SELECT other.value AS post_id
      FROM post_tags AS own, json_each((SELECT json_group_array(post_id) FROM (${NEWEST}) AS ids)) AS other
      WHERE own.post_id = :postId
    )
    ${SHARING}`,
  postgres: sql<Sharing, RelatedPost>`
    WITH candidates AS (
      SELECT other.post_id FROM post_tags AS own CROSS JOIN LATERAL (${NEWEST}) AS other
      WHERE own.post_id = :postId
    )
    ${SHARING}`,
};

const selectNewestInCategory = sql<{ slug: string; limit: number }, RelatedPost>`
  SELECT ${COLUMNS}
  FROM posts JOIN users ON users.id = posts.user_id AND users.status <> 'closed'
  WHERE posts.category_id = (SELECT categories.id FROM categories WHERE categories.slug = :slug)
    AND posts.status = 'published'
  ORDER BY posts.published_at DESC, posts.id DESC LIMIT cast(:limit AS bigint)`;
