// The search index has published posts only, and at most 10,000 words of each. The texts of removed comments are
// erased after a time.

import type { Migration } from './migration.ts';

const FIRST_WORDS = {
  // The program defines search_words on the connection before it runs migrations.
  sqlite: 'search_words(words)',
  postgres: "array_to_string((string_to_array(words, ' '))[1:10000], ' ')",
};

export const publishedWords: Migration = {
  name: '0011-published-words',
  up(dialect) {
    return [
      "DELETE FROM post_words WHERE post_id IN (SELECT id FROM posts WHERE status <> 'published')",
      // 10,000 words have 19,999 bytes or more. The number of bytes is known without reading the text.
      `UPDATE post_words SET words = ${FIRST_WORDS[dialect]} WHERE octet_length(words) > 19999`,
      "CREATE INDEX comments_removed ON comments (removed_at) WHERE status = 'removed' AND body <> ''",
    ];
  },
};
