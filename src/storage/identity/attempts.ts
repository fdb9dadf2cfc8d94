// Attempts that are judged, counted per subject in windows that open with the first.

import type { IdentityStore } from '../../identity/store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { type Param, statement } from '../engine/statement.ts';

export function attemptRows(
  database: Database,
): Pick<IdentityStore, 'countAttempt' | 'attemptsCloseAt' | 'forgetAttempts' | 'takeAttemptBack'> {
  return {
    async countAttempt(subject, most, now, closesAt) {
      return (await database.atomically({ guard: upsertAttempt({ subject, most, now, closesAt }) })).happened;
    },
    async attemptsCloseAt(subject) {
      return (await database.first(selectAttempts({ subject })))?.closes_at;
    },
    async forgetAttempts(subject) {
      await database.atomically({ guard: deleteAttempts({ subject }) });
    },
    async takeAttemptBack(subject) {
      await database.atomically({ guard: decrementAttempts({ subject }) });
    },
  };
}

// One statement that opens a window, opens the next in place of a closed one, counts on, or changes nothing: the row's
// lock makes parallel attempts wait for one another, and each is judged by the count that the one before it left.
export const upsertAttempt = statement(
  (sql, p: Param<{ subject: string; most: number; now: Timestamp; closesAt: Timestamp }>) =>
    sql
      .insertInto('attempts')
      .values({ subject: p('subject'), judged: 1, closes_at: p('closesAt') })
      .onConflict((conflict) =>
        conflict
          .column('subject')
          .doUpdateSet((of) => ({
            judged: of
              .case()
              .when('attempts.closes_at', '<=', p('now'))
              .then(of.ref('excluded.judged'))
              .else(of('attempts.judged', '+', 1))
              .end(),
            closes_at: of
              .case()
              .when('attempts.closes_at', '<=', p('now'))
              .then(of.ref('excluded.closes_at'))
              .else(of.ref('attempts.closes_at'))
              .end(),
          }))
          .where((of) =>
            of.or([of('attempts.closes_at', '<=', p('now')), of('attempts.judged', '<', p('most'))]),
          ),
      ),
);

const selectAttempts = statement((sql, p: Param<{ subject: string }>) =>
  sql.selectFrom('attempts').select('closes_at').where('subject', '=', p('subject')),
);

const decrementAttempts = statement((sql, p: Param<{ subject: string }>) =>
  sql
    .updateTable('attempts')
    .set((of) => ({ judged: of('judged', '-', 1) }))
    .where('subject', '=', p('subject'))
    .where('judged', '>', 0),
);

const deleteAttempts = statement((sql, p: Param<{ subject: string }>) =>
  sql.deleteFrom('attempts').where('subject', '=', p('subject')),
);
