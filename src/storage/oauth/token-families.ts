// Sign-ins, as rows. A sign-in has one row, however often the application refreshes its tokens.

import type { AccountStatus } from '../../identity/user.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type { NewTokenFamily, TokenFamily, TokenFamilyReads, TokenFamilyWrites } from '../../oauth/store.ts';
import { entry, NO_PERSON } from '../audit/audit-trail.ts';
import type { Database } from '../engine/database.ts';
import { sql } from '../engine/sql.ts';
import { accessTokenRow, insertAccessToken } from './access-tokens.ts';
import { digestColumn, digestOfColumn } from './digest-column.ts';
import { scopesColumn, scopesOf } from './scopes-column.ts';

export function tokenFamilyRows(database: Database): TokenFamilyReads & TokenFamilyWrites {
  return {
    async findTokenFamily(key) {
      const row = await database.first(selectFamily({ key }));
      return row && familyOf(row);
    },
    async rotate(rotation, accessToken) {
      const { familyKey, refreshExpiresAt, at, raceSince = NEVER } = rotation;
      const presentedDigest = digestColumn(rotation.presentedDigest);
      const nextDigest = digestColumn(rotation.nextDigest);
      const outcome = await database.atomically({
        audit: NO_PERSON,
        guard: rotateFamily({ familyKey, presentedDigest, nextDigest, refreshExpiresAt, at }),
        effects: [insertAccessToken(accessTokenRow(accessToken))],
        otherwise: [revokeFamilyUnlessRaced({ familyKey, presentedDigest, raceSince, at })],
      });
      return outcome.happened ? 'rotated' : 'refused';
    },
    async revokeFamily(key, at) {
      await database.atomically({ audit: NO_PERSON, guard: revokeFamilyByKey({ key, at }) });
    },
    async revokeFamilyBy(by, key) {
      const audit = entry(by, { action: 'token.revoke', subject: { kind: 'token', id: key } });
      await database.atomically({ audit, guard: revokeFamilyByKey({ key, at: by.at }) });
    },
    async revokeFamilies(userId, clientId, at) {
      await database.atomically({ audit: NO_PERSON, guard: revokeFamiliesOf({ userId, clientId, at }) });
    },
  };
}

// Later than any rotation, so no rotation counts as a race.
const NEVER: Timestamp = Number.MAX_SAFE_INTEGER;

interface NewFamilyRow {
  key: string;
  client_id: string;
  user_id: number;
  scopes: string;
  nonce: string | null;
  authenticated_at: Timestamp;
  refresh_digest: Uint8Array;
  refresh_expires_at: Timestamp;
  issued_at: Timestamp;
  expires_at: Timestamp;
}

interface FamilyRow extends NewFamilyRow {
  previous_digest: Uint8Array | null;
  rotated_at: Timestamp;
  revoked_at: Timestamp | null;
  account_status: AccountStatus;
}

export const insertFamily = sql<NewFamilyRow>`
  INSERT INTO token_families (key, client_id, user_id, scopes, nonce, authenticated_at,
    refresh_digest, rotated_at, refresh_expires_at, issued_at, expires_at)
  VALUES (:key, :client_id, :user_id, :scopes, :nonce, :authenticated_at,
    :refresh_digest, :issued_at, :refresh_expires_at, :issued_at, :expires_at)`;

const selectFamily = sql<{ key: string }, FamilyRow>`
  SELECT family.key, family.client_id, family.user_id, family.scopes, family.nonce, family.authenticated_at,
    family.refresh_digest, family.previous_digest, family.rotated_at, family.refresh_expires_at,
    family.issued_at, family.expires_at, family.revoked_at, users.status AS account_status
  FROM token_families AS family JOIN users ON users.id = family.user_id
  WHERE family.key = :key`;

interface RotationValues {
  familyKey: string;
  presentedDigest: Uint8Array;
  nextDigest: Uint8Array;
  refreshExpiresAt: Timestamp;
  at: Timestamp;
}

const rotateFamily = sql<RotationValues>`
  UPDATE token_families SET
    refresh_digest = :nextDigest,
    previous_digest = :presentedDigest,
    rotated_at = :at,
    refresh_expires_at = :refreshExpiresAt
  WHERE key = :familyKey AND refresh_digest = :presentedDigest AND revoked_at IS NULL`;

const revokeFamilyUnlessRaced = sql<{
  familyKey: string;
  presentedDigest: Uint8Array;
  raceSince: Timestamp;
  at: Timestamp;
}>`
  UPDATE token_families SET revoked_at = :at
  WHERE key = :familyKey AND revoked_at IS NULL
    AND NOT (previous_digest = :presentedDigest AND rotated_at >= :raceSince)`;

const revokeFamilyByKey = sql<{ key: string; at: Timestamp }>`
  UPDATE token_families SET revoked_at = :at WHERE key = :key AND revoked_at IS NULL`;

/** Revoke every sign-in of a member at an application. */
export const revokeFamiliesOf = sql<{ userId: number; clientId: string; at: Timestamp }>`
  UPDATE token_families SET revoked_at = :at
  WHERE user_id = :userId AND client_id = :clientId AND revoked_at IS NULL`;

export function familyRow(family: NewTokenFamily): NewFamilyRow {
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

function familyOf(row: FamilyRow): TokenFamily {
  return {
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
  };
}
