// Access tokens, as rows.

import type { User } from '../../identity/user.ts';
import { andThen } from '../../lib/awaitable.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { remembering } from '../../lib/remember.ts';
import type { AccessToken, NewAccessToken, OAuthStore } from '../../oauth/store.ts';
import { noteOf } from '../audit/audit-events.ts';
import type { Database } from '../engine/database.ts';
import { type Param, statement } from '../engine/statement.ts';
import { JOINED_USER, joinedUserOf } from '../identity/users.ts';
import { digestColumn, digestOfColumn } from './digest-column.ts';
import { scopesColumn, scopesOf } from './scopes-column.ts';

export function accessTokenRows(
  database: Database,
): Pick<OAuthStore, 'findAccessToken' | 'revokeAccessToken'> {
  return {
    findAccessToken(key) {
      return andThen(
        database.first(selectAccessToken({ key })),
        (row) => row && accessTokenOf(row, joinedUserOf(row)),
      );
    },
    async revokeAccessToken(key, at, act) {
      // The key finds the row; the secret is another part of the token.
      const effects = noteOf(act, { action: 'token.revoke', subjectKind: 'token', subjectId: key });
      await database.atomically({ guard: revokeAccessTokenByKey({ key, at }), effects });
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
      'token_families.revoked_at as family_revoked_at',
      'clients.status as client_status',
      ...JOINED_USER,
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

// There are few applications, and very many rows that name one: all of them share the name.
const sharedText = remembering((text: string) => text, 1000);

type AccessTokenRow = NonNullable<ReturnType<typeof selectAccessToken>['rowType']>;

function accessTokenOf(row: AccessTokenRow, user: User): AccessToken {
  return {
    key: row.key,
    digest: digestOfColumn(row.digest),
    scopes: scopesOf(row.scopes),
    expiresAt: row.expires_at,
    clientId: sharedText(row.client_id),
    user,
    revokedAt: row.revoked_at ?? undefined,
    familyRevokedAt: row.family_revoked_at ?? undefined,
    // A literal: the row's own text would be kept with each record.
    clientStatus: row.client_status === 'active' ? 'active' : 'deactivated',
  };
}

export function accessTokenRow(token: NewAccessToken) {
  return {
    key: token.key,
    digest: digestColumn(token.digest),
    family_key: token.familyKey,
    scopes: scopesColumn(token.scopes),
    expires_at: token.expiresAt,
  };
}
