// A tag has its popular posts, and a category and a tag have their posts in a language.

import type { Migration } from './migration.ts';

export const listsInTags: Migration = {
  name: '0073-lists-in-tags',
  up() {
    return [
      // Both as in the row of the post, because an index has columns of one table.
      'ALTER TABLE post_tags ADD COLUMN language text',
      'ALTER TABLE post_tags ADD COLUMN popularity bigint NOT NULL DEFAULT 0',
      // No release had tags before this one, so only databases of developers have rows.
      `UPDATE post_tags SET
        language = (SELECT posts.language FROM posts WHERE posts.id = post_tags.post_id),
        popularity = (SELECT posts.heat FROM posts WHERE posts.id = post_tags.post_id)`,
      'CREATE INDEX post_tags_by_popularity ON post_tags (tag_id, popularity DESC, post_id DESC)',
      `CREATE INDEX post_tags_by_language ON post_tags (tag_id, language, published_at DESC, post_id DESC)
        WHERE language IS NOT NULL`,
      `CREATE INDEX post_tags_by_language_and_popularity
        ON post_tags (tag_id, language, popularity DESC, post_id DESC) WHERE language IS NOT NULL`,
      `CREATE INDEX posts_by_category_and_language
        ON posts (category_id, language, published_at DESC, id DESC)
        WHERE status = 'published' AND language IS NOT NULL`,
      `CREATE INDEX posts_by_category_language_and_heat ON posts (category_id, language, heat DESC, id DESC)
        WHERE status = 'published' AND language IS NOT NULL`,
    ];
  },
};
