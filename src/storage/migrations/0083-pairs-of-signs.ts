// SQLite's index of words has each two signs that are beside each other, for scripts without spaces: most words of
// Chinese have two signs, which each are in very many posts. It has a post's author and block of 32,768 ids, too. The
// index is built anew: 10 s for 1,000,000 posts of 12 words.

import type { Migration } from './migration.ts';

// Each sign is a word of its own, from 々 on. A text without any has no pairs, which is seen at once.
const FIRST_SIGN = 'char(12293)';
const pairsIn = (
  words: string,
) => `CASE WHEN ${words} GLOB '*[' || ${FIRST_SIGN} || '-' || char(1114111) || ']*'
  THEN coalesce((
    SELECT ' ' || group_concat(sign || next, ' ' ORDER BY key) FROM (
      SELECT key, value AS sign, lead(value) OVER (ORDER BY key) AS next
      FROM json_each('["' || replace(${words}, ' ', '","') || '"]')
    )
    WHERE length(sign) = 1 AND sign >= ${FIRST_SIGN} AND length(next) = 1 AND next >= ${FIRST_SIGN}
  ), '') ELSE '' END`;

/**
 * What the index has of a row of `post_words`, whose columns follow this text. It begins with signs that no word has.
 * The words themselves are stored without them, and without the pairs.
 */
export const indexed = (row: string) =>
  `char(57344) || (${row}post_id / 1024) || ' ' || char(57345) || (${row}post_id / 32768) || ' ' ||
   char(57346) || (SELECT user_id FROM posts WHERE id = ${row}post_id) || ' ' || ${row}words
   || ${pairsIn(`${row}words`)}`;

const INDEX = `INSERT INTO post_search (rowid, words) VALUES (NEW.post_id, ${indexed('NEW.')})`;
const UNINDEX = `INSERT INTO post_search (post_search, rowid, words)
  VALUES ('delete', OLD.post_id, ${indexed('OLD.')})`;
const OF_POST = `post_id, ${indexed('post_words.')} FROM post_words WHERE post_id = OLD.id`;

export const pairsOfSigns: Migration = {
  name: '0083-pairs-of-signs',
  up(dialect) {
    if (dialect === 'postgres') return [];
    return [
      'DROP TRIGGER search_new_words',
      'DROP TRIGGER search_no_words',
      'DROP TRIGGER search_other_words',
      'DROP TABLE post_search_terms',
      'DROP TABLE post_search',
      'DROP VIEW post_words_in_blocks',
      `CREATE VIRTUAL TABLE post_search USING fts5(
        words, content = '', tokenize = 'porter unicode61 remove_diacritics 2'
      )`,
      'CREATE VIRTUAL TABLE post_search_terms USING fts5vocab(post_search, instance)',
      `CREATE TRIGGER search_new_words AFTER INSERT ON post_words BEGIN ${INDEX}; END`,
      `CREATE TRIGGER search_no_words AFTER DELETE ON post_words BEGIN ${UNINDEX}; END`,
      `CREATE TRIGGER search_other_words AFTER UPDATE ON post_words WHEN OLD.words IS NOT NEW.words
        BEGIN ${UNINDEX}; ${INDEX}; END`,
      // The index forgets a post only if it is told the same words, with the author.
      `CREATE TRIGGER search_gone_post BEFORE DELETE ON posts
        BEGIN DELETE FROM post_words WHERE post_id = OLD.id; END`,
      `CREATE TRIGGER search_old_author BEFORE UPDATE OF user_id ON posts WHEN OLD.user_id <> NEW.user_id
        BEGIN INSERT INTO post_search (post_search, rowid, words) SELECT 'delete', ${OF_POST}; END`,
      `CREATE TRIGGER search_new_author AFTER UPDATE OF user_id ON posts WHEN OLD.user_id <> NEW.user_id
        BEGIN INSERT INTO post_search (rowid, words) SELECT ${OF_POST}; END`,
      `INSERT INTO post_search (rowid, words) SELECT post_id, ${indexed('post_words.')} FROM post_words`,
    ];
  },
};
