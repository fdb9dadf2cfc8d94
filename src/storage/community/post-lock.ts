// The order in which transactions lock rows on PostgreSQL.

import { fragment } from '../engine/sql.ts';

/**
 * Lock a post for a statement that changes a row below it. Every transaction locks the post first, then its comments or
 * likes, then the member, whose published posts are counted with the change of a post, and tags by their ids last: two
 * that lock the same rows in another order end in a deadlock, which the server notices only after a second. Closing an
 * account locks the member alone, and its texts are removed afterwards. The statement joins `post` by its `locked_id`.
 */
export const LOCKED_POST = fragment`
  WITH post AS MATERIALIZED (
    SELECT posts.id AS locked_id FROM posts WHERE posts.id = :postId FOR NO KEY UPDATE)`;

/** As `IS_ACTIVE_LOCKED`, for a statement with `LOCKED_POST`: the condition refers to the post, so it runs after it. */
export const IS_ACTIVE_LOCKED_AFTER_POST = fragment`
  EXISTS (
    SELECT users.id FROM users
    WHERE users.id = :userId AND users.status = 'active' AND locked_id > 0 FOR NO KEY UPDATE)`;
