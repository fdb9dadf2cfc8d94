// Moderators, reasons for removals and suspensions, locked and pinned posts, and the order of categories.

import type { Migration } from './migration.ts';

export const moderation: Migration = {
  name: '0015-moderation',
  up(dialect) {
    return [
      'ALTER TABLE users ADD COLUMN is_moderator integer NOT NULL DEFAULT 0',
      'CREATE INDEX users_moderators ON users (id) WHERE is_moderator = 1',
      // Shown to a suspended member at sign-in.
      'ALTER TABLE users ADD COLUMN suspension_reason text',
      // The language of mails that another person causes. Null: unknown.
      'ALTER TABLE users ADD COLUMN language text',
      // When the last mail about new reports was due, so that the next one comes an hour later.
      'ALTER TABLE users ADD COLUMN reports_mailed_at bigint',

      'ALTER TABLE posts ADD COLUMN locked_at bigint',
      'ALTER TABLE posts ADD COLUMN pinned_at bigint',
      'CREATE INDEX posts_pinned ON posts (pinned_at) WHERE pinned_at IS NOT NULL',
      // 1: its author removed the text before an operator did.
      'ALTER TABLE posts ADD COLUMN removed_by_author integer NOT NULL DEFAULT 0',
      'ALTER TABLE comments ADD COLUMN removed_by_author integer NOT NULL DEFAULT 0',

      'ALTER TABLE notifications ADD COLUMN reason text',
      // 1: a notification of the kind `removal` says that the removal was undone.
      'ALTER TABLE notifications ADD COLUMN is_undone integer NOT NULL DEFAULT 0',
      // What a mail is about, besides its member: JSON.
      "ALTER TABLE mails ADD COLUMN about text NOT NULL DEFAULT '{}'",

      "ALTER TABLE categories ADD COLUMN description text NOT NULL DEFAULT ''",
      'ALTER TABLE categories ADD COLUMN position integer NOT NULL DEFAULT 0',
      'UPDATE categories SET position = id',
      // The addresses of categories that were merged into others.
      `CREATE TABLE merged_categories (
        slug ${dialect === 'postgres' ? 'text COLLATE "C"' : 'text'} PRIMARY KEY,
        category_id bigint NOT NULL REFERENCES categories (id) ON DELETE CASCADE
      )`,
      ...(dialect === 'sqlite' ? watched() : []),
    ];
  },
};

// Cached accounts and lists of posts have new columns.
function watched(): string[] {
  return [
    `CREATE TRIGGER note_moderators AFTER UPDATE ON users WHEN OLD.is_moderator IS NOT NEW.is_moderator
      BEGIN INSERT INTO changes (kind, key) SELECT 'user', NEW.id; END`,
    `CREATE TRIGGER note_pins AFTER UPDATE OF pinned_at ON posts
      BEGIN INSERT INTO changes (kind, key) SELECT 'posts', OLD.user_id; END`,
  ];
}
