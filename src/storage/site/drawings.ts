// Cards and icons, as rows. They are small, and programs read each a few times.

import type { Timestamp } from '../../lib/clock.ts';
import type { DrawingKey, DrawingReads, DrawingWrites } from '../../site/drawing-store.ts';
import { NO_ENTRY } from '../audit/audit-trail.ts';
import type { Database } from '../engine/database.ts';
import { sql } from '../engine/sql.ts';

export function drawingRows(database: Database): DrawingReads & DrawingWrites {
  return {
    findDrawing: async (key) => (await database.first(selectDrawing(key)))?.image,
    async keepDrawing({ at }, drawing) {
      await database.atomically({ audit: NO_ENTRY, guard: upsertDrawing({ ...drawing, at }) });
    },
  };
}

const selectDrawing = sql<DrawingKey, { image: Uint8Array }>`
  SELECT image FROM drawings WHERE name = :name AND version = :version`;

interface NewRow extends DrawingKey {
  userId: number | undefined;
  image: Uint8Array;
  at: Timestamp;
}

// A card that was begun before its member closed the account is not kept.
const upsertDrawing = sql<NewRow>`
  INSERT INTO drawings (name, version, user_id, image, drawn_at)
  SELECT :name, :version, cast(:userId AS bigint), :image, :at
  WHERE NOT EXISTS (SELECT 1 FROM users WHERE users.id = :userId AND users.status = 'closed')
  ON CONFLICT (name) DO UPDATE
  SET version = excluded.version, user_id = excluded.user_id, image = excluded.image, drawn_at = excluded.drawn_at`;

export const deleteDrawingsOf = sql<{ userId: number }>`
  DELETE FROM drawings WHERE user_id = :userId`;

export const deleteOldDrawings = sql<{ by: Timestamp; limit: number }, { name: string }>`
  DELETE FROM drawings WHERE name IN (
    SELECT name FROM drawings WHERE drawn_at <= :by ORDER BY drawn_at LIMIT cast(:limit AS bigint))
  RETURNING name`;

/** Deletes the oldest, beyond so many. They are few, so stepping over the others takes no time. */
export const deleteDrawingsBeyond = sql<{ most: number; limit: number }, { name: string }>`
  DELETE FROM drawings WHERE name IN (
    SELECT name FROM drawings ORDER BY drawn_at DESC, name DESC
    LIMIT cast(:limit AS bigint) OFFSET cast(:most AS bigint))
  RETURNING name`;
