// The columns that every list of posts reads: a post with the names of its author and category, but without
// its body, which can be long.

import { fragment } from '../engine/sql.ts';

// The posts of a merged category move in steps. Until then they have the address of its heir. The name is the same.
const CATEGORY_SLUG = fragment`
  coalesce((SELECT heirs.slug FROM categories AS heirs WHERE heirs.id = categories.heir_id), categories.slug)`;

/** The columns of `PostSummary`, from `SUMMARY_TABLES`. */
export const SUMMARY_COLUMNS = fragment`
  posts.id, posts.user_id AS "userId", users.username AS "authorName", users.avatar AS "authorAvatar",
  categories.name AS "categoryName", ${CATEGORY_SLUG} AS "categorySlug",
  posts.status, posts.title, posts.excerpt, posts.tags, posts.language, posts.reading_minutes AS "readingMinutes",
  posts.picture,
  posts.created_at AS "createdAt", posts.updated_at AS "updatedAt", posts.published_at AS "publishedAt",
  posts.like_count AS "likeCount", posts.comment_count AS "commentCount", posts.view_count AS "viewCount"`;

/** The columns of `Post`, from `SUMMARY_TABLES`. */
export const POST_COLUMNS = fragment`
  ${SUMMARY_COLUMNS}, posts.body, posts.html, posts.html_version AS "htmlVersion",
  posts.locked_at AS "lockedAt", posts.pinned_at AS "pinnedAt"`;

// The posts of a closed account are hidden before they are removed, in steps.
export const SUMMARY_TABLES = fragment`posts
  JOIN users ON users.id = posts.user_id AND (users.status <> 'closed' OR posts.status = 'removed')
  JOIN categories ON categories.id = posts.category_id`;
