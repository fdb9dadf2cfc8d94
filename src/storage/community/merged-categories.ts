// Moving the posts of a merged category to its heir, in steps, because SQLite writes each row anew with its text.

import { NO_ENTRY } from '../audit/audit-trail.ts';
import type { Database } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';

// So many take SQLite some milliseconds, unless they are long: a post has up to 1 MB of HTML.
const STEP = { posts: 300, bytes: 5_000_000 };

/**
 * Move some posts of a merged category to its heir, the newest ones first, and delete the category after the last one.
 * Returns 0 if nothing is left to move.
 */
export async function movePostsOfMergedCategory(database: Database): Promise<number> {
  const merged = await database.first(selectMerged());
  if (merged === undefined) return 0;
  await database.atomically({
    audit: NO_ENTRY,
    // Locks the row, so that steps of several processes run one after another.
    guard: lockMerged(merged),
    effects: [
      movePublished({ ...merged, ...STEP }),
      moveOthers({ ...merged, ...STEP }),
      deleteIfMoved(merged),
    ],
  });
  return 1;
}

interface Merged {
  from: number;
  to: number;
}

const selectMerged = sql<void, Merged>`
  SELECT id AS "from", coalesce(heir_id, 0) AS "to" FROM categories
  WHERE heir_id IS NOT NULL ORDER BY id LIMIT 1`;

const lockMerged = sql<Merged>`
  UPDATE categories SET position = position WHERE id = :from AND heir_id = :to`;

type Step = Merged & typeof STEP;

const SIZE = fragment`octet_length(body) + coalesce(octet_length(html), 0)`;

// At least one, however long it is. A moderator can move one to another category meanwhile. Published posts and others
// have an index by category each.
const movePublished = sql<Step>`
  UPDATE posts SET category_id = :to
  WHERE category_id = :from AND id IN (
    SELECT sized.id FROM (
      SELECT newest.id, sum(newest.size) OVER (ORDER BY newest.published_at DESC, newest.id DESC) - newest.size
        AS before
      FROM (
        SELECT id, published_at, ${SIZE} AS size FROM posts WHERE category_id = :from AND status = 'published'
        ORDER BY published_at DESC, id DESC LIMIT cast(:posts AS bigint)
      ) AS newest
    ) AS sized
    WHERE sized.before < :bytes)`;

const moveOthers = sql<Step>`
  UPDATE posts SET category_id = :to
  WHERE category_id = :from AND id IN (
    SELECT sized.id FROM (
      SELECT others.id, sum(others.size) OVER (ORDER BY others.id) - others.size AS before
      FROM (
        SELECT id, ${SIZE} AS size FROM posts WHERE category_id = :from AND status <> 'published'
        LIMIT cast(:posts AS bigint)
      ) AS others
    ) AS sized
    WHERE sized.before < :bytes)`;

/** For categories: no post in any state is in it. */
export const IS_EMPTY = fragment`
  NOT EXISTS (SELECT 1 FROM posts WHERE posts.category_id = categories.id)`;

const deleteIfMoved = sql<Merged>`
  DELETE FROM categories WHERE id = :from AND heir_id = :to AND ${IS_EMPTY}`;
