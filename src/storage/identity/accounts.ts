// The state of accounts, as rows: suspended, closed, members for so long, operators. Accounts are never deleted: a
// closed one keeps its number and its names, and nothing else.

import { expressionBuilder, type Kysely, sql as sqlText } from 'kysely';
import type { CareStore } from '../../identity/care.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { noteOf } from '../audit/audit-events.ts';
import type { Database } from '../engine/database.ts';
import type { Schema } from '../engine/schema.ts';
import { type Dialect, type Param, statement } from '../engine/statement.ts';
import { closedAccount } from './closed-account.ts';

export function accountRows(
  database: Database,
): Pick<CareStore, 'setStatus' | 'closeAccount' | 'setMemberUntil' | 'setOperator' | 'hasOtherOperator'> {
  const { dialect } = database;
  return {
    async setStatus(userId, status, act) {
      const guard = status === 'active' ? reactivate({ userId }) : suspend[dialect]({ userId });
      const action = status === 'active' ? 'user.reactivate' : 'user.suspend';
      const outcome = await database.atomically({
        guard,
        effects: [
          ...(status === 'active' ? [] : [deleteSessionsOf({ userId })]),
          ...noteOf(act, { action, subjectKind: 'user', subjectId: userId }),
        ],
      });
      return outcome.happened;
    },
    async closeAccount(userId, at, act) {
      const outcome = await database.atomically({
        guard: close[dialect]({ userId }),
        effects: [
          deleteSessionsOf({ userId }),
          ...closedAccount(userId, at, act?.actorId),
          ...noteOf(act, { action: 'user.close', subjectKind: 'user', subjectId: userId }),
        ],
      });
      return outcome.happened;
    },
    async setMemberUntil(userId, until, act) {
      const detail = { until: until === undefined ? null : new Date(until).toISOString() };
      await database.atomically({
        guard: updateMemberUntil({ userId, until: until ?? null }),
        effects: noteOf(act, {
          action: 'user.set_membership',
          subjectKind: 'user',
          subjectId: userId,
          detail,
        }),
      });
    },
    async setOperator(userId, isOperator, act) {
      const action = isOperator ? 'user.make_operator' : 'user.unmake_operator';
      const outcome = await database.atomically({
        guard: isOperator ? makeOperator({ userId }) : unmakeOperator[dialect]({ userId }),
        effects: noteOf(act, { action, subjectKind: 'user', subjectId: userId }),
      });
      return outcome.happened;
    },
    async hasOtherOperator(userId) {
      return (await database.first(selectOtherOperator({ userId }))) !== undefined;
    },
  };
}

const reactivate = statement((sql, p: Param<{ userId: number }>) =>
  sql
    .updateTable('users')
    .set({ status: 'active' })
    .where('id', '=', p('userId'))
    .where('status', '<>', 'closed'),
);

const suspend = forEach((dialect) =>
  statement((sql, p: Param<{ userId: number }>) =>
    sql
      .updateTable('users')
      .set({ status: 'suspended' })
      .where('id', '=', p('userId'))
      .where('status', '<>', 'closed')
      .where(isNotTheLastOperator(sql, p, dialect)),
  ),
);

const close = forEach((dialect) =>
  statement((sql, p: Param<{ userId: number }>) =>
    sql
      .updateTable('users')
      .set({ status: 'closed', bio: '', email: null, email_key: null, avatar: null })
      .where('id', '=', p('userId'))
      .where('status', '<>', 'closed')
      .where(isNotTheLastOperator(sql, p, dialect)),
  ),
);

const makeOperator = statement((sql, p: Param<{ userId: number }>) =>
  sql
    .updateTable('users')
    .set({ is_operator: 1 })
    .where('id', '=', p('userId'))
    .where('status', '=', 'active'),
);

const unmakeOperator = forEach((dialect) =>
  statement((sql, p: Param<{ userId: number }>) =>
    sql
      .updateTable('users')
      .set({ is_operator: 0 })
      .where('id', '=', p('userId'))
      .where(isNotTheLastOperator(sql, p, dialect)),
  ),
);

const selectOtherOperator = statement((sql, p: Param<{ userId: number }>) =>
  otherOperators(sql, p('userId')).limit(1),
);

const deleteSessionsOf = statement((sql, p: Param<{ userId: number }>) =>
  sql.deleteFrom('sessions').where('user_id', '=', p('userId')),
);

const updateMemberUntil = statement((sql, p: Param<{ userId: number; until: Timestamp | null }>) =>
  sql
    .updateTable('users')
    .set({ member_until: p('until') })
    .where('id', '=', p('userId')),
);

// On a server two operators may act on each other at once. The one who is left is locked, so that whoever comes second
// waits and then finds that nobody is; the embedded database has one writer.
function isNotTheLastOperator(sql: Kysely<Schema>, p: Param<{ userId: number }>, dialect: Dialect) {
  const others = otherOperators(sql, p('userId'));
  const left = dialect === 'postgres' ? others.forUpdate() : others;
  return expressionBuilder<Schema, 'users'>().or([
    sqlText<boolean>`users.is_operator = 0`,
    sqlText<boolean>`users.status <> 'active'`,
    sqlText<boolean>`exists ${left}`,
  ]);
}

function otherOperators(sql: Kysely<Schema>, userId: number) {
  return sql
    .selectFrom('users as others')
    .select('others.id')
    .where('others.is_operator', '=', 1)
    .where('others.status', '=', 'active')
    .where('others.id', '<>', userId);
}

function forEach<T>(make: (dialect: Dialect) => T): Record<Dialect, T> {
  return { sqlite: make('sqlite'), postgres: make('postgres') };
}
