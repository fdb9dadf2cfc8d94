// Access tokens, as rows.

import type { Doer } from '../../audit/doer.ts';
import type { SecurityEvent } from '../../audit/security-event.ts';
import { andThen } from '../../lib/awaitable.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type { AccessToken, AccessTokenReads, AccessTokenWrites, NewAccessToken } from '../../oauth/store.ts';
import { entry, NO_ENTRY } from '../audit/audit-trail.ts';
import { EVENT_ROW, INTO_EVENTS, recorded } from '../audit/security-events.ts';
import type { Database } from '../engine/database.ts';
import { type Bound, sql } from '../engine/sql.ts';
import { USER_COLUMNS, type UserRow, userOf } from '../identity/users.ts';
import { digestColumn, digestOfColumn } from './digest-column.ts';
import { scopesColumn, scopesWithin } from './scopes-column.ts';
import type { Stored } from './stored.ts';

export function accessTokenRows(database: Database): AccessTokenReads & AccessTokenWrites {
  return {
    findAccessToken(key) {
      return andThen(database.first(selectAccessToken({ key })), (row) => row && accessTokenOf(row));
    },
    async revokeAccessToken(key, at) {
      const guard = revokeAccessTokenByKey({ key, at });
      await database.atomically({ audit: NO_ENTRY, guard, isExpected: true });
    },
    async revokeAccessTokenBy(by, key) {
      // The audit log may contain the key: only the rest of the token is secret.
      const audit = entry(by, { action: 'token.revoke', subject: { kind: 'token', id: key } });
      const events = [recorded(insertReport({ key, at: by.at, by: by.kind }))];
      await database.atomically({ audit, guard: revokeAccessTokenByKey({ key, at: by.at }), events });
    },
  };
}

/** Store an access token, as an effect of the transaction that issues it. */
export function insertAccessToken(token: NewAccessToken): Bound<unknown> {
  return insertToken({ ...token, digest: digestColumn(token.digest), scopes: scopesColumn(token.scopes) });
}

const insertToken = sql<Stored<NewAccessToken>>`
  INSERT INTO access_tokens (key, digest, family_key, scopes, expires_at)
  VALUES (:key, :digest, :familyKey, :scopes, :expiresAt)`;

type AccessTokenRow = Stored<Omit<AccessToken, 'user'>> &
  UserRow & { familyScopes: string; familyExpiresAt: Timestamp };

const selectAccessToken = sql<{ key: string }, AccessTokenRow>`
  SELECT token.key, token.digest, token.family_key AS "familyKey", token.scopes,
    token.expires_at AS "expiresAt", token.revoked_at AS "revokedAt",
    family.client_id AS "clientId", family.revoked_at AS "familyRevokedAt",
    family.paused_at AS "familyPausedAt", family.scopes AS "familyScopes",
    family.expires_at AS "familyExpiresAt", clients.status AS "clientStatus",
    clients.document_url AS "clientDocument",
    ${USER_COLUMNS}
  FROM access_tokens AS token
  JOIN token_families AS family ON family.key = token.family_key
  JOIN clients ON clients.id = family.client_id
  JOIN users ON users.id = family.user_id
  WHERE token.key = :key`;

// The columns of the member stay out of the token itself, which the cache holds in memory.
function accessTokenOf(row: AccessTokenRow): AccessToken {
  return {
    key: row.key,
    digest: digestOfColumn(row.digest),
    familyKey: row.familyKey,
    // The sign-in may have lost scopes after the token was issued.
    scopes: scopesWithin(row.scopes, row.familyScopes),
    expiresAt: Math.min(row.expiresAt, row.familyExpiresAt),
    clientId: row.clientId,
    user: userOf(row),
    revokedAt: row.revokedAt,
    familyRevokedAt: row.familyRevokedAt,
    familyPausedAt: row.familyPausedAt,
    clientStatus: row.clientStatus,
    clientDocument: row.clientDocument,
  };
}

export const revokeAccessTokenByKey = sql<{ key: string; at: Timestamp }>`
  UPDATE access_tokens SET revoked_at = :at WHERE key = :key AND revoked_at IS NULL`;

const insertReport = sql<{ key: string; at: Timestamp; by: Doer['kind'] }, SecurityEvent>`
  ${INTO_EVENTS}
  SELECT :at, 'token_reported', family.user_id, family.client_id, NULL, :by, 'access', token.key
  FROM access_tokens AS token JOIN token_families AS family ON family.key = token.family_key
  WHERE token.key = :key
  ${EVENT_ROW}`;
