// Personal tokens, as rows.

import { andThen } from '../../lib/awaitable.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type {
  NewPersonalToken,
  PersonalToken,
  PersonalTokenReads,
  PersonalTokenWrites,
} from '../../oauth/personal-token-store.ts';
import { type Actor, entry, entryBy, NO_PERSON } from '../audit/audit-trail.ts';
import type { Database } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';
import { USER_COLUMNS, type UserRow, userOf } from '../identity/users.ts';
import { digestColumn, digestOfColumn } from './digest-column.ts';
import { scopesColumn, scopesOf } from './scopes-column.ts';

export function personalTokenRows(database: Database): PersonalTokenReads & PersonalTokenWrites {
  return {
    async addPersonalToken(by, token, most) {
      const { key, userId } = token;
      const detail = JSON.stringify({ user: userId, scopes: scopesColumn(token.scopes) });
      const { changes } = await database.atomically({
        // Without a row there is no entry: a token that is one too many was not created.
        audit: entryBy(by, (actor) => insertCreationEvent({ ...actor, detail, key })),
        // Parallel requests of one member wait here, so that each counts the tokens of those before it.
        guard: lockUser({ userId }),
        effects: {
          insertToken: insertPersonalToken(personalTokenRow(token, by.at)),
          deleteIfTooMany: deleteIfTooMany({ key, userId, most, now: by.at }),
        },
      });
      if (changes.insertToken !== 1 || changes.deleteIfTooMany !== 0) return undefined;
      return (await database.first(selectPersonalToken({ key })))?.id;
    },
    findPersonalToken(key) {
      return andThen(database.first(selectPersonalToken({ key })), (row) => row && personalTokenOf(row));
    },
    async personalTokensOf(userId) {
      return (await database.rows(selectPersonalTokensOf({ userId }))).map(personalTokenOf);
    },
    async revokePersonalToken(by, id) {
      const { at } = by;
      const audit = entry(by, { action: 'token.revoke', subject: { kind: 'token', id: String(id) } });
      const guard =
        by.kind === 'member'
          ? revokeOwnPersonalToken({ id, userId: by.userId, at })
          : revokeAnyPersonalToken({ id, at });
      return (await database.atomically({ audit, guard })).happened;
    },
    async touchPersonalToken(id, at) {
      await database.atomically({ audit: NO_PERSON, guard: touchPersonalTokenById({ id, at }) });
    },
  };
}

interface NewPersonalTokenRow {
  key: string;
  digest: Uint8Array;
  ending: string;
  user_id: number;
  name: string;
  scopes: string;
  created_at: Timestamp;
  expires_at: Timestamp | null;
}

interface PersonalTokenRow extends NewPersonalTokenRow, UserRow {
  id: number;
  last_used_at: Timestamp | null;
  revoked_at: Timestamp | null;
}

const lockUser = sql<{ userId: number }>`
  UPDATE users SET xp = xp WHERE id = :userId`;

const insertPersonalToken = sql<NewPersonalTokenRow>`
  INSERT INTO personal_tokens (key, digest, ending, user_id, name, scopes, created_at, expires_at)
  VALUES (:key, :digest, :ending, :user_id, :name, :scopes, :created_at, :expires_at)`;

// This runs after the insertion, under the lock, and undoes it if the token is one too many.
const deleteIfTooMany = sql<{ key: string; userId: number; most: number; now: Timestamp }>`
  DELETE FROM personal_tokens
  WHERE key = :key AND :most < (
    SELECT count(*) FROM personal_tokens
    WHERE user_id = :userId AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :now))`;

// The columns of the member contain the member's number.
const SELECT_TOKENS = fragment`
  SELECT token.id, token.key, token.digest, token.ending, token.name, token.scopes,
    token.created_at, token.expires_at, token.last_used_at, token.revoked_at,
    ${USER_COLUMNS}
  FROM personal_tokens AS token JOIN users ON users.id = token.user_id`;

const selectPersonalToken = sql<{ key: string }, PersonalTokenRow>`
  ${SELECT_TOKENS}
  WHERE token.key = :key`;

const selectPersonalTokensOf = sql<{ userId: number }, PersonalTokenRow>`
  ${SELECT_TOKENS}
  WHERE token.user_id = :userId AND token.revoked_at IS NULL
  ORDER BY token.id DESC`;

const insertCreationEvent = sql<Actor & { detail: string; key: string }>`
  INSERT INTO audit_events (at, actor_id, action, subject_kind, subject_id, detail)
  SELECT :at, :actorId, 'token.create', 'token', cast(id AS text), :detail
  FROM personal_tokens WHERE key = :key`;

const revokeAnyPersonalToken = sql<{ id: number; at: Timestamp }>`
  UPDATE personal_tokens SET revoked_at = :at
  WHERE id = :id AND revoked_at IS NULL`;

const revokeOwnPersonalToken = sql<{ id: number; userId: number; at: Timestamp }>`
  UPDATE personal_tokens SET revoked_at = :at
  WHERE id = :id AND user_id = :userId AND revoked_at IS NULL`;

const touchPersonalTokenById = sql<{ id: number; at: Timestamp }>`
  UPDATE personal_tokens SET last_used_at = :at WHERE id = :id`;

function personalTokenRow(token: NewPersonalToken, createdAt: Timestamp): NewPersonalTokenRow {
  return {
    key: token.key,
    digest: digestColumn(token.digest),
    ending: token.ending,
    user_id: token.userId,
    name: token.name,
    scopes: scopesColumn(token.scopes),
    created_at: createdAt,
    expires_at: token.expiresAt ?? null,
  };
}

function personalTokenOf(row: PersonalTokenRow): PersonalToken {
  return {
    id: row.id,
    key: row.key,
    digest: digestOfColumn(row.digest),
    ending: row.ending,
    userId: row.user_id,
    name: row.name,
    scopes: scopesOf(row.scopes),
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    lastUsedAt: row.last_used_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
    user: userOf(row),
  };
}
