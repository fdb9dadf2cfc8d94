// Moderation, as rows: what moderators removed, and locking, pinning and moving posts.

import type { AuditAction } from '../../audit/audit-log.ts';
import type { Moderating } from '../../audit/doer.ts';
import type { ModerationStore, RemovedContent } from '../../community/moderation-store.ts';
import type { Post } from '../../community/post-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { entry } from '../audit/audit-trail.ts';
import { type AuditTrail, type Database, runGuarded } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';
import { POST_COLUMNS, SUMMARY_TABLES } from './post-summary.ts';
import { removalOf } from './removal.ts';
import { resolve } from './reports.ts';
import { restorationOfComment, restorationOfPost } from './restoration.ts';

export function moderationRows(database: Database): ModerationStore {
  return {
    async removedContent(limit) {
      const [posts, comments] = await Promise.all([
        database.rows(selectRemovedPosts({ limit })),
        database.rows(selectRemovedComments({ limit })),
      ]);
      return [...posts, ...comments].toSorted((a, b) => b.removedAt - a.removedAt).slice(0, limit);
    },
    findRemovedPost: async (id) => database.first(selectRemovedPost({ id })),
    async removeContent(by, removal) {
      const { audit, guard, effects } = removalOf(by, removal, database.dialect);
      const closing = resolve(by, removal.subject, 'removed');
      return runGuarded(database, { audit, guard, effects: [...effects, closing] });
    },
    undoRemovalOfPost: (by, subject, publication) =>
      runGuarded(database, restorationOfPost(by, subject, publication, database.dialect)),
    undoRemovalOfComment: (by, restoration) =>
      runGuarded(database, restorationOfComment(by, restoration, database.dialect)),
    async setLocked(by, id, isLocked) {
      return runGuarded(database, {
        audit: entryOf(by, id, isLocked ? 'post.lock' : 'post.unlock'),
        guard: isLocked ? lock({ id, at: by.at }) : unlock({ id }),
      });
    },
    async setPinned(by, id, isPinned, most) {
      return runGuarded(database, {
        audit: entryOf(by, id, isPinned ? 'post.pin' : 'post.unpin'),
        turn: 'pins',
        guard: isPinned ? pin({ id, at: by.at, most }) : unpin({ id }),
      });
    },
    async moveToCategory(by, id, categoryId) {
      return runGuarded(database, {
        audit: entryOf(by, id, 'post.move', { category: categoryId }),
        guard: move({ id, categoryId, at: by.at }),
      });
    },
  };
}

function entryOf(
  by: Moderating,
  postId: number,
  action: AuditAction,
  detail: Readonly<Record<string, unknown>> = {},
): AuditTrail {
  return entry(by, { action, subject: { kind: 'post', id: String(postId) }, detail });
}

const IS_REMOVED_POST = fragment`
  posts.status = 'removed' AND posts.removed_by <> posts.user_id AND posts.published_at IS NOT NULL
  AND users.status <> 'closed'`;

const selectRemovedPost = sql<{ id: number }, Post>`
  SELECT ${POST_COLUMNS} FROM ${SUMMARY_TABLES}
  WHERE posts.id = :id AND ${IS_REMOVED_POST}`;

const selectRemovedPosts = sql<{ limit: number }, RemovedContent>`
  SELECT posts.id AS "postId", cast(NULL AS bigint) AS "commentId", posts.user_id AS "authorId",
    users.username AS "authorName", posts.title AS "postTitle", substr(posts.body, 1, 2000) AS text,
    coalesce(posts.removed_at, 0) AS "removedAt", notifications.reason
  FROM posts
  JOIN users ON users.id = posts.user_id
  LEFT JOIN notifications ON notifications.post_id = posts.id AND notifications.user_id = posts.user_id
    AND notifications.kind = 'removal' AND notifications.comment_id IS NULL
  WHERE ${IS_REMOVED_POST}
  ORDER BY posts.removed_at DESC LIMIT cast(:limit AS bigint)`;

// A comment that its author had removed before can't be restored, nor one whose text was deleted. The note is from a
// moderator who refused the comment when it waited for approval.
const selectRemovedComments = sql<{ limit: number }, RemovedContent & { commentId: number }>`
  SELECT posts.id AS "postId", comments.id AS "commentId", comments.user_id AS "authorId",
    users.username AS "authorName", posts.title AS "postTitle", substr(comments.body, 1, 2000) AS text,
    coalesce(comments.removed_at, 0) AS "removedAt",
    coalesce(notifications.reason, comments.review_note) AS reason
  FROM comments
  JOIN posts ON posts.id = comments.post_id
  JOIN users ON users.id = comments.user_id
  LEFT JOIN notifications ON notifications.comment_id = comments.id AND notifications.kind = 'removal'
  WHERE comments.status = 'removed' AND comments.body <> '' AND comments.removed_by <> comments.user_id
    AND comments.removed_by_author = 0 AND users.status <> 'closed'
  ORDER BY comments.removed_at DESC LIMIT cast(:limit AS bigint)`;

interface Changed {
  id: number;
  at: Timestamp;
}

const lock = sql<Changed>`
  UPDATE posts SET locked_at = :at WHERE id = :id AND status = 'published' AND locked_at IS NULL`;

const unlock = sql<{ id: number }>`
  UPDATE posts SET locked_at = NULL WHERE id = :id AND locked_at IS NOT NULL`;

const pin = sql<Changed & { most: number }>`
  UPDATE posts SET pinned_at = :at
  WHERE id = :id AND status = 'published' AND pinned_at IS NULL
    AND (SELECT count(*) FROM posts AS other WHERE other.pinned_at IS NOT NULL) < :most`;

const unpin = sql<{ id: number }>`
  UPDATE posts SET pinned_at = NULL WHERE id = :id AND pinned_at IS NOT NULL`;

// A new version: otherwise an open editor of its author would move the post back.
const move = sql<Changed & { categoryId: number }>`
  UPDATE posts
  SET category_id = :categoryId,
    updated_at = CASE WHEN updated_at >= :at THEN updated_at + 1 ELSE :at END
  WHERE id = :id AND status = 'published' AND category_id <> :categoryId`;
