// Personal tokens, as rows.

import type { User } from '../../identity/user.ts';
import { andThen } from '../../lib/awaitable.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type { NewPersonalToken, OAuthStore, PersonalToken } from '../../oauth/store.ts';
import { noteOf } from '../audit/audit-events.ts';
import type { Database } from '../engine/database.ts';
import { type Param, statement } from '../engine/statement.ts';
import { JOINED_USER, joinedUserOf } from '../identity/users.ts';
import { digestColumn, digestOfColumn } from './digest-column.ts';
import { scopesColumn, scopesOf } from './scopes-column.ts';

export function personalTokenRows(
  database: Database,
): Pick<
  OAuthStore,
  'addPersonalToken' | 'findPersonalToken' | 'personalTokensOf' | 'revokePersonalToken' | 'touchPersonalToken'
> {
  return {
    async addPersonalToken(token, most) {
      const { key, userId, createdAt: now } = token;
      const outcome = await database.atomically({
        // Locks the member's row, so that parallel requests are counted one after another.
        guard: lockUser({ userId }),
        effects: [insertPersonalToken(personalTokenRow(token)), deleteIfTooMany({ key, userId, most, now })],
      });
      const [inserted, deleted] = outcome.changes;
      if (inserted !== 1 || deleted !== 0) return undefined;
      return (await database.first(selectPersonalToken({ key })))?.id;
    },
    findPersonalToken(key) {
      return andThen(
        database.first(selectPersonalToken({ key })),
        (row) => row && personalTokenOf(row, joinedUserOf(row)),
      );
    },
    async personalTokensOf(userId) {
      const rows = await database.rows(selectPersonalTokensOf({ userId }));
      return rows.map((row) => personalTokenOf(row, joinedUserOf(row)));
    },
    async revokePersonalToken(id, userId, at, act) {
      const guard =
        userId === undefined
          ? revokeAnyPersonalToken({ id, at })
          : revokeOwnPersonalToken({ id, userId, at });
      const effects = noteOf(act, { action: 'token.revoke', subjectKind: 'token', subjectId: id });
      return (await database.atomically({ guard, effects })).happened;
    },
    async touchPersonalToken(id, at) {
      await database.atomically({ guard: touchPersonalTokenById({ id, at }) });
    },
  };
}

const lockUser = statement((sql, p: Param<{ userId: number }>) =>
  sql
    .updateTable('users')
    .set((of) => ({ xp: of.ref('xp') }))
    .where('id', '=', p('userId')),
);

const insertPersonalToken = statement((sql, p: Param<ReturnType<typeof personalTokenRow>>) =>
  sql.insertInto('personal_tokens').values({
    key: p('key'),
    digest: p('digest'),
    ending: p('ending'),
    user_id: p('user_id'),
    name: p('name'),
    scopes: p('scopes'),
    created_at: p('created_at'),
    expires_at: p('expires_at'),
  }),
);

// Runs after the insertion, under the lock, and takes it back if it was one too many.
const deleteIfTooMany = statement(
  (sql, p: Param<{ key: string; userId: number; most: number; now: Timestamp }>) =>
    sql
      .deleteFrom('personal_tokens')
      .where('key', '=', p('key'))
      .where(
        (of) =>
          of
            .selectFrom('personal_tokens as all')
            .select((count) => count.fn.countAll<number>().as('live'))
            .where('all.user_id', '=', p('userId'))
            .where('all.revoked_at', 'is', null)
            .where((or) => or.or([or('all.expires_at', 'is', null), or('all.expires_at', '>', p('now'))])),
        '>',
        p('most'),
      ),
);

const selectPersonalToken = statement((sql, p: Param<{ key: string }>) =>
  sql
    .selectFrom('personal_tokens')
    .innerJoin('users', 'users.id', 'personal_tokens.user_id')
    .selectAll('personal_tokens')
    .select(JOINED_USER)
    .where('key', '=', p('key')),
);

const selectPersonalTokensOf = statement((sql, p: Param<{ userId: number }>) =>
  sql
    .selectFrom('personal_tokens')
    .innerJoin('users', 'users.id', 'personal_tokens.user_id')
    .selectAll('personal_tokens')
    .select(JOINED_USER)
    .where('user_id', '=', p('userId'))
    .where('revoked_at', 'is', null)
    .orderBy('personal_tokens.id', 'desc'),
);

const revokeAnyPersonalToken = statement((sql, p: Param<{ id: number; at: Timestamp }>) =>
  sql
    .updateTable('personal_tokens')
    .set({ revoked_at: p('at') })
    .where('id', '=', p('id'))
    .where('revoked_at', 'is', null),
);

const revokeOwnPersonalToken = statement((sql, p: Param<{ id: number; userId: number; at: Timestamp }>) =>
  sql
    .updateTable('personal_tokens')
    .set({ revoked_at: p('at') })
    .where('id', '=', p('id'))
    .where('user_id', '=', p('userId'))
    .where('revoked_at', 'is', null),
);

const touchPersonalTokenById = statement((sql, p: Param<{ id: number; at: Timestamp }>) =>
  sql
    .updateTable('personal_tokens')
    .set({ last_used_at: p('at') })
    .where('id', '=', p('id')),
);

function personalTokenRow(token: NewPersonalToken) {
  return {
    key: token.key,
    digest: digestColumn(token.digest),
    ending: token.ending,
    user_id: token.userId,
    name: token.name,
    scopes: scopesColumn(token.scopes),
    created_at: token.createdAt,
    expires_at: token.expiresAt ?? null,
  };
}

type PersonalTokenRow = NonNullable<ReturnType<typeof selectPersonalToken>['rowType']>;

function personalTokenOf(row: PersonalTokenRow, user: User): PersonalToken {
  return {
    id: row.id,
    key: row.key,
    digest: digestOfColumn(row.digest),
    ending: row.ending,
    userId: row.user_id,
    name: row.name,
    scopes: scopesOf(row.scopes),
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    lastUsedAt: row.last_used_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
    user,
  };
}
