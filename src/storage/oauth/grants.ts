// Members' consents, as rows.

import type { AuditAction } from '../../audit/audit-log.ts';
import type { Doer } from '../../audit/doer.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type { Client } from '../../oauth/client-store.ts';
import type { Grant, GrantReads, GrantWrites, NewAuthorizationCode } from '../../oauth/store.ts';
import { entry, ownAct } from '../audit/audit-trail.ts';
import { type AuditTrail, type Database, runGuarded } from '../engine/database.ts';
import { type Bound, fragment, sql } from '../engine/sql.ts';
import { deleteOldestCodesOf, insertCode, NO_END } from './authorization-codes.ts';
import { IS_LOGO_APPROVED } from './client-columns.ts';
import { addLogoutsOfClient } from './event-additions.ts';
import {
  endAccess,
  type GrantChange,
  pauseAccess,
  resumeAccess,
  shortenAccess,
  takeScopes,
} from './grant-effects.ts';
import { approvalEvents, grantEvents, signInEvent } from './grant-events.ts';
import { IS_SIGNED_IN, type OfSession, selectSession } from './open-session.ts';
import { scopesColumn, scopesOf, withoutScopes } from './scopes-column.ts';
import type { Stored } from './stored.ts';
import { revokeOldestFamiliesOf } from './token-families.ts';

export function grantRows(database: Database): GrantReads & GrantWrites {
  return {
    async isSessionOpen(key) {
      return (await database.first(selectSession({ key }))) !== undefined;
    },
    async countGrants(clientId, now, most = Number.MAX_SAFE_INTEGER) {
      return (await database.first(countGrantsOf({ clientId, now, most })))?.count ?? 0;
    },
    async findGrant(userId, clientId, now) {
      const row = await database.first(selectGrant({ userId, clientId, now }));
      return row && { ...row, scopes: scopesOf(row.scopes) };
    },
    async approve(by, inForce, scopes, code, { allowedAs, isNoted = false } = {}) {
      const change = { userId: by.userId, clientId: code.clientId, at: by.at };
      return runGuarded(database, {
        audit: ownAct(by),
        guard: upsertGrant[database.dialect]({
          ...change,
          sessionKey: by.sessionKey,
          scopesInForce: scopesColumn(inForce?.scopes ?? []),
          pausedInForce: inForce?.pausedAt ?? NOT_PAUSED,
          scopes: scopesColumn(scopes),
          duration: code.duration,
          endsAt: code.grantEndsAt,
          allowedAs,
        }),
        isExpected: true,
        effects: [
          ...takeScopes(change, withoutScopes(inForce?.scopes ?? [], scopes)),
          ...(inForce?.pausedAt === undefined ? [] : resumeAccess(change)),
          ...shortenAccess(change, code.grantEndsAt),
          ...codeEffects(change, code),
        ],
        events: approvalEvents(by, { inForce, scopes, code, isNoted }),
      });
    },
    async approveAgain(by, inForce, code, { isNoted } = { isNoted: false }) {
      const change = { userId: by.userId, clientId: code.clientId, at: by.at };
      return runGuarded(database, {
        audit: ownAct(by),
        guard: touchGrant[database.dialect]({
          ...change,
          sessionKey: by.sessionKey,
          scopesInForce: scopesColumn(inForce.scopes),
          endsAt: inForce.endsAt ?? NO_END,
        }),
        isExpected: true,
        effects: isOneInSixteen(code.key) ? codeEffects(change, code) : [insertCode(code)],
        events: isNoted ? [signInEvent(by, code)] : [],
      });
    },
    async narrowGrant(by, userId, clientId, from, scopes) {
      const change = { userId, clientId, at: by.at };
      const detail = scopesColumn(scopes);
      return runGuarded(database, {
        audit: grantEntry(by, 'consent.narrow', change, { scopes: detail }),
        guard: narrowGrantOf({ ...change, from: scopesColumn(from), scopes: detail }),
        effects: takeScopes(change, withoutScopes(from, scopes)),
        events: grantEvents(by, { event: 'consent_narrowed', ...change, detail }),
      });
    },
    async pauseGrant(by, userId, clientId) {
      const change = { userId, clientId, at: by.at };
      return runGuarded(database, {
        audit: grantEntry(by, 'consent.pause', change),
        guard: pauseGrantOf(change),
        effects: [addLogoutsOfClient(change), ...pauseAccess(change)],
        events: grantEvents(by, { event: 'consent_paused', ...change }),
      });
    },
    async resumeGrant(by, userId, clientId) {
      const change = { userId, clientId, at: by.at };
      return runGuarded(database, {
        audit: grantEntry(by, 'consent.resume', change),
        guard: resumeGrantOf(change),
        effects: resumeAccess(change),
        events: grantEvents(by, { event: 'consent_resumed', ...change }),
      });
    },
    async withdrawGrant(by, userId, clientId) {
      const change = { userId, clientId, at: by.at };
      return runGuarded(database, {
        audit: grantEntry(by, 'consent.withdraw', change),
        guard: withdrawGrantOf(change),
        effects: endAccess(change),
        events: grantEvents(by, { event: 'consent_withdrawn', ...change }),
      });
    },
    async connectedClients(userId, now) {
      const rows = await database.rows(selectConnectedClients({ userId, now }));
      return rows.map(
        ({ clientId, name, status, deactivation, logo, isLogoApproved, grantedScopes, ...grant }) => ({
          client: { id: clientId, name, status, deactivation, logo, isLogoApproved: isLogoApproved === 1 },
          grant: { ...grant, userId, clientId, scopes: scopesOf(grantedScopes), withdrawnAt: undefined },
        }),
      );
    },
  };
}

