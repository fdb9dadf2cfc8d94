// The state of accounts, as rows: suspended, closed, operator, membership. Accounts are never deleted: a closed
// account keeps its number and its names, and nothing else.

import type { CareStore } from '../../identity/care.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { noteOf } from '../audit/audit-events.ts';
import { NO_PERSON } from '../audit/audit-trail.ts';
import type { Database } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';
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
        audit: NO_PERSON,
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
        audit: NO_PERSON,
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
        audit: NO_PERSON,
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
        audit: NO_PERSON,
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

interface OfUser {
  userId: number;
}

const OTHER_OPERATORS = fragment`
  SELECT other.id FROM users AS other
  WHERE other.is_operator = 1 AND other.status = 'active' AND other.id <> :userId`;

// On PostgreSQL two operators may act on each other at once. FOR UPDATE locks the operator who remains, so the
// second act waits, and then sees that no other operator is left. SQLite has one writer.
const IS_NOT_LAST_OPERATOR = {
  sqlite: fragment`(is_operator = 0 OR status <> 'active' OR EXISTS (${OTHER_OPERATORS}))`,
  postgres: fragment`(is_operator = 0 OR status <> 'active' OR EXISTS (${OTHER_OPERATORS} FOR UPDATE))`,
};

const reactivate = sql<OfUser>`
  UPDATE users SET status = 'active' WHERE id = :userId AND status <> 'closed'`;

const SUSPEND = fragment`
  UPDATE users SET status = 'suspended' WHERE id = :userId AND status <> 'closed'`;

const suspend = {
  sqlite: sql<OfUser>`${SUSPEND} AND ${IS_NOT_LAST_OPERATOR.sqlite}`,
  postgres: sql<OfUser>`${SUSPEND} AND ${IS_NOT_LAST_OPERATOR.postgres}`,
};

const CLOSE = fragment`
  UPDATE users SET status = 'closed', bio = '', email = NULL, email_key = NULL, avatar = NULL
  WHERE id = :userId AND status <> 'closed'`;

const close = {
  sqlite: sql<OfUser>`${CLOSE} AND ${IS_NOT_LAST_OPERATOR.sqlite}`,
  postgres: sql<OfUser>`${CLOSE} AND ${IS_NOT_LAST_OPERATOR.postgres}`,
};

const makeOperator = sql<OfUser>`
  UPDATE users SET is_operator = 1 WHERE id = :userId AND status = 'active'`;

const UNMAKE_OPERATOR = fragment`
  UPDATE users SET is_operator = 0 WHERE id = :userId`;

const unmakeOperator = {
  sqlite: sql<OfUser>`${UNMAKE_OPERATOR} AND ${IS_NOT_LAST_OPERATOR.sqlite}`,
  postgres: sql<OfUser>`${UNMAKE_OPERATOR} AND ${IS_NOT_LAST_OPERATOR.postgres}`,
};

const selectOtherOperator = sql<OfUser, { id: number }>`${OTHER_OPERATORS} LIMIT 1`;

const deleteSessionsOf = sql<OfUser>`
  DELETE FROM sessions WHERE user_id = :userId`;

const updateMemberUntil = sql<{ userId: number; until: Timestamp | null }>`
  UPDATE users SET member_until = :until WHERE id = :userId`;
