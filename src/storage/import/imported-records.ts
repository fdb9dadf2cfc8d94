// The rows that remember which records were imported, from which source, and their ids here.

import type { ImportedKind } from '../../import/store.ts';
import { fragment, sql } from '../engine/sql.ts';

/** Identifies a record at its source. */
export interface Origin {
  source: string;
  kind: ImportedKind;
  externalId: string;
}

/** The condition that selects the record of an `Origin`. */
export const IS_RECORD = fragment`source = :source AND kind = :kind AND external_id = :externalId`;

interface RecordIds {
  source: string;
  kind: ImportedKind;
  /** A JSON array of the ids at the source. */
  ids: string;
}

interface RecordId {
  externalId: string;
  localId: number;
}

const SELECT_RECORDS = fragment`
  SELECT external_id AS "externalId", local_id AS "localId"
  FROM imported_records WHERE source = :source AND kind = :kind`;

export const selectRecords = {
  sqlite: sql<RecordIds, RecordId>`
    ${SELECT_RECORDS} AND external_id IN (SELECT value FROM json_each(:ids))`,
  postgres: sql<RecordIds, RecordId>`
    ${SELECT_RECORDS} AND external_id IN (SELECT json_array_elements_text(cast(:ids AS json)))`,
};

export const selectMemberRecord = sql<{ source: string; userId: number }, { external_id: string }>`
  SELECT external_id FROM imported_records
  WHERE kind = 'member' AND local_id = :userId AND source = :source
  LIMIT 1`;

// Each insertion does nothing for a record that was imported before. The id 0 stands for a row that the same
// transaction inserts next; another statement then sets the real id.

/** Insert a record whose id is known. */
export const insertRecordWithId = sql<Origin & { localId: number }>`
  INSERT INTO imported_records (source, kind, external_id, local_id)
  VALUES (:source, :kind, :externalId, :localId)
  ON CONFLICT DO NOTHING`;

export const insertRecord = sql<Origin>`
  INSERT INTO imported_records (source, kind, external_id, local_id)
  VALUES (:source, :kind, :externalId, 0)
  ON CONFLICT DO NOTHING`;

/** Insert a record unless the member's account is closed. */
export const insertRecordOfMember = sql<Origin & { userId: number }>`
  INSERT INTO imported_records (source, kind, external_id, local_id)
  SELECT :source, :kind, :externalId, 0
  FROM users
  WHERE users.id = :userId AND users.status <> 'closed'
  ON CONFLICT DO NOTHING`;

const INSERT_RECORD_ON_POST = fragment`
  INSERT INTO imported_records (source, kind, external_id, local_id)
  SELECT :source, :kind, :externalId, 0
  FROM posts JOIN users ON users.id = :userId
  WHERE posts.id = :postId AND posts.status = 'published' AND users.status <> 'closed'`;

/**
 * Insert a record unless the member's account is closed or the post is not published. PostgreSQL locks the
 * post before the status is read, so that the post cannot be removed in between.
 */
export const insertRecordOnPost = {
  sqlite: sql<Origin & { postId: number; userId: number }>`
    ${INSERT_RECORD_ON_POST}
    ON CONFLICT DO NOTHING`,
  postgres: sql<Origin & { postId: number; userId: number }>`
    ${INSERT_RECORD_ON_POST}
    FOR NO KEY UPDATE OF posts
    ON CONFLICT DO NOTHING`,
};

// The password hash distinguishes the account of this import from an older account with the same username.
export const setMemberId = sql<Origin & { usernameKey: string; passwordHash: string }>`
  UPDATE imported_records
  SET local_id = coalesce(
    (SELECT users.id FROM users WHERE users.username_key = :usernameKey AND users.password_hash = :passwordHash), 0)
  WHERE ${IS_RECORD}`;

export const deleteRecordWithoutId = sql<Origin>`
  DELETE FROM imported_records WHERE ${IS_RECORD} AND local_id = 0`;

// Each database knows the id that this connection inserted last, whatever other connections insert.

const SET_LAST_ID = fragment`UPDATE imported_records SET local_id = last_insert_rowid() WHERE ${IS_RECORD}`;

export const setPostId = {
  sqlite: sql<Origin>`${SET_LAST_ID}`,
  postgres: sql<Origin>`
    UPDATE imported_records SET local_id = currval(pg_get_serial_sequence('posts', 'id')) WHERE ${IS_RECORD}`,
};

export const setCommentId = {
  sqlite: sql<Origin>`${SET_LAST_ID}`,
  postgres: sql<Origin>`
    UPDATE imported_records SET local_id = currval(pg_get_serial_sequence('comments', 'id')) WHERE ${IS_RECORD}`,
};
