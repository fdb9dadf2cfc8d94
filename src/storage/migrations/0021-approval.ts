// Posts and comments that wait for approval, and the notifications of the decision.

import type { Dialect } from '../engine/sql.ts';
import type { Migration } from './migration.ts';

const ONCE = `CREATE UNIQUE INDEX notifications_once
  ON notifications (post_id, user_id, kind, coalesce(actor_id, 0), coalesce(comment_id, 0))`;
const REMOVED =
  "CREATE INDEX comments_removed ON comments (removed_at) WHERE status = 'removed' AND body <> ''";

export const approval: Migration = {
  name: '0021-approval',
  up(dialect) {
    return [
      // A draft that waits for approval since this time.
      'ALTER TABLE posts ADD COLUMN waiting_since bigint',
      // Why a moderator did not publish the text.
      'ALTER TABLE posts ADD COLUMN review_note text',
      'ALTER TABLE comments ADD COLUMN review_note text',
      ...withNewValues(dialect, 'comments', 'status', "'published'", {
        name: 'comments_removed',
        sql: REMOVED,
      }),
      ...withNewValues(dialect, 'notifications', 'kind', "'like'", { name: 'notifications_once', sql: ONCE }),
      'CREATE INDEX posts_waiting ON posts (waiting_since) WHERE waiting_since IS NOT NULL',
      "CREATE INDEX comments_waiting ON comments (created_at) WHERE status = 'waiting'",
    ];
  },
};

/**
 * Drop the list of the values that a column can have. SQLite can't change a column, so another one takes its place
 * and its name; an index that uses it is made again.
 */
function withNewValues(
  dialect: Dialect,
  table: string,
  column: string,
  preset: string,
  index: { name: string; sql: string },
): string[] {
  if (dialect === 'postgres') return [`ALTER TABLE ${table} DROP CONSTRAINT ${table}_${column}_check`];
  return [
    `DROP INDEX ${index.name}`,
    `ALTER TABLE ${table} ADD COLUMN new_${column} text NOT NULL DEFAULT ${preset}`,
    `UPDATE ${table} SET new_${column} = ${column}`,
    `ALTER TABLE ${table} DROP COLUMN ${column}`,
    `ALTER TABLE ${table} RENAME COLUMN new_${column} TO ${column}`,
    index.sql,
  ];
}
