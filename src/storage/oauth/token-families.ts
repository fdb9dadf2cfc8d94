// Sign-ins, as rows. A sign-in has one row, however often the application refreshes its tokens.

import type { Doer } from '../../audit/doer.ts';
import type { SecurityEvent } from '../../audit/security-event.ts';
import { HOUR, type Timestamp } from '../../lib/clock.ts';
import type {
  NewTokenFamily,
  Rotation,
  SignIn,
  TokenFamily,
  TokenFamilyReads,
  TokenFamilyWrites,
} from '../../oauth/store.ts';
import { entry, NO_ENTRY, ownAct } from '../audit/audit-trail.ts';
import { EVENT_ROW, INTO_EVENTS, recorded } from '../audit/security-events.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { type Bound, fragment, sql } from '../engine/sql.ts';
import { mailsAfter } from '../identity/security-mails.ts';
import { insertAccessToken } from './access-tokens.ts';
import { digestColumn, digestOfColumn } from './digest-column.ts';
import { withinPace } from './pace-of-thefts.ts';
import { scopesColumn, scopesOf } from './scopes-column.ts';
import type { Stored } from './stored.ts';

export function tokenFamilyRows(database: Database): TokenFamilyReads & TokenFamilyWrites {
  return {
    async findTokenFamily(key) {
      const row = await database.first(selectFamily({ key }));
      if (row === undefined) return undefined;
      return {
        ...row,
        scopes: scopesOf(row.scopes),
        refreshDigest: digestOfColumn(row.refreshDigest),
        previousDigest: row.previousDigest && digestOfColumn(row.previousDigest),
      };
    },
    async signInsOf(userId, clientId, now, most) {
      const rows = await database.rows(selectSignIns({ userId, clientId, now, most }));
      return rows.map((row) => ({ ...row, scopes: scopesOf(row.scopes) }));
    },
    async rotate(rotation, accessToken) {
      const { familyKey, at, raceSince = NEVER, address } = rotation;
      const presentedDigest = digestColumn(rotation.presentedDigest);
      const nextDigest = digestColumn(rotation.nextDigest);
      const outcome = await database.atomically({
        audit: NO_ENTRY,
        guard: rotateFamily({ ...rotation, presentedDigest, nextDigest }),
        isExpected: true,
        effects: [insertAccessToken(accessToken)],
        otherwise: [
          {
            ...recorded(
              insertReuseUnlessRaced[database.dialect]({
                familyKey,
                presentedDigest,
                raceSince,
                at,
                address,
                hourAgo: at - HOUR,
              }),
            ),
            followedBy: mailsAfterReuse(familyKey, rotation),
          },
          revokeFamilyUnlessRaced({ familyKey, presentedDigest, raceSince, at }),
        ],
      });
      return outcome.happened ? 'rotated' : 'refused';
    },
    async revokeFamily(key, at) {
      await database.atomically({
        audit: NO_ENTRY,
        guard: revokeFamilyByKey({ key, at }),
        isExpected: true,
      });
    },
    async revokeOwnFamily(by, key) {
      const { userId, at, address } = by;
      return runGuarded(database, {
        audit: ownAct(by),
        guard: revokeOwn({ key, userId, at }),
        events: [recorded(insertEnd({ key, at, address, by: by.kind }))],
      });
    },
    async revokeFamilyBy(by, key) {
      const audit = entry(by, { action: 'token.revoke', subject: { kind: 'token', id: key } });
      const events = [recorded(insertReport({ key, at: by.at, by: by.kind }))];
      await database.atomically({ audit, guard: revokeFamilyByKey({ key, at: by.at }), events });
    },
    async revokeStolenFamily(key, reuse) {
      const { at, address } = reuse;
      const event = recorded(insertReuse({ key, at, address, hourAgo: at - HOUR }));
      const events = [{ ...event, followedBy: mailsAfterReuse(key, reuse) }];
      await database.atomically({ audit: NO_ENTRY, guard: revokeFamilyByKey({ key, at }), events });
    },
  };
}

function mailsAfterReuse(
  key: string,
  { at, address, owner }: Pick<Rotation, 'at' | 'address' | 'owner'>,
): readonly Bound<unknown>[] {
  if (owner === undefined) return [];
  return mailsAfter({ event: 'refresh_token_reused', at, address, subject: key, ...owner });
}

// Later than any rotation, so no rotation counts as a race.
const NEVER: Timestamp = Number.MAX_SAFE_INTEGER;

/** Store a sign-in, as an effect of the transaction that redeems its code. */
export function insertFamily(family: NewTokenFamily): Bound<unknown> {
  const refreshDigest = digestColumn(family.refreshDigest);
  return insertNewFamily({ ...family, scopes: scopesColumn(family.scopes), refreshDigest });
}

const insertNewFamily = sql<Stored<NewTokenFamily>>`
  INSERT INTO token_families (key, client_id, user_id, scopes, authenticated_at,
    refresh_digest, rotated_at, refresh_expires_at, issued_at, expires_at, program, network)
  VALUES (:key, :clientId, :userId, :scopes, :authenticatedAt,
    :refreshDigest, :issuedAt, :refreshExpiresAt, :issuedAt, :expiresAt, :program, :network)`;

