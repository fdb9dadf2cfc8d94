// What members allowed, as rows.

import type { Selectable } from 'kysely';
import type { Timestamp } from '../lib/clock.ts';
import type { Grant, OAuthStore } from '../oauth/store.ts';
import { noteOf } from './audit-events.ts';
import { codeRow, insertCode, voidCodesOf } from './authorization-codes.ts';
import { clientOf } from './clients.ts';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';
import { scopesColumn, scopesOf } from './scopes-column.ts';
import { type Param, statement } from './statement.ts';
import { revokeFamiliesOf } from './token-families.ts';

export function grantRows(
  database: Database,
): Pick<
  OAuthStore,
  'countGrants' | 'findGrant' | 'approve' | 'approveAgain' | 'withdrawGrant' | 'connectedClients'
> {
  return {
    async countGrants(clientId) {
      return Number((await database.first(countGrantsOf({ clientId })))?.count ?? 0);
    },
    async findGrant(userId, clientId) {
      const row = await database.first(selectGrant({ userId, clientId }));
      return row && grantOf(row);
    },
    async approve(held, scopes, code, at) {
      const { userId, clientId } = code;
      const outcome = await database.atomically({
        guard: upsertGrant({ userId, clientId, held: scopesColumn(held), scopes: scopesColumn(scopes), at }),
        effects: [insertCode(codeRow(code))],
      });
      return outcome.happened;
    },
    async approveAgain(code, consented, at) {
      const { userId, clientId } = code;
      const outcome = await database.atomically({
        guard: touchGrant({ userId, clientId, scopes: scopesColumn(consented), at }),
        effects: [insertCode(codeRow(code))],
      });
      return outcome.happened;
    },
    async withdrawGrant(userId, clientId, at, act) {
      const outcome = await database.atomically({
        guard: withdrawGrantOf({ userId, clientId, at }),
        effects: [
          voidCodesOf({ userId, clientId, at }),
          revokeFamiliesOf({ userId, clientId, at }),
          ...noteOf(act, {
            action: 'consent.withdraw',
            subjectKind: 'user',
            subjectId: userId,
            detail: { client: clientId },
          }),
        ],
      });
      return outcome.happened;
    },
    async connectedClients(userId) {
      const rows = await database.rows(selectConnectedClients({ userId }));
      return rows.map((row) => ({
        client: clientOf(row),
        grant: grantOf({ ...row, user_id: userId, client_id: row.id, scopes: row.granted_scopes }),
      }));
    },
  };
}

const countGrantsOf = statement((sql, p: Param<{ clientId: string }>) =>
  sql
    .selectFrom('grants')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('client_id', '=', p('clientId'))
    .where('withdrawn_at', 'is', null),
);

const selectGrant = statement((sql, p: Param<{ userId: number; clientId: string }>) =>
  sql
    .selectFrom('grants')
    .selectAll()
    .where('user_id', '=', p('userId'))
    .where('client_id', '=', p('clientId')),
);

const upsertGrant = statement(
  (sql, p: Param<{ userId: number; clientId: string; held: string; scopes: string; at: Timestamp }>) =>
    sql
      .insertInto('grants')
      .values({
        user_id: p('userId'),
        client_id: p('clientId'),
        scopes: p('scopes'),
        granted_at: p('at'),
        last_authorized_at: p('at'),
        withdrawn_at: null,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'client_id'])
          .doUpdateSet((of) => ({
            scopes: of.ref('excluded.scopes'),
            // A consent that was withdrawn begins anew.
            granted_at: of
              .case()
              .when('grants.withdrawn_at', 'is', null)
              .then(of.ref('grants.granted_at'))
              .else(of.ref('excluded.granted_at'))
              .end(),
            last_authorized_at: of.ref('excluded.last_authorized_at'),
            withdrawn_at: null,
          }))
          .where((of) =>
            of(
              of.case().when('grants.withdrawn_at', 'is', null).then(of.ref('grants.scopes')).else('').end(),
              '=',
              p('held'),
            ),
          ),
      ),
);

const touchGrant = statement(
  (sql, p: Param<{ userId: number; clientId: string; scopes: string; at: Timestamp }>) =>
    sql
      .updateTable('grants')
      .set({ last_authorized_at: p('at') })
      .where('user_id', '=', p('userId'))
      .where('client_id', '=', p('clientId'))
      .where('scopes', '=', p('scopes'))
      .where('withdrawn_at', 'is', null),
);

const withdrawGrantOf = statement((sql, p: Param<{ userId: number; clientId: string; at: Timestamp }>) =>
  sql
    .updateTable('grants')
    .set({ withdrawn_at: p('at') })
    .where('user_id', '=', p('userId'))
    .where('client_id', '=', p('clientId'))
    .where('withdrawn_at', 'is', null),
);

const selectConnectedClients = statement((sql, p: Param<{ userId: number }>) =>
  sql
    .selectFrom('grants')
    .innerJoin('clients', 'clients.id', 'grants.client_id')
    .selectAll('clients')
    .select([
      'grants.scopes as granted_scopes',
      'grants.granted_at',
      'grants.last_authorized_at',
      'grants.withdrawn_at',
    ])
    .where('grants.user_id', '=', p('userId'))
    .where('grants.withdrawn_at', 'is', null)
    .orderBy('grants.last_authorized_at', 'desc'),
);

function grantOf(row: Selectable<Schema['grants']>): Grant {
  return {
    userId: row.user_id,
    clientId: row.client_id,
    scopes: scopesOf(row.scopes),
    grantedAt: row.granted_at,
    lastAuthorizedAt: row.last_authorized_at,
    withdrawnAt: row.withdrawn_at ?? undefined,
  };
}
