// Access tokens, as rows.

import type { Timestamp } from '../lib/clock.ts';
import type { NewAccessToken, OAuthStore } from '../oauth/store.ts';
import type { Database } from './database.ts';
import { scopesColumn, scopesOf } from './scopes-column.ts';
import { type Param, statement } from './statement.ts';

export function accessTokenRows(
  database: Database,
): Pick<OAuthStore, 'findAccessToken' | 'revokeAccessToken'> {
  return {
    async findAccessToken(key) {
      const row = await database.first(selectAccessToken({ key }));
      return (
        row && {
          key: row.key,
          digest: row.digest,
          familyKey: row.family_key,
          scopes: scopesOf(row.scopes),
          expiresAt: row.expires_at,
          clientId: row.client_id,
          userId: row.user_id,
          revokedAt: row.revoked_at ?? undefined,
          familyRevokedAt: row.family_revoked_at ?? undefined,
          clientStatus: row.client_status,
          accountStatus: row.account_status,
        }
      );
    },
    async revokeAccessToken(key, at) {
      await database.atomically({ guard: revokeAccessTokenByKey({ key, at }) });
    },
  };
}

export const insertAccessToken = statement((sql, p: Param<ReturnType<typeof accessTokenRow>>) =>
  sql.insertInto('access_tokens').values({
    key: p('key'),
    digest: p('digest'),
    family_key: p('family_key'),
    scopes: p('scopes'),
    expires_at: p('expires_at'),
  }),
);

const selectAccessToken = statement((sql, p: Param<{ key: string }>) =>
  sql
    .selectFrom('access_tokens')
    .innerJoin('token_families', 'token_families.key', 'access_tokens.family_key')
    .innerJoin('clients', 'clients.id', 'token_families.client_id')
    .innerJoin('users', 'users.id', 'token_families.user_id')
    .selectAll('access_tokens')
    .select([
      'token_families.client_id',
      'token_families.user_id',
      'token_families.revoked_at as family_revoked_at',
      'clients.status as client_status',
      'users.status as account_status',
    ])
    .where('access_tokens.key', '=', p('key')),
);

const revokeAccessTokenByKey = statement((sql, p: Param<{ key: string; at: Timestamp }>) =>
  sql
    .updateTable('access_tokens')
    .set({ revoked_at: p('at') })
    .where('key', '=', p('key'))
    .where('revoked_at', 'is', null),
);

export function accessTokenRow(token: NewAccessToken) {
  return {
    key: token.key,
    digest: token.digest,
    family_key: token.familyKey,
    scopes: scopesColumn(token.scopes),
    expires_at: token.expiresAt,
  };
}
