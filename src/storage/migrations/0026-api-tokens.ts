// API tokens with a note, allowed addresses, facts of the last use and notices; notifications that are not about a
// post; and an index that finds an application by its secret.

import type { Migration } from './migration.ts';

export const apiTokens: Migration = {
  name: '0026-api-tokens',
  up(dialect) {
    return [
      "ALTER TABLE personal_tokens ADD COLUMN note text NOT NULL DEFAULT ''",
      // Networks, separated by spaces. Empty: the token works from everywhere.
      "ALTER TABLE personal_tokens ADD COLUMN addresses text NOT NULL DEFAULT ''",
      'ALTER TABLE personal_tokens ADD COLUMN last_network text',
      'ALTER TABLE personal_tokens ADD COLUMN last_program text',
      'ALTER TABLE personal_tokens ADD COLUMN last_endpoint text',
      // When another token took its place.
      'ALTER TABLE personal_tokens ADD COLUMN replaced_at bigint',
      // The last notice about its end, the moment at which an unused token ends, and when to look at it again.
      'ALTER TABLE personal_tokens ADD COLUMN told text',
      'ALTER TABLE personal_tokens ADD COLUMN idle_until bigint',
      'ALTER TABLE personal_tokens ADD COLUMN look_at bigint DEFAULT 0',
      `CREATE INDEX personal_tokens_to_look_at ON personal_tokens (look_at)
        WHERE revoked_at IS NULL AND look_at IS NOT NULL`,
      ...withoutPost[dialect],
      // What a notification is about, besides its post: JSON.
      "ALTER TABLE notifications ADD COLUMN about text NOT NULL DEFAULT '{}'",
      'CREATE INDEX clients_by_secret ON clients (secret_digest) WHERE secret_digest IS NOT NULL',
    ];
  },
};

// SQLite can't change a column, so another one takes its place and its name.
const withoutPost = {
  postgres: ['ALTER TABLE notifications ALTER COLUMN post_id DROP NOT NULL'],
  sqlite: [
    'DROP INDEX notifications_once',
    'ALTER TABLE notifications ADD COLUMN new_post_id bigint REFERENCES posts (id) ON DELETE CASCADE',
    'UPDATE notifications SET new_post_id = post_id',
    'ALTER TABLE notifications DROP COLUMN post_id',
    'ALTER TABLE notifications RENAME COLUMN new_post_id TO post_id',
    `CREATE UNIQUE INDEX notifications_once
      ON notifications (post_id, user_id, kind, coalesce(actor_id, 0), coalesce(comment_id, 0))`,
  ],
};