const selectFamily = sql<{ key: string }, Stored<TokenFamily>>`
  SELECT family.key, family.client_id AS "clientId", family.user_id AS "userId", family.scopes,
    family.authenticated_at AS "authenticatedAt", family.refresh_digest AS "refreshDigest",
    family.previous_digest AS "previousDigest", family.rotated_at AS "rotatedAt",
    family.refresh_expires_at AS "refreshExpiresAt", family.issued_at AS "issuedAt",
    family.expires_at AS "expiresAt", family.program, family.network,
    family.revoked_at AS "revokedAt", family.paused_at AS "pausedAt",
    users.status AS "accountStatus"
  FROM token_families AS family JOIN users ON users.id = family.user_id
  WHERE family.key = :key`;

const selectSignIns = sql<{ userId: number; clientId: string; now: Timestamp; most: number }, Stored<SignIn>>`
  SELECT key, scopes, issued_at AS "issuedAt", rotated_at AS "rotatedAt", expires_at AS "expiresAt",
    program, network
  FROM token_families
  WHERE user_id = :userId AND client_id = :clientId AND revoked_at IS NULL AND refresh_expires_at > :now
  ORDER BY key DESC LIMIT cast(:most AS bigint)`;

// For a sign-in that is found by its key. With `revoked_at IS NULL`, PostgreSQL may read the whole index of live
// sign-ins instead, which begins with the member.
const IS_LIVE = fragment`coalesce(revoked_at, 0) = 0`;

const rotateFamily = sql<Stored<Omit<Rotation, 'raceSince' | 'address' | 'owner'>>>`
  UPDATE token_families
  SET refresh_digest = :nextDigest, previous_digest = :presentedDigest,
    rotated_at = :at, refresh_expires_at = :refreshExpiresAt
  WHERE key = :familyKey AND refresh_digest = :presentedDigest AND ${IS_LIVE}`;

interface RaceValues {
  familyKey: string;
  presentedDigest: Uint8Array;
  raceSince: Timestamp;
  at: Timestamp;
}

type ReuseValues = RaceValues & { address: string | undefined; hourAgo: Timestamp };

const revokeFamilyUnlessRaced = sql<RaceValues>`
  UPDATE token_families SET revoked_at = :at
  WHERE key = :familyKey AND ${IS_LIVE}
    AND NOT (previous_digest = :presentedDigest AND rotated_at >= :raceSince)`;

const SELECT_REUSE = fragment`
  SELECT :at, 'refresh_token_reused', user_id, client_id, :address, NULL, NULL, key FROM token_families`;

const WITHIN_PACE = withinPace(
  fragment`'refresh_token_reused'`,
  fragment`token_families.user_id`,
  fragment`token_families.client_id`,
);

const insertReuse = sql<
  { key: string; at: Timestamp; hourAgo: Timestamp; address: string | undefined },
  SecurityEvent
>`
  ${INTO_EVENTS} ${SELECT_REUSE}
  WHERE key = :key AND ${WITHIN_PACE}
  ${EVENT_ROW}`;

const REUSE_UNLESS_RACED = fragment`
  ${INTO_EVENTS} ${SELECT_REUSE}
  WHERE key = :familyKey AND ${IS_LIVE}
    AND NOT (previous_digest = :presentedDigest AND rotated_at >= :raceSince) AND ${WITHIN_PACE}`;

// It runs before the revocation. On PostgreSQL the lock makes parallel requests wait, so only one records it.
const insertReuseUnlessRaced = {
  sqlite: sql<ReuseValues, SecurityEvent>`${REUSE_UNLESS_RACED} ${EVENT_ROW}`,
  postgres: sql<ReuseValues, SecurityEvent>`
    ${REUSE_UNLESS_RACED} FOR UPDATE OF token_families ${EVENT_ROW}`,
};

const insertReport = sql<{ key: string; at: Timestamp; by: Doer['kind'] }, SecurityEvent>`
  ${INTO_EVENTS}
  SELECT :at, 'token_reported', user_id, client_id, NULL, :by, 'refresh', key
  FROM token_families WHERE key = :key
  ${EVENT_ROW}`;

export const insertEnd = sql<
  { key: string; at: Timestamp; address: string | undefined; by: Doer['kind'] },
  SecurityEvent
>`
  ${INTO_EVENTS}
  SELECT :at, 'application_signed_out', user_id, client_id, :address, :by, NULL, key
  FROM token_families WHERE key = :key
  ${EVENT_ROW}`;

const revokeOwn = sql<{ key: string; userId: number; at: Timestamp }>`
  UPDATE token_families SET revoked_at = :at
  WHERE key = :key AND user_id = :userId AND ${IS_LIVE}`;

export const revokeFamilyByKey = sql<{ key: string; at: Timestamp }>`
  UPDATE token_families SET revoked_at = :at WHERE key = :key AND ${IS_LIVE}`;

/** Revoke every sign-in of a member at an application. */
export const revokeFamiliesOf = sql<{ userId: number; clientId: string; at: Timestamp }>`
  UPDATE token_families SET revoked_at = :at
  WHERE user_id = :userId AND client_id = :clientId AND revoked_at IS NULL`;

/** Revoke a member's sign-ins at an application, except the newest 1,000. Keys grow with time. */
export const revokeOldestFamiliesOf = sql<{ userId: number; clientId: string; at: Timestamp }>`
  WITH oldest AS MATERIALIZED (
    SELECT key FROM token_families
    WHERE user_id = :userId AND client_id = :clientId AND revoked_at IS NULL
    ORDER BY key DESC LIMIT 100 OFFSET 1000)
  UPDATE token_families SET revoked_at = :at WHERE key IN (SELECT key FROM oldest)`;
