// Changes that members make to their personal tokens, as transactions.

import type { SecurityEvent } from '../../audit/security-event.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type {
  PersonalTokenChanges,
  ReplacementToken,
  TokenChangeNature,
} from '../../oauth/personal-token-store.ts';
import { ownAct } from '../audit/audit-trail.ts';
import { addressOf, EVENT_ROW, INTO_EVENTS, recorded } from '../audit/security-events.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';
import { insertTokenNotice } from '../identity/mails.ts';
import { digestColumn } from './digest-column.ts';
import { tokenEvent } from './personal-tokens.ts';
import { scopesColumn } from './scopes-column.ts';
import type { Stored } from './stored.ts';

export function personalTokenChanges(database: Database): PersonalTokenChanges {
  return {
    async changePersonalToken(by, before, after, nature) {
      const { userId, at } = by;
      const { name, note, expiresAt } = after;
      const guard = updateSettings({
        id: before.id,
        userId,
        at,
        name,
        note,
        scopes: scopesColumn(after.scopes),
        addresses: after.addresses.join(' '),
        expiresAt,
        scopesBefore: scopesColumn(before.scopes),
        addressesBefore: before.addresses.join(' '),
        expiresBefore: before.expiresAt,
      });
      const events = [tokenEvent(by, 'api_token_changed', nature, { id: before.id })];
      return runGuarded(database, { audit: ownAct(by), guard, events });
    },
    async replacePersonalToken(by, id, replacement) {
      const { userId, at } = by;
      const { oldEndsAt, language, key, ending, expiresAt } = replacement;
      const digest = digestColumn(replacement.digest);
      const endsAtOnce = oldEndsAt <= at;
      return runGuarded(database, {
        audit: ownAct(by),
        turn: `tokens ${userId}`,
        guard: endsAtOnce ? revokeReplaced({ id, userId, at }) : endReplaced({ id, userId, at, oldEndsAt }),
        effects: [
          insertReplacement({ key, digest, ending, expiresAt, id, at }),
          revokePredecessor({ id, at }),
          insertTokenNotice({ key, digest, language, at }),
        ],
        events: [
          tokenEvent(by, 'api_token_created', undefined, { key, digest }),
          endsAtOnce
            ? tokenEvent(by, 'api_token_revoked', undefined, { id })
            : tokenEvent(by, 'api_token_changed', 'replaced' satisfies TokenChangeNature, { id }),
          recorded(insertPredecessorRevocation({ id, at, address: addressOf(by) })),
        ],
      });
    },
    async revokePersonalTokensOf(by) {
      const { userId, at } = by;
      const events = [recorded(insertRevocations({ userId, at, address: addressOf(by) }))];
      const guard = revokeAll({ userId, at });
      // Otherwise a token that is being added or replaced at this moment would be left.
      return runGuarded(database, { audit: ownAct(by), turn: `tokens ${userId}`, guard, events });
    },
  };
}

interface OwnToken {
  id: number;
  userId: number;
  at: Timestamp;
}

const CHANGEABLE = fragment`
  id = :id AND user_id = :userId AND revoked_at IS NULL AND replaced_at IS NULL
  AND (expires_at IS NULL OR expires_at > :at)`;

// The settings before are compared, since they decided whether the member had to prove their identity. A new end has
// notices of its own, but not if the token is about to end because it isn't used.
const updateSettings = sql<
  OwnToken & {
    name: string;
    note: string;
    scopes: string;
    addresses: string;
    expiresAt: Timestamp | undefined;
    scopesBefore: string;
    addressesBefore: string;
    expiresBefore: Timestamp | undefined;
  }
>`
  UPDATE personal_tokens
  SET name = :name, note = :note, scopes = :scopes, addresses = :addresses, look_at = 0,
    told = CASE WHEN idle_until IS NULL AND coalesce(expires_at, 0) <> coalesce(cast(:expiresAt AS bigint), 0)
      THEN NULL ELSE told END,
    expires_at = :expiresAt
  WHERE ${CHANGEABLE} AND scopes = :scopesBefore AND addresses = :addressesBefore
    AND coalesce(expires_at, 0) = coalesce(cast(:expiresBefore AS bigint), 0)`;

const revokeReplaced = sql<OwnToken>`
  UPDATE personal_tokens SET replaced_at = :at, revoked_at = :at WHERE ${CHANGEABLE}`;

const endReplaced = sql<OwnToken & { oldEndsAt: Timestamp }>`
  UPDATE personal_tokens
  SET replaced_at = :at, look_at = NULL,
    expires_at = CASE WHEN expires_at < :oldEndsAt THEN expires_at ELSE :oldEndsAt END
  WHERE ${CHANGEABLE}`;

type ReplacementValues = Stored<Pick<ReplacementToken, 'key' | 'digest' | 'ending' | 'expiresAt'>> & {
  id: number;
  at: Timestamp;
};

const insertReplacement = sql<ReplacementValues>`
  INSERT INTO personal_tokens
    (key, digest, ending, user_id, name, note, scopes, addresses, created_at, expires_at, replaces)
  SELECT :key, :digest, :ending, user_id, name, note, scopes, addresses, :at, cast(:expiresAt AS bigint), id
  FROM personal_tokens WHERE id = :id`;

// At most two secrets of a token work at once.
const revokePredecessor = sql<{ id: number; at: Timestamp }>`
  UPDATE personal_tokens SET revoked_at = :at
  WHERE id = (SELECT replaces FROM personal_tokens WHERE id = :id)
    AND revoked_at IS NULL AND expires_at > :at`;

const insertPredecessorRevocation = sql<
  { id: number; at: Timestamp; address: string | undefined },
  SecurityEvent
>`
  ${INTO_EVENTS}
  SELECT :at, 'api_token_revoked', user_id, NULL, :address, 'member', NULL, cast(id AS text)
  FROM personal_tokens
  WHERE id = (SELECT replaces FROM personal_tokens WHERE id = :id) AND revoked_at = :at
  ${EVENT_ROW}`;

const revokeAll = sql<{ userId: number; at: Timestamp }>`
  UPDATE personal_tokens SET revoked_at = :at WHERE user_id = :userId AND revoked_at IS NULL`;

const insertRevocations = sql<{ userId: number; at: Timestamp; address: string | undefined }, SecurityEvent>`
  ${INTO_EVENTS}
  SELECT :at, 'api_token_revoked', user_id, NULL, :address, 'member', NULL, cast(id AS text)
  FROM personal_tokens WHERE user_id = :userId AND revoked_at = :at
  ${EVENT_ROW}`;
