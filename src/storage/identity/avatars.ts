// Pictures that members uploaded, as rows: they are small, and a browser reads each once.

import type { AvatarReads, AvatarWrites } from '../../identity/avatar-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { ownAct } from '../audit/audit-trail.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { sql } from '../engine/sql.ts';

export function avatarRows(database: Database): AvatarReads & AvatarWrites {
  return {
    async setAvatar(by, version, image) {
      const { userId, at } = by;
      return runGuarded(database, {
        audit: ownAct(by),
        guard: setAvatarVersion({ userId, version }),
        effects: [upsertAvatar({ userId, version, image, at })],
      });
    },
    async removeAvatar(by) {
      const { userId } = by;
      await database.atomically({
        audit: ownAct(by),
        guard: clearAvatarVersion({ userId }),
        effects: [deleteAvatar({ userId })],
      });
    },
    async findAvatar(userId, version) {
      return (await database.first(selectAvatar({ userId, version })))?.image;
    },
  };
}

const setAvatarVersion = sql<{ userId: number; version: string }>`
  UPDATE users SET avatar = :version WHERE id = :userId AND status = 'active'`;

const upsertAvatar = sql<{ userId: number; version: string; image: Uint8Array; at: Timestamp }>`
  INSERT INTO avatars (user_id, version, image, updated_at)
  VALUES (:userId, :version, :image, :at)
  ON CONFLICT (user_id) DO UPDATE
  SET version = excluded.version, image = excluded.image, updated_at = excluded.updated_at`;

const clearAvatarVersion = sql<{ userId: number }>`
  UPDATE users SET avatar = NULL WHERE id = :userId`;

export const deleteAvatar = sql<{ userId: number }>`
  DELETE FROM avatars WHERE user_id = :userId`;

const selectAvatar = sql<{ userId: number; version: string }, { image: Uint8Array }>`
  SELECT image FROM avatars WHERE user_id = :userId AND version = :version`;
