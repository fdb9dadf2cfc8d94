// Removing the posts, comments and unused pictures of a closed account in steps, since many take seconds. The lists
// hide the texts from the moment the account is closed: see `IS_PUBLIC`.

import type { Doer } from '../../audit/doer.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { NO_ENTRY } from '../audit/audit-trail.ts';
import type { Database } from '../engine/database.ts';
import { type Bound, type Dialect, fragment, sql } from '../engine/sql.ts';
import { IS_UNNEEDED } from './comments.ts';
import { markingUnused } from './picture-uses.ts';
import { deletionOfSome, UNUSED_PICTURES_OF } from './pictures.ts';
import { deletionOfPostTags, lockingOfTagsOf, uncountingOfPostTags } from './tags.ts';

/** The effect of closing an account on its posts and comments: they are to be removed. */
export function noteTextsOfClosedAccount(by: Doer, userId: number): Bound<unknown> {
  const operatorId = by.kind === 'operator' ? by.userId : undefined;
  return insertClosing({ userId, at: by.at, operatorId });
}

/** Remove some of the posts and comments of a closed account. Returns 0 if there are none left. */
export async function removeTextsOfClosedAccount(database: Database): Promise<number> {
  const userId = (await database.first(selectClosing()))?.userId;
  if (userId === undefined) return 0;
  await removeSomeTextsOf(database, userId);
  return 1;
}

/** Do the next step for an account that was closed. The first is often all. */
export async function removeSomeTextsOf(database: Database, userId: number): Promise<void> {
  await database.atomically({ audit: NO_ENTRY, guard: deleteSomePictures({ userId }) });
  if ((await database.first(selectUnusedPicture({ userId }))) !== undefined) return;
  await database.atomically({
    audit: NO_ENTRY,
    // Locks the row, so that steps of several processes run one after another.
    guard: lockClosing({ userId }),
    effects: stepEffects(userId, database.dialect),
  });
}

// The longest posts have 1 MB of HTML, and take SQLite some milliseconds each.
const MOST = { posts: 5, drafts: 10, comments: 20 };

function stepEffects(userId: number, dialect: Dialect): Bound<unknown>[] {
  const step = { userId, ...MOST };
  return [
    ...(dialect === 'postgres' ? [lockPosts.postgres(step)] : []),
    // Runs before the comments change, because the status tells which ones were visible.
    uncountComments(step),
    // Those that nobody uploaded, and those that are too many for this step if it is the last, are left for the purge.
    markPicturesOfComments({ ...step, at: 0 }),
    deletePictureUsesInComments(step),
    deleteSomePictures({ userId }),
    eraseComments(step),
    markStep(step),
    deleteUnneededComments({ userId }),
    // Run before the posts change, because they are found by their status.
    ...(dialect === 'postgres' ? [lockMember.postgres({ userId }), lockTags.postgres(step)] : []),
    uncountTags(step),
    deleteTags(step),
    removePublishedPosts(step),
    removeDrafts(step),
    endClosing({ userId }),
  ];
}

interface OfUser {
  userId: number;
}

type Step<Kind extends keyof typeof MOST = keyof typeof MOST> = OfUser & Pick<typeof MOST, Kind>;

const selectClosing = sql<void, OfUser>`
  SELECT user_id AS "userId" FROM closing_accounts ORDER BY user_id LIMIT 1`;

const insertClosing = sql<OfUser & { at: Timestamp; operatorId: number | undefined }>`
  INSERT INTO closing_accounts (user_id, at, operator_id) VALUES (:userId, :at, :operatorId)`;

const lockClosing = sql<OfUser>`
  UPDATE closing_accounts SET comments_from = comments_through WHERE user_id = :userId`;

const AT = fragment`(SELECT at FROM closing_accounts WHERE closing_accounts.user_id = :userId)`;
const BY = fragment`(SELECT operator_id FROM closing_accounts WHERE closing_accounts.user_id = :userId)`;

