// Access tokens, as rows.

import { andThen } from '../../lib/awaitable.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type { Client } from '../../oauth/client-store.ts';
import type { AccessToken, AccessTokenReads, AccessTokenWrites, NewAccessToken } from '../../oauth/store.ts';
import { entry, NO_PERSON } from '../audit/audit-trail.ts';
import type { Database } from '../engine/database.ts';
import { sql } from '../engine/sql.ts';
import { USER_COLUMNS, type UserRow, userOf } from '../identity/users.ts';
import { digestColumn, digestOfColumn } from './digest-column.ts';
import { scopesColumn, scopesOf } from './scopes-column.ts';

export function accessTokenRows(database: Database): AccessTokenReads & AccessTokenWrites {
  return {
    findAccessToken(key) {
      return andThen(database.first(selectAccessToken({ key })), (row) => row && accessTokenOf(row));
    },
    async revokeAccessToken(key, at) {
      await database.atomically({ audit: NO_PERSON, guard: revokeAccessTokenByKey({ key, at }) });
    },
    async revokeAccessTokenBy(by, key) {
      // The audit log may contain the key: only the rest of the token is secret.
      const audit = entry(by, { action: 'token.revoke', subject: { kind: 'token', id: key } });
      await database.atomically({ audit, guard: revokeAccessTokenByKey({ key, at: by.at }) });
    },
  };
}

interface NewAccessTokenRow {
  key: string;
  digest: Uint8Array;
  family_key: string;
  scopes: string;
  expires_at: Timestamp;
}

interface AccessTokenRow extends UserRow {
  key: string;
  digest: Uint8Array;
  scopes: string;
  expires_at: Timestamp;
  revoked_at: Timestamp | null;
  client_id: string;
  family_revoked_at: Timestamp | null;
  client_status: Client['status'];
}

export const insertAccessToken = sql<NewAccessTokenRow>`
  INSERT INTO access_tokens (key, digest, family_key, scopes, expires_at)
  VALUES (:key, :digest, :family_key, :scopes, :expires_at)`;

const selectAccessToken = sql<{ key: string }, AccessTokenRow>`
  SELECT access_tokens.key, access_tokens.digest, access_tokens.scopes, access_tokens.expires_at,
    access_tokens.revoked_at,
    token_families.client_id, token_families.revoked_at AS family_revoked_at,
    clients.status AS client_status,
    ${USER_COLUMNS}
  FROM access_tokens
  JOIN token_families ON token_families.key = access_tokens.family_key
  JOIN clients ON clients.id = token_families.client_id
  JOIN users ON users.id = token_families.user_id
  WHERE access_tokens.key = :key`;

const revokeAccessTokenByKey = sql<{ key: string; at: Timestamp }>`
  UPDATE access_tokens SET revoked_at = :at WHERE key = :key AND revoked_at IS NULL`;

export function accessTokenRow(token: NewAccessToken): NewAccessTokenRow {
  return {
    key: token.key,
    digest: digestColumn(token.digest),
    family_key: token.familyKey,
    scopes: scopesColumn(token.scopes),
    expires_at: token.expiresAt,
  };
}

function accessTokenOf(row: AccessTokenRow): AccessToken {
  return {
    key: row.key,
    digest: digestOfColumn(row.digest),
    scopes: scopesOf(row.scopes),
    expiresAt: row.expires_at,
    clientId: row.client_id,
    user: userOf(row),
    revokedAt: row.revoked_at ?? undefined,
    familyRevokedAt: row.family_revoked_at ?? undefined,
    clientStatus: row.client_status,
  };
}
