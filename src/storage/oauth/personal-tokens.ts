// Personal tokens, as rows.

import type { Doer } from '../../audit/doer.ts';
import type { SecurityEvent } from '../../audit/security-event.ts';
import { andThen } from '../../lib/awaitable.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type {
  NewPersonalToken,
  PersonalToken,
  PersonalTokenReads,
  PersonalTokenWrites,
  TokenUse,
} from '../../oauth/personal-token-store.ts';
import { type Actor, entry, entryBy, NO_ENTRY } from '../audit/audit-trail.ts';
import { addressOf, EVENT_ROW, INTO_EVENTS, recorded } from '../audit/security-events.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { type Bound, fragment, sql } from '../engine/sql.ts';
import { insertTokenNotice } from '../identity/mails.ts';
import { USER_COLUMNS, type UserRow, userOf } from '../identity/users.ts';
import { digestColumn, digestOfColumn } from './digest-column.ts';
import { scopesColumn, scopesOf } from './scopes-column.ts';
import type { Stored } from './stored.ts';

export function personalTokenRows(database: Database): PersonalTokenReads & PersonalTokenWrites {
  return {
    async addPersonalToken(by, token, most, language) {
      const { key, userId } = token;
      const scopes = scopesColumn(token.scopes);
      const detail = JSON.stringify({ user: userId, scopes });
      const digest = digestColumn(token.digest);
      const { changes } = await database.atomically({
        // These look for the row of this very token. It is missing if the token is one too many, since the row
        // is deleted again, or if another token has the key: then only the digest differs.
        audit: entryBy(by, (actor) => insertCreationEvent({ ...actor, detail, key, digest })),
        events: [tokenEvent(by, 'api_token_created', undefined, { key, digest })],
        // Parallel requests of one member wait here, so that each counts the tokens of those before it.
        turn: `tokens ${userId}`,
        guard: lockUser({ userId }),
        effects: {
          insertToken: insertPersonalToken({
            ...token,
            digest,
            scopes,
            addresses: token.addresses.join(' '),
            createdAt: by.at,
          }),
          deleteIfTooMany: deleteIfTooMany({ key, userId, most, now: by.at }),
          notice: language === undefined ? [] : [insertTokenNotice({ key, digest, language, at: by.at })],
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
      return runGuarded(database, revocationOf(by, id));
    },
    async revokeReportedPersonalToken(by, id) {
      const revocation = revocationOf(by, id);
      const report = tokenEvent(by, 'token_reported', 'personal', { id });
      return runGuarded(database, { ...revocation, events: [...revocation.events, report] });
    },
    async touchPersonalToken(id, at, use) {
      await database.atomically({ audit: NO_ENTRY, guard: touchPersonalTokenById({ id, at, ...use }) });
    },
  };
}

function revocationOf(by: Doer, id: number) {
  const { at } = by;
  return {
    audit: entry(by, { action: 'token.revoke', subject: { kind: 'token', id: String(id) } }),
    guard:
      by.kind === 'member'
        ? revokeOwnPersonalToken({ id, userId: by.userId, at })
        : revokeAnyPersonalToken({ id, at }),
    events: [tokenEvent(by, 'api_token_revoked', undefined, { id })],
  };
}

/** Record an event of a token, which is found by its key and digest, or by its id. */
export function tokenEvent(
  by: Doer,
  event: SecurityEvent['event'],
  detail: string | undefined,
  { key, digest, id }: { key?: string; digest?: Uint8Array; id?: number },
): Bound<unknown> {
  const values = { at: by.at, event, address: addressOf(by), by: by.kind, detail, key, digest, id };
  return recorded(insertTokenEvent(values));
}

const insertTokenEvent = sql<
  {
    at: Timestamp;
    event: string;
    address: string | undefined;
    by: string;
    detail: string | undefined;
    key: string | undefined;
    digest: Uint8Array | undefined;
    id: number | undefined;
  },
  SecurityEvent
>`
  ${INTO_EVENTS}
  SELECT :at, :event, user_id, NULL, :address, :by, :detail, cast(id AS text)
  FROM personal_tokens WHERE (key = :key AND digest = :digest) OR id = :id
  ${EVENT_ROW}`;

const lockUser = sql<{ userId: number }>`
  UPDATE users SET xp = xp WHERE id = :userId AND status = 'active'`;

const insertPersonalToken = sql<Stored<NewPersonalToken> & { createdAt: Timestamp }>`
  INSERT INTO personal_tokens (key, digest, ending, user_id, name, note, scopes, addresses, created_at, expires_at)
  VALUES (:key, :digest, :ending, :userId, :name, :note, :scopes, :addresses, :createdAt, :expiresAt)
  ON CONFLICT (key) DO NOTHING`;

// This runs after the insertion, under the lock, and undoes it if the token is one too many.
const deleteIfTooMany = sql<{ key: string; userId: number; most: number; now: Timestamp }>`
  DELETE FROM personal_tokens
  WHERE key = :key AND :most < (
    SELECT count(*) FROM personal_tokens
    WHERE user_id = :userId AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > :now))`;

// The columns of the member contain the member's id.
type PersonalTokenRow = Stored<Omit<PersonalToken, 'userId' | 'user' | 'lastUse'>> &
  UserRow & {
    lastNetwork: string | undefined;
    lastProgram: string | undefined;
    lastEndpoint: string | undefined;
  };

const SELECT_TOKENS = fragment`
  SELECT token.id, token.key, token.digest, token.ending, token.name, token.note, token.scopes, token.addresses,
    token.created_at AS "createdAt", token.expires_at AS "expiresAt",
    token.last_used_at AS "lastUsedAt", token.last_network AS "lastNetwork",
    token.last_program AS "lastProgram", token.last_endpoint AS "lastEndpoint",
    token.revoked_at AS "revokedAt", token.replaced_at AS "replacedAt",
    ${USER_COLUMNS}
  FROM personal_tokens AS token JOIN users ON users.id = token.user_id`;

// The columns of the member stay out of the token itself, which the cache holds in memory.
function personalTokenOf(row: PersonalTokenRow): PersonalToken {
  const user = userOf(row);
  return {
    id: row.id,
    key: row.key,
    digest: digestOfColumn(row.digest),
    ending: row.ending,
    userId: user.id,
    name: row.name,
    note: row.note,
    scopes: scopesOf(row.scopes),
    addresses: row.addresses === '' ? EVERYWHERE : row.addresses.split(' '),
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    lastUsedAt: row.lastUsedAt,
    lastUse: lastUseOf(row),
    revokedAt: row.revokedAt,
    replacedAt: row.replacedAt,
    user,
  };
}

const EVERYWHERE: readonly string[] = [];

function lastUseOf({ lastNetwork, lastProgram, lastEndpoint }: PersonalTokenRow): TokenUse | undefined {
  if (lastEndpoint === undefined) return undefined;
  return { network: lastNetwork, program: lastProgram, endpoint: lastEndpoint };
}

const selectPersonalToken = sql<{ key: string }, PersonalTokenRow>`
  ${SELECT_TOKENS}
  WHERE token.key = :key`;

const selectPersonalTokensOf = sql<{ userId: number }, PersonalTokenRow>`
  ${SELECT_TOKENS}
  WHERE token.id IN (
    SELECT id FROM personal_tokens WHERE user_id = :userId AND revoked_at IS NULL
    ORDER BY expires_at IS NOT NULL, expires_at DESC, id DESC LIMIT 100)
  ORDER BY token.id DESC`;

const insertCreationEvent = sql<Actor & { detail: string; key: string; digest: Uint8Array }>`
  INSERT INTO audit_events (at, actor_id, action, subject_kind, subject_id, detail)
  SELECT :at, :actorId, 'token.create', 'token', cast(id AS text), :detail
  FROM personal_tokens WHERE key = :key AND digest = :digest`;

export const revokeAnyPersonalToken = sql<{ id: number; at: Timestamp }>`
  UPDATE personal_tokens SET revoked_at = :at WHERE id = :id AND revoked_at IS NULL`;

const revokeOwnPersonalToken = sql<{ id: number; userId: number; at: Timestamp }>`
  UPDATE personal_tokens SET revoked_at = :at WHERE id = :id AND user_id = :userId AND revoked_at IS NULL`;

const touchPersonalTokenById = sql<TokenUse & { id: number; at: Timestamp }>`
  UPDATE personal_tokens
  SET last_used_at = :at, last_network = :network, last_program = :program, last_endpoint = :endpoint
  WHERE id = :id`;
