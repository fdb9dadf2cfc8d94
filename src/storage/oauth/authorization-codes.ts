// Authorization codes, as rows. A redeemed code stays in the table, so that a second use is recognized.

import type { AccountStatus } from '../../identity/user.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type {
  AuthorizationCode,
  AuthorizationCodeReads,
  AuthorizationCodeWrites,
  NewAuthorizationCode,
} from '../../oauth/store.ts';
import { NO_PERSON } from '../audit/audit-trail.ts';
import type { Database } from '../engine/database.ts';
import { sql } from '../engine/sql.ts';
import { accessTokenRow, insertAccessToken } from './access-tokens.ts';
import { digestColumn, digestOfColumn } from './digest-column.ts';
import { scopesColumn, scopesOf } from './scopes-column.ts';
import { familyRow, insertFamily } from './token-families.ts';

export function authorizationCodeRows(database: Database): AuthorizationCodeReads & AuthorizationCodeWrites {
  return {
    async findAuthorizationCode(key) {
      const row = await database.first(selectCode({ key }));
      return row && codeOf(row);
    },
    async redeem(code, family, accessToken, at) {
      const { key, userId, clientId } = code;
      const outcome = await database.atomically({
        audit: NO_PERSON,
        guard: redeemCode({ key, at }),
        effects: [insertFamily(familyRow(family)), insertAccessToken(accessTokenRow(accessToken))],
        otherwise: [revokeFamiliesIfReplayed({ key, userId, clientId, at })],
      });
      return outcome.happened ? 'redeemed' : 'refused';
    },
  };
}

interface NewCodeRow {
  key: string;
  digest: Uint8Array;
  client_id: string;
  user_id: number;
  redirect_uri: string;
  scopes: string;
  code_challenge: string | null;
  nonce: string | null;
  authenticated_at: Timestamp;
  expires_at: Timestamp;
}

interface CodeRow extends NewCodeRow {
  redeemed_at: Timestamp | null;
  voided_at: Timestamp | null;
  account_status: AccountStatus;
}

export const insertCode = sql<NewCodeRow>`
  INSERT INTO authorization_codes (key, digest, client_id, user_id, redirect_uri, scopes,
    code_challenge, nonce, authenticated_at, expires_at)
  VALUES (:key, :digest, :client_id, :user_id, :redirect_uri, :scopes,
    :code_challenge, :nonce, :authenticated_at, :expires_at)`;

const selectCode = sql<{ key: string }, CodeRow>`
  SELECT code.key, code.digest, code.client_id, code.user_id, code.redirect_uri, code.scopes,
    code.code_challenge, code.nonce, code.authenticated_at, code.expires_at,
    code.redeemed_at, code.voided_at, users.status AS account_status
  FROM authorization_codes AS code JOIN users ON users.id = code.user_id
  WHERE code.key = :key`;

const redeemCode = sql<{ key: string; at: Timestamp }>`
  UPDATE authorization_codes SET redeemed_at = :at
  WHERE key = :key AND redeemed_at IS NULL AND voided_at IS NULL`;

// A voided code was never redeemed, so it has led to no sign-in that must end.
const revokeFamiliesIfReplayed = sql<{ key: string; userId: number; clientId: string; at: Timestamp }>`
  UPDATE token_families SET revoked_at = :at
  WHERE user_id = :userId AND client_id = :clientId AND revoked_at IS NULL
    AND EXISTS (
      SELECT 1 FROM authorization_codes AS code WHERE code.key = :key AND code.redeemed_at IS NOT NULL)`;

/** Void a member's unredeemed codes for an application. */
export const voidCodesOf = sql<{ userId: number; clientId: string; at: Timestamp }>`
  UPDATE authorization_codes SET voided_at = :at
  WHERE user_id = :userId AND client_id = :clientId AND redeemed_at IS NULL AND voided_at IS NULL`;

export function codeRow(code: NewAuthorizationCode): NewCodeRow {
  return {
    key: code.key,
    digest: digestColumn(code.digest),
    client_id: code.clientId,
    user_id: code.userId,
    redirect_uri: code.redirectUri,
    scopes: scopesColumn(code.scopes),
    code_challenge: code.codeChallenge ?? null,
    nonce: code.nonce ?? null,
    authenticated_at: code.authenticatedAt,
    expires_at: code.expiresAt,
  };
}

function codeOf(row: CodeRow): AuthorizationCode {
  return {
    key: row.key,
    digest: digestOfColumn(row.digest),
    clientId: row.client_id,
    userId: row.user_id,
    redirectUri: row.redirect_uri,
    scopes: scopesOf(row.scopes),
    codeChallenge: row.code_challenge ?? undefined,
    nonce: row.nonce ?? undefined,
    authenticatedAt: row.authenticated_at,
    expiresAt: row.expires_at,
    redeemedAt: row.redeemed_at ?? undefined,
    voidedAt: row.voided_at ?? undefined,
    accountStatus: row.account_status,
  };
}