// Stands for the time of a consent that is not paused, where the database compares times.
const NOT_PAUSED: Timestamp = 0;

// Without these limits, one browser could make so many that ending the member's access takes too long.
function codeEffects(change: GrantChange, code: NewAuthorizationCode): Bound<unknown>[] {
  return [insertCode(code), deleteOldestCodesOf(change), revokeOldestFamiliesOf(change)];
}

// Looking for codes and sign-ins beyond the limits takes longer than storing a code, and a few more do no harm. A key
// ends with random characters.
function isOneInSixteen(key: string): boolean {
  return '0123'.includes(key.at(-1) ?? '');
}

function grantEntry(by: Doer, action: AuditAction, change: GrantChange, more: object = {}): AuditTrail {
  const subject = { kind: 'user', id: String(change.userId) } as const;
  return entry(by, { action, subject, detail: { client: change.clientId, ...more } });
}

interface OfMember {
  userId: number;
  clientId: string;
}

const countGrantsOf = sql<{ clientId: string; now: Timestamp; most: number }, { count: number }>`
  SELECT count(*) AS count FROM (
    SELECT 1 FROM grants
    WHERE client_id = :clientId AND withdrawn_at IS NULL AND (ends_at IS NULL OR ends_at > :now)
    LIMIT cast(:most AS bigint)) AS counted`;

const GRANT_FACTS = fragment`
  grants.granted_at AS "grantedAt", grants.consented_at AS "consentedAt",
  grants.client_name AS "allowedAs", grants.last_authorized_at AS "lastAuthorizedAt",
  grants.duration, grants.ends_at AS "endsAt",
  grants.paused_at AS "pausedAt"`;

const selectGrant = sql<OfMember & { now: Timestamp }, Stored<Grant>>`
  SELECT user_id AS "userId", client_id AS "clientId", scopes, ${GRANT_FACTS},
    CASE WHEN withdrawn_at IS NULL AND ends_at <= :now THEN ends_at ELSE withdrawn_at END AS "withdrawnAt"
  FROM grants WHERE user_id = :userId AND client_id = :clientId`;

const IN_FORCE = fragment`
  grants.withdrawn_at IS NULL AND (grants.ends_at IS NULL OR grants.ends_at > :at)`;

interface Approval extends GrantChange, OfSession {
  scopesInForce: string;
  pausedInForce: Timestamp;
  scopes: string;
  duration: string;
  endsAt: Timestamp | undefined;
  allowedAs: string | undefined;
}

