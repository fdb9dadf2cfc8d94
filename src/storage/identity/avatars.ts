// Pictures that members chose, as rows: small, and read by browsers once each.

import type { AvatarStore } from '../../identity/avatar.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { type Param, statement } from '../engine/statement.ts';

export function avatarRows(database: Database): AvatarStore {
  return {
    async setAvatar(userId, version, image, at) {
      const outcome = await database.atomically({
        guard: nameAvatar({ userId, version }),
        effects: [upsertAvatar({ userId, version, image, at })],
      });
      return outcome.happened;
    },
    async removeAvatar(userId) {
      await database.atomically({ guard: unnameAvatar({ userId }), effects: [deleteAvatar({ userId })] });
    },
    async findAvatar(userId, version) {
      return (await database.first(selectAvatar({ userId, version })))?.image;
    },
  };
}

const nameAvatar = statement((sql, p: Param<{ userId: number; version: string }>) =>
  sql
    .updateTable('users')
    .set({ avatar: p('version') })
    .where('id', '=', p('userId'))
    .where('status', '<>', 'closed'),
);

const upsertAvatar = statement(
  (sql, p: Param<{ userId: number; version: string; image: Uint8Array; at: Timestamp }>) =>
    sql
      .insertInto('avatars')
      .values({ user_id: p('userId'), version: p('version'), image: p('image'), updated_at: p('at') })
      .onConflict((conflict) =>
        conflict.column('user_id').doUpdateSet((of) => ({
          version: of.ref('excluded.version'),
          image: of.ref('excluded.image'),
          updated_at: of.ref('excluded.updated_at'),
        })),
      ),
);

const unnameAvatar = statement((sql, p: Param<{ userId: number }>) =>
  sql.updateTable('users').set({ avatar: null }).where('id', '=', p('userId')),
);

export const deleteAvatar = statement((sql, p: Param<{ userId: number }>) =>
  sql.deleteFrom('avatars').where('user_id', '=', p('userId')),
);

const selectAvatar = statement((sql, p: Param<{ userId: number; version: string }>) =>
  sql
    .selectFrom('avatars')
    .select('image')
    .where('user_id', '=', p('userId'))
    .where('version', '=', p('version')),
);
