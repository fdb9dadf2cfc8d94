// Authorization codes, as rows. A redeemed code stays in the table, so that a second use is recognized, but without the
// texts that the application chose, and without the member's browser, which its sign-in has.

import type { Timestamp } from '../../lib/clock.ts';
import type {
  AuthorizationCode,
  AuthorizationCodeReads,
  AuthorizationCodeWrites,
  NewAuthorizationCode,
} from '../../oauth/store.ts';
import { NO_ENTRY } from '../audit/audit-trail.ts';
import type { Database } from '../engine/database.ts';
import { type Bound, fragment, sql } from '../engine/sql.ts';
import { insertAccessToken } from './access-tokens.ts';
import { replayEvent } from './code-replay.ts';
import { digestColumn, digestOfColumn } from './digest-column.ts';
import { scopesColumn, scopesOf } from './scopes-column.ts';
import type { Stored } from './stored.ts';
import { insertFamily, revokeFamiliesOf } from './token-families.ts';

export function authorizationCodeRows(database: Database): AuthorizationCodeReads & AuthorizationCodeWrites {
  return {
    async findAuthorizationCode(key) {
      const row = await database.first(selectCode({ key }));
      return row && { ...row, digest: digestOfColumn(row.digest), scopes: scopesOf(row.scopes) };
    },
    async redeem(code, family, accessToken, at, address) {
      const { key, userId, clientId } = code;
      const outcome = await database.atomically({
        audit: NO_ENTRY,
        guard: redeemCode({
          key,
          at,
          scopes: scopesColumn(code.scopes),
          grantEndsAt: code.grantEndsAt ?? NO_END,
        }),
        isExpected: true,
        effects: [insertFamily(family), insertAccessToken(accessToken)],
        otherwise: [
          replayEvent({ code, address, at }),
          voidCodesIfReplayed({ key, userId, clientId, at }),
          revokeFamiliesIfReplayed({ key, userId, clientId, at }),
        ],
      });
      if (outcome.happened) return 'redeemed';
      const isRedeemed = (await database.first(selectCode({ key })))?.redeemedAt !== undefined;
      return isRedeemed ? 'refused' : 'changed';
    },
    async revokeAfterReplay(replay) {
      const { code, at } = replay;
      const { userId, clientId } = code;
      // The codes first: this waits for a redemption in progress, so the next statement sees its sign-in.
      const revocations = [revokeFamiliesOf({ userId, clientId, at })];
      const event = replayEvent(replay);
      await database.atomically({
        audit: NO_ENTRY,
        guard: voidCodesOf({ userId, clientId, at }),
        effects: revocations,
        events: [event],
        // The replay is recorded even if it finds nothing to revoke.
        otherwise: [...revocations, event],
      });
    },
  };
}

/** Store a code, as an effect of the transaction that records the consent. */
export function insertCode(code: NewAuthorizationCode): Bound<unknown> {
  return insertNewCode({ ...code, digest: digestColumn(code.digest), scopes: scopesColumn(code.scopes) });
}

const insertNewCode = sql<Stored<NewAuthorizationCode>>`
  INSERT INTO authorization_codes (key, digest, client_id, user_id, redirect_uri, scopes,
    code_challenge, nonce, authenticated_at, expires_at, duration, grant_ends_at, program, network)
  VALUES (:key, :digest, :clientId, :userId, :redirectUri, :scopes,
    :codeChallenge, :nonce, :authenticatedAt, :expiresAt, :duration, :grantEndsAt, :program, :network)`;

const selectCode = sql<{ key: string }, Stored<AuthorizationCode>>`
  SELECT code.key, code.digest, code.client_id AS "clientId", code.user_id AS "userId",
    code.redirect_uri AS "redirectUri", code.scopes, code.code_challenge AS "codeChallenge", code.nonce,
    code.authenticated_at AS "authenticatedAt", code.expires_at AS "expiresAt",
    code.duration, code.grant_ends_at AS "grantEndsAt", code.program, code.network,
    code.redeemed_at AS "redeemedAt", code.voided_at AS "voidedAt", code.paused_at AS "pausedAt",
    users.status AS "accountStatus"
  FROM authorization_codes AS code JOIN users ON users.id = code.user_id
  WHERE code.key = :key`;

// The sign-in gets what the caller read, so that must still be true. `coalesce` keeps PostgreSQL from reading the whole
// index of live codes, which it believes to be nearly empty, instead of finding the code by its key.
const redeemCode = sql<{ key: string; at: Timestamp; scopes: string; grantEndsAt: Timestamp }>`
  UPDATE authorization_codes
  SET redeemed_at = :at, redirect_uri = '', code_challenge = NULL, nonce = NULL, program = NULL, network = NULL
  WHERE key = :key AND redeemed_at IS NULL AND coalesce(voided_at, paused_at) IS NULL
    AND scopes = :scopes AND coalesce(grant_ends_at, 0) = :grantEndsAt`;

/** Stands for the end of a consent without one, where the database compares ends. */
export const NO_END: Timestamp = 0;

interface Replay {
  key: string;
  userId: number;
  clientId: string;
  at: Timestamp;
}

// A voided code was never redeemed, so presenting it again is no replay.
const IF_REPLAYED = fragment`
  EXISTS (SELECT 1 FROM authorization_codes AS code WHERE code.key = :key AND code.redeemed_at IS NOT NULL)`;

const voidCodesIfReplayed = sql<Replay>`
  UPDATE authorization_codes SET voided_at = :at
  WHERE user_id = :userId AND client_id = :clientId AND redeemed_at IS NULL AND voided_at IS NULL
    AND ${IF_REPLAYED}`;

const revokeFamiliesIfReplayed = sql<Replay>`
  UPDATE token_families SET revoked_at = :at
  WHERE user_id = :userId AND client_id = :clientId AND revoked_at IS NULL AND ${IF_REPLAYED}`;

/** Void a member's unredeemed codes for an application. */
export const voidCodesOf = sql<{ userId: number; clientId: string; at: Timestamp }>`
  UPDATE authorization_codes SET voided_at = :at
  WHERE user_id = :userId AND client_id = :clientId AND redeemed_at IS NULL AND voided_at IS NULL`;

/**
 * Delete a member's live codes for an application, except the newest 500: more than the pace of sign-ins allows within
 * the life of a code, so sign-ins that another site causes don't push out the member's own. Keys grow with time.
 */
export const deleteOldestCodesOf = sql<{ userId: number; clientId: string }>`
  WITH oldest AS MATERIALIZED (
    SELECT key FROM authorization_codes
    WHERE user_id = :userId AND client_id = :clientId AND redeemed_at IS NULL AND voided_at IS NULL
    ORDER BY key DESC LIMIT 100 OFFSET 500)
  DELETE FROM authorization_codes WHERE key IN (SELECT key FROM oldest)`;
