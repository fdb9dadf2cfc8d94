// Removing the posts and comments of a closed account, in steps, since the texts of many take seconds. The lists hide
// them from the moment the account is closed: see `IS_PUBLIC`.

import type { Doer } from '../../audit/doer.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { NO_ENTRY } from '../audit/audit-trail.ts';
import type { Database } from '../engine/database.ts';
import { type Bound, fragment, sql } from '../engine/sql.ts';
import { IS_UNNEEDED } from './comments.ts';
import { deleteOnlyUsedIn } from './pictures.ts';

/** The effects of closing an account on its posts and comments: the first step, which is often all. */
export function beginRemovingTextsOf(by: Doer, userId: number): Bound<unknown>[] {
  const operatorId = by.kind === 'operator' ? by.userId : undefined;
  return [insertClosing({ userId, at: by.at, operatorId }), ...stepEffects(userId)];
}

/** Remove some of the posts and comments of a closed account. Returns 0 if there are none left. */
export async function removeTextsOfClosedAccount(database: Database): Promise<number> {
  const userId = (await database.first(selectClosing()))?.userId;
  if (userId === undefined) return 0;
  await database.atomically({
    audit: NO_ENTRY,
    // Locks the row, so that steps of several processes run one after another.
    guard: lockClosing({ userId }),
    effects: stepEffects(userId),
  });
  return 1;
}

// The longest posts have 1 MB of HTML, and take SQLite some milliseconds each.
const MOST = { posts: 5, drafts: 10, comments: 20 };

function stepEffects(userId: number): Bound<unknown>[] {
  const comments = { userId, most: MOST.comments };
  return [
    removePublishedPosts({ userId, most: MOST.posts }),
    removeDrafts({ userId, most: MOST.drafts }),
    // Runs before the comments change, because the status tells which ones were visible.
    uncountComments(comments),
    deletePicturesInComments(comments),
    deletePictureUsesInComments(comments),
    eraseComments(comments),
    markStep(comments),
    deleteUnneededComments({ userId }),
    endClosing({ userId }),
  ];
}

interface OfUser {
  userId: number;
}

type Step = OfUser & { most: number };

const selectClosing = sql<void, OfUser>`
  SELECT user_id AS "userId" FROM closing_accounts ORDER BY user_id LIMIT 1`;

const insertClosing = sql<OfUser & { at: Timestamp; operatorId: number | undefined }>`
  INSERT INTO closing_accounts (user_id, at, operator_id) VALUES (:userId, :at, :operatorId)`;

const lockClosing = sql<OfUser>`
  UPDATE closing_accounts SET comments_from = comments_through WHERE user_id = :userId`;

const AT = fragment`(SELECT at FROM closing_accounts WHERE closing_accounts.user_id = :userId)`;
const BY = fragment`(SELECT operator_id FROM closing_accounts WHERE closing_accounts.user_id = :userId)`;

// Drafts and published posts are updated separately, because each has a partial index of its own.
const removePublishedPosts = sql<Step>`
  UPDATE posts SET status = 'removed', removed_at = ${AT}, removed_by = ${BY}, pinned_at = NULL
  WHERE id IN (
    SELECT id FROM posts WHERE user_id = :userId AND status = 'published' LIMIT cast(:most AS bigint))`;

const removeDrafts = sql<Step>`
  UPDATE posts SET status = 'removed', removed_at = ${AT}, removed_by = ${BY}
  WHERE id IN (
    SELECT id FROM posts WHERE user_id = :userId AND status = 'draft' LIMIT cast(:most AS bigint))`;

const THROUGH = fragment`
  (SELECT comments_through FROM closing_accounts WHERE closing_accounts.user_id = :userId)`;

const NEXT_COMMENTS = fragment`
  SELECT id FROM comments WHERE user_id = :userId AND id > ${THROUGH}
  ORDER BY id LIMIT cast(:most AS bigint)`;

const uncountComments = sql<Step>`
  UPDATE posts SET comment_count = comment_count - (
    SELECT count(*) FROM comments
    WHERE comments.post_id = posts.id AND comments.status = 'published' AND comments.id IN (${NEXT_COMMENTS}))
  WHERE id IN (
    SELECT post_id FROM comments WHERE comments.status = 'published' AND comments.id IN (${NEXT_COMMENTS}))`;

const deletePicturesInComments = sql<Step>`
  ${deleteOnlyUsedIn(fragment`comment_id IN (${NEXT_COMMENTS})`)}`;

const deletePictureUsesInComments = sql<Step>`
  DELETE FROM picture_uses WHERE comment_id IN (${NEXT_COMMENTS})`;

const eraseComments = sql<Step>`
  UPDATE comments SET status = 'removed', body = '', html = NULL,
    removed_at = CASE WHEN status = 'removed' THEN removed_at ELSE ${AT} END,
    removed_by = CASE WHEN status = 'removed' THEN removed_by ELSE ${BY} END
  WHERE id IN (${NEXT_COMMENTS})`;

const markStep = sql<Step>`
  UPDATE closing_accounts SET comments_from = comments_through,
    comments_through = coalesce((SELECT max(id) FROM (${NEXT_COMMENTS}) AS step), comments_through)
  WHERE user_id = :userId`;

const deleteUnneededComments = sql<OfUser>`
  DELETE FROM comments
  WHERE user_id = :userId AND id <= ${THROUGH} AND id > (
    SELECT comments_from FROM closing_accounts WHERE closing_accounts.user_id = :userId) AND ${IS_UNNEEDED}`;

const endClosing = sql<OfUser>`
  DELETE FROM closing_accounts
  WHERE user_id = :userId
    AND NOT EXISTS (SELECT 1 FROM posts WHERE posts.user_id = :userId AND posts.status = 'published')
    AND NOT EXISTS (SELECT 1 FROM posts WHERE posts.user_id = :userId AND posts.status = 'draft')
    AND NOT EXISTS (SELECT 1 FROM comments WHERE comments.user_id = :userId AND comments.id > comments_through)`;