// A consent after a withdrawal or an end starts from nothing: no scopes are in force, and it is granted now.
const INSERT_GRANT = fragment`
  INSERT INTO grants (user_id, client_id, scopes, granted_at, consented_at, last_authorized_at,
    duration, ends_at, paused_at, withdrawn_at, client_name)
  SELECT cast(:userId AS bigint), :clientId, :scopes, cast(:at AS bigint), cast(:at AS bigint), cast(:at AS bigint),
    :duration, cast(:endsAt AS bigint), NULL, NULL,
    coalesce(cast(:allowedAs AS text), (SELECT coalesce(claimed_name, name) FROM clients WHERE id = :clientId))`;

const OR_REPLACE_GRANT = fragment`
  ON CONFLICT (user_id, client_id) DO UPDATE SET
    scopes = excluded.scopes,
    granted_at = CASE WHEN ${IN_FORCE} THEN grants.granted_at ELSE excluded.granted_at END,
    consented_at = excluded.consented_at,
    last_authorized_at = excluded.last_authorized_at,
    duration = excluded.duration,
    ends_at = excluded.ends_at,
    paused_at = NULL,
    withdrawn_at = NULL,
    client_name = excluded.client_name
  WHERE CASE WHEN ${IN_FORCE} THEN grants.scopes ELSE '' END = :scopesInForce
    AND CASE WHEN ${IN_FORCE} THEN coalesce(grants.paused_at, 0) ELSE 0 END = :pausedInForce`;

const upsertGrant = {
  sqlite: sql<Approval>`${INSERT_GRANT} WHERE ${IS_SIGNED_IN.sqlite} ${OR_REPLACE_GRANT}`,
  postgres: sql<Approval>`${INSERT_GRANT} WHERE ${IS_SIGNED_IN.postgres} ${OR_REPLACE_GRANT}`,
};

interface Touch extends GrantChange, OfSession {
  scopesInForce: string;
  endsAt: Timestamp;
}

const TOUCH_GRANT = fragment`
  UPDATE grants SET last_authorized_at = :at
  WHERE user_id = :userId AND client_id = :clientId AND scopes = :scopesInForce
    AND withdrawn_at IS NULL AND paused_at IS NULL AND coalesce(ends_at, 0) = :endsAt`;

const touchGrant = {
  sqlite: sql<Touch>`${TOUCH_GRANT} AND ${IS_SIGNED_IN.sqlite}`,
  postgres: sql<Touch>`${TOUCH_GRANT} AND ${IS_SIGNED_IN.postgres}`,
};

const narrowGrantOf = sql<GrantChange & { from: string; scopes: string }>`
  UPDATE grants SET scopes = :scopes
  WHERE user_id = :userId AND client_id = :clientId AND scopes = :from AND ${IN_FORCE}`;

const pauseGrantOf = sql<GrantChange>`
  UPDATE grants SET paused_at = :at
  WHERE user_id = :userId AND client_id = :clientId AND paused_at IS NULL AND ${IN_FORCE}`;

const resumeGrantOf = sql<GrantChange>`
  UPDATE grants SET paused_at = NULL
  WHERE user_id = :userId AND client_id = :clientId AND paused_at IS NOT NULL AND ${IN_FORCE}`;

const withdrawGrantOf = sql<GrantChange>`
  UPDATE grants SET withdrawn_at = :at, paused_at = NULL
  WHERE user_id = :userId AND client_id = :clientId AND ${IN_FORCE}`;

interface ConnectedClientRow
  extends Pick<Client, 'name' | 'status' | 'deactivation' | 'logo'>,
    Omit<Grant, 'userId' | 'scopes' | 'withdrawnAt'> {
  isLogoApproved: number;
  grantedScopes: string;
}

const selectConnectedClients = sql<{ userId: number; now: Timestamp }, ConnectedClientRow>`
  SELECT clients.name, clients.status, clients.deactivation, clients.logo,
    ${IS_LOGO_APPROVED}, grants.client_id AS "clientId", grants.scopes AS "grantedScopes", ${GRANT_FACTS}
  FROM grants JOIN clients ON clients.id = grants.client_id
  WHERE grants.user_id = :userId AND grants.withdrawn_at IS NULL
    AND (grants.ends_at IS NULL OR grants.ends_at > :now)
  ORDER BY grants.last_authorized_at DESC`;
