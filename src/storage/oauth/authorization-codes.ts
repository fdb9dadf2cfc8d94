// Authorization codes, as rows. A redeemed code stays in the table, so that a second use is recognized.

import type { Timestamp } from '../../lib/clock.ts';
import type {
  AuthorizationCode,
  AuthorizationCodeReads,
  AuthorizationCodeWrites,
  NewAuthorizationCode,
} from '../../oauth/store.ts';
import { NO_PERSON } from '../audit/audit-trail.ts';
import type { Database } from '../engine/database.ts';
import { type Bound, sql } from '../engine/sql.ts';
import { insertAccessToken } from './access-tokens.ts';
import { replayEvent } from './code-replay.ts';
import { digestColumn, digestOfColumn } from './digest-column.ts';
import { scopesColumn, scopesOf } from './scopes-column.ts';
import type { Stored } from './stored.ts';
import { insertFamily } from './token-families.ts';

export function authorizationCodeRows(database: Database): AuthorizationCodeReads & AuthorizationCodeWrites {
  return {
    async findAuthorizationCode(key) {
      const row = await database.first(selectCode({ key }));
      return row && { ...row, digest: digestOfColumn(row.digest), scopes: scopesOf(row.scopes) };
    },
    async redeem(code, family, accessToken, at, address) {
      const { key, userId, clientId } = code;
      const outcome = await database.atomically({
        audit: NO_PERSON,
        guard: redeemCode({ key, at }),
        effects: [insertFamily(family), insertAccessToken(accessToken)],
        otherwise: [
          replayEvent({ code, address, at }),
          revokeFamiliesIfReplayed({ key, userId, clientId, at }),
        ],
      });
      return outcome.happened ? 'redeemed' : 'refused';
    },
  };
}

/** Store a code, as an effect of the transaction that records the consent. */
export function insertCode(code: NewAuthorizationCode): Bound<unknown> {
  return insertNewCode({ ...code, digest: digestColumn(code.digest), scopes: scopesColumn(code.scopes) });
}

const insertNewCode = sql<Stored<NewAuthorizationCode>>`
  INSERT INTO authorization_codes (key, digest, client_id, user_id, redirect_uri, scopes,
    code_challenge, nonce, authenticated_at, expires_at)
  VALUES (:key, :digest, :clientId, :userId, :redirectUri, :scopes,
    :codeChallenge, :nonce, :authenticatedAt, :expiresAt)`;

const selectCode = sql<{ key: string }, Stored<AuthorizationCode>>`
  SELECT code.key, code.digest, code.client_id AS "clientId", code.user_id AS "userId",
    code.redirect_uri AS "redirectUri", code.scopes, code.code_challenge AS "codeChallenge", code.nonce,
    code.authenticated_at AS "authenticatedAt", code.expires_at AS "expiresAt",
    code.redeemed_at AS "redeemedAt", code.voided_at AS "voidedAt", users.status AS "accountStatus"
  FROM authorization_codes AS code JOIN users ON users.id = code.user_id
  WHERE code.key = :key`;

const redeemCode = sql<{ key: string; at: Timestamp }>`
  UPDATE authorization_codes SET redeemed_at = :at
  WHERE key = :key AND redeemed_at IS NULL AND voided_at IS NULL`;

// A voided code was never redeemed, so there is no sign-in to revoke.
const revokeFamiliesIfReplayed = sql<{ key: string; userId: number; clientId: string; at: Timestamp }>`
  UPDATE token_families SET revoked_at = :at
  WHERE user_id = :userId AND client_id = :clientId AND revoked_at IS NULL
    AND EXISTS (
      SELECT 1 FROM authorization_codes AS code WHERE code.key = :key AND code.redeemed_at IS NOT NULL)`;

/** Void a member's unredeemed codes for an application. */
export const voidCodesOf = sql<{ userId: number; clientId: string; at: Timestamp }>`
  UPDATE authorization_codes SET voided_at = :at
  WHERE user_id = :userId AND client_id = :clientId AND redeemed_at IS NULL AND voided_at IS NULL`;
