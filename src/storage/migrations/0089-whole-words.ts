// SQLite's index of words has each word as one. It split a word at marks, as Hindi and Hebrew have them, and at letters
// of young scripts, so a search for such a word compared the places of its parts. The index is built anew: 10 s for
// 1,000,000 posts of 12 words.

import { indexed } from './0083-pairs-of-signs.ts';
import type { Migration } from './migration.ts';

/**
 * Letters, marks and digits, the signs that each post begins with (`Co`), and what is younger than the Unicode of
 * SQLite (`Cn`): all that `phrasesOf` has in words.
 */
export const TOKENS = `'porter unicode61 remove_diacritics 2 categories ''L* M* N* Co Cn'''`;

export const wholeWords: Migration = {
  name: '0089-whole-words',
  up(dialect) {
    if (dialect === 'postgres') return [];
    return [
      'DROP TABLE post_search_terms',
      'DROP TABLE post_search',
      `CREATE VIRTUAL TABLE post_search USING fts5(words, content = '', tokenize = ${TOKENS})`,
      'CREATE VIRTUAL TABLE post_search_terms USING fts5vocab(post_search, instance)',
      `INSERT INTO post_search (rowid, words) SELECT post_id, ${indexed('post_words.')} FROM post_words`,
    ];
  },
};
