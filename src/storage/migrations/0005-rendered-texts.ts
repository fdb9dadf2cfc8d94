// The HTML of posts and comments, so that a page doesn't render their texts again.

import type { Migration } from './migration.ts';

export const renderedTexts: Migration = {
  name: '0005-rendered-texts',
  up(dialect) {
    return [
      ...['posts', 'comments'].flatMap((table) => [
        `ALTER TABLE ${table} ADD COLUMN html text`,
        // The version of the renderer that made the HTML. 0: the text was not rendered yet.
        `ALTER TABLE ${table} ADD COLUMN html_version integer NOT NULL DEFAULT 0`,
        `CREATE INDEX ${table}_by_html_version ON ${table} (html_version, id)`,
      ]),
      ...(dialect === 'sqlite' ? listedPostsOnly() : []),
    ];
  },
};

// Replaces a trigger of 0004, because rendering a text again changes no list of posts.
function listedPostsOnly(): string[] {
  const listed = [
    'user_id',
    'category_id',
    'status',
    'title',
    'excerpt',
    'created_at',
    'updated_at',
    'published_at',
    'like_count',
    'comment_count',
    'view_count',
  ];
  return [
    'DROP TRIGGER note_posts',
    `CREATE TRIGGER note_posts AFTER UPDATE OF ${listed.join(', ')} ON posts
      WHEN OLD.status = 'published' OR NEW.status = 'published'
      BEGIN INSERT INTO changes (kind, key) SELECT 'posts', OLD.user_id; END`,
  ];
}
