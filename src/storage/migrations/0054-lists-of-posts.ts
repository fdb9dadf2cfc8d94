// Lists of posts tell the language of a post and how long it takes to read, and can be limited to a language. A
// category has its popular posts too. A search completes words.

import type { Migration } from './migration.ts';

export const listsOfPosts: Migration = {
  name: '0054-lists-of-posts',
  up(dialect) {
    return [
      // Of earlier posts, the server computes both when it renders their texts again.
      'ALTER TABLE posts ADD COLUMN language text',
      'ALTER TABLE posts ADD COLUMN reading_minutes integer',
      `CREATE INDEX posts_by_language ON posts (language, published_at DESC, id DESC)
        WHERE status = 'published' AND language IS NOT NULL`,
      `CREATE INDEX posts_by_language_and_heat ON posts (language, heat DESC, id DESC)
        WHERE status = 'published' AND language IS NOT NULL`,
      `CREATE INDEX posts_by_category_and_heat ON posts (category_id, heat DESC, id DESC)
        WHERE status = 'published'`,
      ...(dialect === 'sqlite' ? [...listedPostsOnly(), TERMS] : []),
    ];
  },
};

// Replaces a trigger of 0005: it has the new columns, and an excerpt that is computed again and stays the same changes
// no list.
function listedPostsOnly(): string[] {
  const listed = [
    'user_id',
    'category_id',
    'status',
    'title',
    'excerpt',
    'picture',
    'language',
    'reading_minutes',
    'created_at',
    'updated_at',
    'published_at',
    'like_count',
    'comment_count',
    'view_count',
  ];
  const isChanged = listed.map((column) => `OLD.${column} IS NOT NEW.${column}`).join(' OR ');
  return [
    'DROP TRIGGER note_posts',
    `CREATE TRIGGER note_posts AFTER UPDATE OF ${listed.join(', ')} ON posts
      WHEN (OLD.status = 'published' OR NEW.status = 'published') AND (${isChanged})
      BEGIN INSERT INTO changes (kind, key) SELECT 'posts', OLD.user_id; END`,
  ];
}

// The words of the search index, in their order.
const TERMS = 'CREATE VIRTUAL TABLE post_search_terms USING fts5vocab(post_search, instance)';
