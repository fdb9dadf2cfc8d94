// The state of accounts, as rows: suspended, closed, operator, membership. Accounts are never deleted: a
// closed account keeps its id, its username, its points and its times, so that neither id nor name is used again.

import type { AuditAction } from '../../audit/audit-log.ts';
import type { Doer } from '../../audit/doer.ts';
import type { AccountReads, AccountWrites } from '../../identity/account-store.ts';
import type { AccountStatus } from '../../identity/user.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { entry } from '../audit/audit-trail.ts';
import { addressOf, securityEvent } from '../audit/security-events.ts';
import { type AuditTrail, type Database, runGuarded } from '../engine/database.ts';
import { type Bound, fragment, sql } from '../engine/sql.ts';
import { closingEffects } from './closed-account.ts';
import { endSessionsOf } from './ended-sessions.ts';

export function accountRows(database: Database): AccountReads & AccountWrites {
  const { dialect } = database;
  return {
    async setStatus(by, userId, status) {
      if (status === 'active') {
        const audit = entryOf(by, userId, 'user.reactivate');
        const events = [statusEvent(by, userId, 'active')];
        return runGuarded(database, { audit, guard: reactivate({ userId }), events });
      }
      return runGuarded(database, {
        audit: entryOf(by, userId, 'user.suspend'),
        guard: suspend[dialect]({ userId }),
        effects: endSessionsOf(dialect, { userId, at: by.at, detail: 'account_suspended' }),
        events: [statusEvent(by, userId, 'suspended')],
      });
    },
    async closeAccount(by, userId) {
      return runGuarded(database, {
        audit: entryOf(by, userId, 'user.close'),
        guard: close[dialect]({ userId, hash: HASH_OF_CLOSED_ACCOUNT }),
        effects: [
          ...endSessionsOf(dialect, { userId, at: by.at, detail: 'account_closed' }),
          ...closingEffects(by, userId),
        ],
        events: [statusEvent(by, userId, 'closed')],
      });
    },
    async setMemberUntil(by, userId, until) {
      const end = until === undefined ? undefined : new Date(until).toISOString();
      await database.atomically({
        audit: entryOf(by, userId, 'user.set_membership', { until: end }),
        guard: updateMemberUntil({ userId, until }),
      });
    },
    async setOperator(by, userId, isOperator) {
      return runGuarded(database, {
        audit: entryOf(by, userId, isOperator ? 'user.make_operator' : 'user.unmake_operator'),
        guard: isOperator ? makeOperator({ userId }) : unmakeOperator[dialect]({ userId }),
      });
    },
    async hasOtherOperator(userId) {
      return (await database.first(selectOtherOperator({ userId }))) !== undefined;
    },
  };
}

function entryOf(
  by: Doer,
  userId: number,
  action: AuditAction,
  detail: Readonly<Record<string, unknown>> = {},
): AuditTrail {
  return entry(by, { action, subject: { kind: 'user', id: String(userId) }, detail });
}

function statusEvent(by: Doer, userId: number, detail: AccountStatus): Bound<unknown> {
  const address = addressOf(by);
  return securityEvent({ event: 'account_status_changed', at: by.at, userId, address, by: by.kind, detail });
}

interface OfUser {
  userId: number;
}

const OTHER_OPERATORS = fragment`
  SELECT other.id FROM users AS other
  WHERE other.is_operator = 1 AND other.status = 'active' AND other.id <> :userId`;

// On PostgreSQL two operators may act on each other at once. FOR UPDATE locks the operator who remains, so
// the second act waits, and then sees that no other operator is left. SQLite has one writer.
const IS_NOT_LAST_OPERATOR = {
  sqlite: fragment`(is_operator = 0 OR status <> 'active' OR EXISTS (${OTHER_OPERATORS}))`,
  postgres: fragment`(is_operator = 0 OR status <> 'active' OR EXISTS (${OTHER_OPERATORS} FOR UPDATE))`,
};

const reactivate = sql<OfUser>`
  UPDATE users SET status = 'active' WHERE id = :userId AND status = 'suspended'`;

const SUSPEND = fragment`
  UPDATE users SET status = 'suspended' WHERE id = :userId AND status = 'active'`;

const suspend = {
  sqlite: sql<OfUser>`${SUSPEND} AND ${IS_NOT_LAST_OPERATOR.sqlite}`,
  postgres: sql<OfUser>`${SUSPEND} AND ${IS_NOT_LAST_OPERATOR.postgres}`,
};

// No password has this hash: its salt and its tag are zeros. Verifying one takes the usual time.
const HASH_OF_CLOSED_ACCOUNT = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

const CLOSE = fragment`
  UPDATE users
  SET status = 'closed', password_hash = :hash, bio = '', email = NULL, email_key = NULL, avatar = NULL
  WHERE id = :userId AND status <> 'closed'`;

const close = {
  sqlite: sql<OfUser & { hash: string }>`${CLOSE} AND ${IS_NOT_LAST_OPERATOR.sqlite}`,
  postgres: sql<OfUser & { hash: string }>`${CLOSE} AND ${IS_NOT_LAST_OPERATOR.postgres}`,
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

const updateMemberUntil = sql<{ userId: number; until: Timestamp | undefined }>`
  UPDATE users SET member_until = :until WHERE id = :userId`;
