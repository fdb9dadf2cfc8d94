// Sign-ins, as rows: one each, however often it was refreshed.

import type { Timestamp } from '../../lib/clock.ts';
import type { NewTokenFamily, OAuthStore, Rotation } from '../../oauth/store.ts';
import { noteOf } from '../audit/audit-events.ts';
import type { Database } from '../engine/database.ts';
import { type Param, statement } from '../engine/statement.ts';
import { accessTokenRow, insertAccessToken } from './access-tokens.ts';
import { digestColumn, digestOfColumn } from './digest-column.ts';
import { scopesColumn, scopesOf } from './scopes-column.ts';

export function tokenFamilyRows(
  database: Database,
): Pick<OAuthStore, 'findTokenFamily' | 'rotate' | 'revokeFamily' | 'revokeFamilies'> {
  return {
    async findTokenFamily(key) {
      const row = await database.first(selectFamily({ key }));
      return (
        row && {
          key: row.key,
          clientId: row.client_id,
          userId: row.user_id,
          scopes: scopesOf(row.scopes),
          nonce: row.nonce ?? undefined,
          authenticatedAt: row.authenticated_at,
          refreshDigest: digestOfColumn(row.refresh_digest),
          previousDigest: row.previous_digest === null ? undefined : digestOfColumn(row.previous_digest),
          rotatedAt: row.rotated_at,
          refreshExpiresAt: row.refresh_expires_at,
          issuedAt: row.issued_at,
          expiresAt: row.expires_at,
          revokedAt: row.revoked_at ?? undefined,
          accountStatus: row.account_status,
        }
      );
    },
    async rotate(rotation, accessToken) {
      const columns = rotationColumns(rotation);
      const outcome = await database.atomically({
        guard: rotateFamily(columns),
        effects: [insertAccessToken(accessTokenRow(accessToken))],
        otherwise: [revokeFamilyUnlessRaced(columns)],
      });
      return outcome.happened ? 'rotated' : 'refused';
    },
    async revokeFamily(key, at, act) {
      const effects = noteOf(act, { action: 'token.revoke', subjectKind: 'token', subjectId: key });
      await database.atomically({ guard: revokeFamilyByKey({ key, at }), effects });
    },
    async revokeFamilies(userId, clientId, at) {
      await database.atomically({ guard: revokeFamiliesOf({ userId, clientId, at }) });
    },
  };
}

export const insertFamily = statement((sql, p: Param<ReturnType<typeof familyRow>>) =>
  sql.insertInto('token_families').values({
    key: p('key'),
    client_id: p('client_id'),
    user_id: p('user_id'),
    scopes: p('scopes'),
    nonce: p('nonce'),
    authenticated_at: p('authenticated_at'),
    refresh_digest: p('refresh_digest'),
    rotated_at: p('issued_at'),
    refresh_expires_at: p('refresh_expires_at'),
    issued_at: p('issued_at'),
    expires_at: p('expires_at'),
  }),
);

const selectFamily = statement((sql, p: Param<{ key: string }>) =>
  sql
    .selectFrom('token_families')
    .innerJoin('users', 'users.id', 'token_families.user_id')
    .selectAll('token_families')
    .select('users.status as account_status')
    .where('key', '=', p('key')),
);

const rotateFamily = statement((sql, p: Param<RotationColumns>) =>
  sql
    .updateTable('token_families')
    .set({
      refresh_digest: p('nextDigest'),
      previous_digest: p('presentedDigest'),
      rotated_at: p('at'),
      refresh_expires_at: p('refreshExpiresAt'),
    })
    .where('key', '=', p('familyKey'))
    .where('refresh_digest', '=', p('presentedDigest'))
    .where('revoked_at', 'is', null),
);

const revokeFamilyUnlessRaced = statement((sql, p: Param<RotationColumns>) =>
  sql
    .updateTable('token_families')
    .set({ revoked_at: p('at') })
    .where('key', '=', p('familyKey'))
    .where('revoked_at', 'is', null)
    .where((of) =>
      of.not(
        of.and([of('previous_digest', '=', p('presentedDigest')), of('rotated_at', '>=', p('raceSince'))]),
      ),
    ),
);

const revokeFamilyByKey = statement((sql, p: Param<{ key: string; at: Timestamp }>) =>
  sql
    .updateTable('token_families')
    .set({ revoked_at: p('at') })
    .where('key', '=', p('key'))
    .where('revoked_at', 'is', null),
);

/** Ends every sign-in of a member at an application. */
export const revokeFamiliesOf = statement(
  (sql, p: Param<{ userId: number; clientId: string; at: Timestamp }>) =>
    sql
      .updateTable('token_families')
      .set({ revoked_at: p('at') })
      .where('user_id', '=', p('userId'))
      .where('client_id', '=', p('clientId'))
      .where('revoked_at', 'is', null),
);

type RotationColumns = ReturnType<typeof rotationColumns>;

function rotationColumns(rotation: Rotation) {
  return {
    familyKey: rotation.familyKey,
    presentedDigest: digestColumn(rotation.presentedDigest),
    nextDigest: digestColumn(rotation.nextDigest),
    refreshExpiresAt: rotation.refreshExpiresAt,
    at: rotation.at,
    raceSince: rotation.raceSince ?? NEVER,
  };
}

export function familyRow(family: NewTokenFamily) {
  return {
    key: family.key,
    client_id: family.clientId,
    user_id: family.userId,
    scopes: scopesColumn(family.scopes),
    nonce: family.nonce ?? null,
    authenticated_at: family.authenticatedAt,
    refresh_digest: digestColumn(family.refreshDigest),
    refresh_expires_at: family.refreshExpiresAt,
    issued_at: family.issuedAt,
    expires_at: family.expiresAt,
  };
}

// Later than any moment: no rotation is since then.
const NEVER: Timestamp = Number.MAX_SAFE_INTEGER;