// Drafts and published posts are updated separately, because each has a partial index of its own.
const NEXT_POSTS = fragment`
  SELECT id FROM posts WHERE user_id = :userId AND status = 'published'
  ORDER BY published_at DESC, id DESC LIMIT cast(:posts AS bigint)`;

const NEXT_DRAFTS = fragment`
  SELECT id FROM posts WHERE user_id = :userId AND status = 'draft'
  ORDER BY updated_at DESC LIMIT cast(:drafts AS bigint)`;

const removePublishedPosts = sql<Step<'posts'>>`
  UPDATE posts SET status = 'removed', removed_at = ${AT}, removed_by = ${BY}, pinned_at = NULL
  WHERE id IN (${NEXT_POSTS})`;

const removeDrafts = sql<Step<'drafts'>>`
  UPDATE posts SET status = 'removed', removed_at = ${AT}, removed_by = ${BY}
  WHERE id IN (${NEXT_DRAFTS})`;

const THROUGH = fragment`
  (SELECT comments_through FROM closing_accounts WHERE closing_accounts.user_id = :userId)`;

const NEXT_COMMENTS = fragment`
  SELECT id FROM comments WHERE user_id = :userId AND id > ${THROUGH}
  ORDER BY id LIMIT cast(:comments AS bigint)`;

// All that the step changes, and those of the comments, before anything of theirs is locked: see `LOCKED_POST`.
const lockPosts = {
  postgres: sql<Step, { id: number }>`
    SELECT posts.id FROM posts
    WHERE posts.id IN (
      (${NEXT_POSTS}) UNION ALL (${NEXT_DRAFTS})
      UNION ALL SELECT comments.post_id FROM comments WHERE comments.id IN (${NEXT_COMMENTS}))
    ORDER BY posts.id FOR NO KEY UPDATE`,
};

// Counting the published posts locks the member, who comes before the tags.
const lockMember = {
  postgres: sql<OfUser, { id: number }>`SELECT id FROM users WHERE id = :userId FOR NO KEY UPDATE`,
};

const lockTags = { postgres: sql<Step<'posts'>, { id: number }>`${lockingOfTagsOf(NEXT_POSTS)}` };
const uncountTags = sql<Step<'posts'>>`${uncountingOfPostTags(NEXT_POSTS)}`;
const deleteTags = sql<Step<'posts'>>`${deletionOfPostTags(NEXT_POSTS)}`;

const uncountComments = sql<Step<'comments'>>`
  UPDATE posts SET comment_count = comment_count - (
    SELECT count(*) FROM comments
    WHERE comments.post_id = posts.id AND comments.status = 'published' AND comments.id IN (${NEXT_COMMENTS}))
  WHERE id IN (
    SELECT post_id FROM comments WHERE comments.status = 'published' AND comments.id IN (${NEXT_COMMENTS}))`;

const deleteSomePictures = sql<OfUser, { id: number }>`${deletionOfSome(UNUSED_PICTURES_OF)}`;

const selectUnusedPicture = sql<OfUser, { id: number }>`
  SELECT unused.id FROM (${UNUSED_PICTURES_OF}) AS unused LIMIT 1`;

const markPicturesOfComments = sql<Step<'comments'> & { at: Timestamp }>`
  ${markingUnused(fragment`WHERE uses.comment_id IN (${NEXT_COMMENTS})`)}`;

const deletePictureUsesInComments = sql<Step<'comments'>>`
  DELETE FROM picture_uses WHERE comment_id IN (${NEXT_COMMENTS})`;

const eraseComments = sql<Step<'comments'>>`
  UPDATE comments SET status = 'removed', body = '', html = NULL,
    removed_at = CASE WHEN status = 'removed' THEN removed_at ELSE ${AT} END,
    removed_by = CASE WHEN status = 'removed' THEN removed_by ELSE ${BY} END
  WHERE id IN (${NEXT_COMMENTS})`;

const markStep = sql<Step<'comments'>>`
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
