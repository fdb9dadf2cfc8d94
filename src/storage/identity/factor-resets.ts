// Removals of a member's factors that operators asked for, as rows, until they take effect or are cancelled.

import type { FactorReset, FactorResetReads, FactorResetWrites } from '../../identity/factor-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { entry, NO_ENTRY, ownAct } from '../audit/audit-trail.ts';
import { securityEvent } from '../audit/security-events.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { sql } from '../engine/sql.ts';
import { endPublicSignInsOf, endSessionsOf, voidCodesOf } from './ended-sessions.ts';
import { cancelEvent, deleteFactorReset, deleteFactorsOf } from './factors.ts';
import { insertMailTo } from './mails.ts';

export function factorResetRows(database: Database): FactorResetReads & FactorResetWrites {
  return {
    async findFactorReset(userId) {
      return database.first(selectReset({ userId }));
    },
    async addFactorReset(by, userId, { dueAt, mayBeOperator, addressUnchangedSince }) {
      const { at } = by;
      return runGuarded(database, {
        audit: entry(by, { action: 'user.reset_factors', subject: { kind: 'user', id: String(userId) } }),
        guard: insertReset({
          userId,
          at,
          dueAt,
          mayBeOperator: mayBeOperator ? 1 : 0,
          addressUnchangedSince,
        }),
        effects: [insertMailTo({ userId, purpose: 'factor_reset_asked', about: '{}', at })],
        events: [securityEvent({ event: 'factor_reset_asked', at, userId, by: by.kind })],
      });
    },
    async cancelFactorReset(by) {
      const { userId, at, address } = by;
      return runGuarded(database, {
        audit: ownAct(by),
        guard: deleteFactorReset({ userId }),
        events: [cancelEvent({ userId, at, address })],
      });
    },
    async applyFactorReset({ at, kind }, userId) {
      return runGuarded(database, {
        audit: NO_ENTRY,
        guard: deleteDueReset({ userId, at }),
        effects: [
          ...deleteFactorsOf(userId),
          ...endSessionsOf(database.dialect, { userId, at, detail: 'factors_changed' }),
          voidCodesOf({ userId, at }),
          endPublicSignInsOf({ userId, at }),
        ],
        events: [
          securityEvent({
            event: 'factor_removed',
            at,
            userId,
            address: undefined,
            by: kind,
            detail: 'all',
          }),
        ],
      });
    },
  };
}

const selectReset = sql<{ userId: number }, FactorReset>`
  SELECT due_at AS "dueAt" FROM factor_resets WHERE user_id = :userId`;

const insertReset = sql<{
  userId: number;
  at: Timestamp;
  dueAt: Timestamp;
  mayBeOperator: number;
  addressUnchangedSince: Timestamp;
}>`
  INSERT INTO factor_resets (user_id, asked_at, due_at)
  SELECT id, :at, :dueAt FROM users
  WHERE id = :userId AND status <> 'closed' AND has_factor = 1 AND is_operator <= :mayBeOperator
    AND NOT EXISTS (
      SELECT 1 FROM security_events AS change
      WHERE change.user_id = :userId AND change.event = 'email_changed'
        AND change.doer IN ('operator', 'command-line') AND change.at > :addressUnchangedSince)
  ON CONFLICT DO NOTHING`;

const deleteDueReset = sql<{ userId: number; at: Timestamp }>`
  DELETE FROM factor_resets WHERE user_id = :userId AND due_at <= :at`;
