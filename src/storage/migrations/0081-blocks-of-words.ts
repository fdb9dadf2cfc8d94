// SQLite's index of words has the block of 1024 ids that a post belongs to, as PostgreSQL's has of 512, so that a
// search for several words can look in some blocks alone. The index is built anew: 4 s for 1,000,000 posts of 12 words.

import type { Migration } from './migration.ts';

// A sign that no word has. The words themselves are stored without it.
const withBlock = (row: string) => `char(57344) || (${row}post_id / 1024) || ' ' || ${row}words`;

const INDEX = `INSERT INTO post_search (rowid, words) VALUES (NEW.post_id, ${withBlock('NEW.')})`;
const UNINDEX = `INSERT INTO post_search (post_search, rowid, words)
  VALUES ('delete', OLD.post_id, ${withBlock('OLD.')})`;

export const blocksOfWords: Migration = {
  name: '0081-blocks-of-words',
  up(dialect) {
    if (dialect === 'postgres') return [];
    return [
      'DROP TRIGGER search_new_words',
      'DROP TRIGGER search_no_words',
      'DROP TRIGGER search_other_words',
      'DROP TABLE post_search_terms',
      'DROP TABLE post_search',
      `CREATE VIEW post_words_in_blocks AS SELECT post_id, ${withBlock('')} AS words FROM post_words`,
      `CREATE VIRTUAL TABLE post_search USING fts5(
        words, content = 'post_words_in_blocks', content_rowid = 'post_id',
        tokenize = 'porter unicode61 remove_diacritics 2'
      )`,
      'CREATE VIRTUAL TABLE post_search_terms USING fts5vocab(post_search, instance)',
      `CREATE TRIGGER search_new_words AFTER INSERT ON post_words BEGIN ${INDEX}; END`,
      `CREATE TRIGGER search_no_words AFTER DELETE ON post_words BEGIN ${UNINDEX}; END`,
      `CREATE TRIGGER search_other_words AFTER UPDATE ON post_words WHEN OLD.words IS NOT NEW.words
        BEGIN ${UNINDEX}; ${INDEX}; END`,
      "INSERT INTO post_search (post_search) VALUES ('rebuild')",
    ];
  },
};
