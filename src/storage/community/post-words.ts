// The words of published posts, from which each database builds its search index. Other posts have none: their
// number isn't bounded by what readers see, and each would make searches slower.

import { sql } from '../engine/sql.ts';
import { NEW_POST_ID } from './new-row.ts';

/**
 * Add the words of the post that the same transaction has just inserted. Must run before the transaction
 * inserts another row: SQLite remembers only the id of the last one.
 */
export const insertWordsOfNewPost = {
  sqlite: sql<{ words: string }>`
    INSERT INTO post_words (post_id, words) VALUES (last_insert_rowid(), :words)`,
  postgres: sql<{ words: string }>`
    INSERT INTO post_words (post_id, words) VALUES (${NEW_POST_ID.postgres}, :words)`,
};

export const setWordsIfPublished = sql<{ id: number; words: string }>`
  INSERT INTO post_words (post_id, words)
  SELECT id, :words FROM posts WHERE id = :id AND status = 'published'
  ON CONFLICT (post_id) DO UPDATE SET words = excluded.words`;

export const deleteWords = sql<{ id: number }>`
  DELETE FROM post_words WHERE post_id = :id`;
