// Members' consents, as rows.

import type { MemberDoer } from '../../audit/doer.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type { Client } from '../../oauth/client-store.ts';
import type { ScopeSet } from '../../oauth/scope.ts';
import type { Grant, GrantReads, GrantWrites, NewAuthorizationCode } from '../../oauth/store.ts';
import { entry, ownAct } from '../audit/audit-trail.ts';
import { addressOf, securityEvent } from '../audit/security-events.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { type Bound, sql } from '../engine/sql.ts';
import { deleteOldestCodesOf, insertCode, voidCodesOf } from './authorization-codes.ts';
import { CLIENT_COLUMNS, clientOf } from './clients.ts';
import { scopesColumn, scopesOf } from './scopes-column.ts';
import type { Stored } from './stored.ts';
import { revokeFamiliesOf, revokeOldestFamiliesOf } from './token-families.ts';

export function grantRows(database: Database): GrantReads & GrantWrites {
  return {
    async countGrants(clientId) {
      return (await database.first(countGrantsOf({ clientId })))?.count ?? 0;
    },
    async findGrant(userId, clientId) {
      const row = await database.first(selectGrant({ userId, clientId }));
      return row && { ...row, scopes: scopesOf(row.scopes) };
    },
    async approve(by, scopesInForce, scopes, code) {
      return runGuarded(database, {
        audit: ownAct(by),
        guard: upsertGrant({
          userId: by.userId,
          clientId: code.clientId,
          scopesInForce: scopesColumn(scopesInForce),
          scopes: scopesColumn(scopes),
          at: by.at,
        }),
        effects: codeEffects(code, by.at),
        events: [consentEvent(by, code.clientId, scopes)],
      });
    },
    async approveAgain(by, scopesInForce, code) {
      const { userId, at } = by;
      const { clientId } = code;
      return runGuarded(database, {
        audit: ownAct(by),
        guard: touchGrant({ userId, clientId, scopesInForce: scopesColumn(scopesInForce), at }),
        effects: codeEffects(code, at),
      });
    },
    async withdrawGrant(by, userId, clientId) {
      const { at } = by;
      return runGuarded(database, {
        audit: entry(by, {
          action: 'consent.withdraw',
          subject: { kind: 'user', id: String(userId) },
          detail: { client: clientId },
        }),
        guard: withdrawGrantOf({ userId, clientId, at }),
        effects: [voidCodesOf({ userId, clientId, at }), revokeFamiliesOf({ userId, clientId, at })],
        events: [
          securityEvent({
            event: 'consent_withdrawn',
            at,
            userId,
            clientId,
            address: addressOf(by),
            by: by.kind,
          }),
        ],
      });
    },
    async connectedClients(userId) {
      const rows = await database.rows(selectConnectedClients({ userId }));
      return rows.map(({ clientId, grantedScopes, grantedAt, lastAuthorizedAt, ...client }) => {
        const scopes = scopesOf(grantedScopes);
        const grant = { userId, clientId, scopes, grantedAt, lastAuthorizedAt, withdrawnAt: undefined };
        return { client: clientOf(client), grant };
      });
    },
  };
}

// Without these limits, one browser could make so many that ending the member's access takes too long.
function codeEffects(code: NewAuthorizationCode, at: Timestamp): Bound<unknown>[] {
  const { userId, clientId } = code;
  return [
    insertCode(code),
    deleteOldestCodesOf({ userId, clientId }),
    revokeOldestFamiliesOf({ userId, clientId, at }),
  ];
}

function consentEvent(by: MemberDoer, clientId: string, scopes: ScopeSet): Bound<unknown> {
  const { at, userId, address } = by;
  const detail = scopesColumn(scopes);
  return securityEvent({ event: 'consent_granted', at, userId, clientId, address, detail });
}

interface OfMember {
  userId: number;
  clientId: string;
}

const countGrantsOf = sql<{ clientId: string }, { count: number }>`
  SELECT count(*) AS count FROM grants WHERE client_id = :clientId AND withdrawn_at IS NULL`;

const selectGrant = sql<OfMember, Stored<Grant>>`
  SELECT user_id AS "userId", client_id AS "clientId", scopes, granted_at AS "grantedAt",
    last_authorized_at AS "lastAuthorizedAt", withdrawn_at AS "withdrawnAt"
  FROM grants WHERE user_id = :userId AND client_id = :clientId`;

// A consent after a withdrawal starts from nothing: no scopes are in force, and it is granted now.
const upsertGrant = sql<OfMember & { scopesInForce: string; scopes: string; at: Timestamp }>`
  INSERT INTO grants (user_id, client_id, scopes, granted_at, last_authorized_at, withdrawn_at)
  VALUES (:userId, :clientId, :scopes, :at, :at, NULL)
  ON CONFLICT (user_id, client_id) DO UPDATE SET
    scopes = excluded.scopes,
    granted_at = CASE WHEN grants.withdrawn_at IS NULL THEN grants.granted_at ELSE excluded.granted_at END,
    last_authorized_at = excluded.last_authorized_at,
    withdrawn_at = NULL
  WHERE CASE WHEN grants.withdrawn_at IS NULL THEN grants.scopes ELSE '' END = :scopesInForce`;

const touchGrant = sql<OfMember & { scopesInForce: string; at: Timestamp }>`
  UPDATE grants SET last_authorized_at = :at
  WHERE user_id = :userId AND client_id = :clientId AND scopes = :scopesInForce AND withdrawn_at IS NULL`;

const withdrawGrantOf = sql<OfMember & { at: Timestamp }>`
  UPDATE grants SET withdrawn_at = :at
  WHERE user_id = :userId AND client_id = :clientId AND withdrawn_at IS NULL`;

interface ConnectedClientRow extends Stored<Client>, Omit<Grant, 'userId' | 'scopes' | 'withdrawnAt'> {
  grantedScopes: string;
}

const selectConnectedClients = sql<{ userId: number }, ConnectedClientRow>`
  SELECT ${CLIENT_COLUMNS},
    grants.client_id AS "clientId", grants.scopes AS "grantedScopes", grants.granted_at AS "grantedAt",
    grants.last_authorized_at AS "lastAuthorizedAt"
  FROM grants JOIN clients ON clients.id = grants.client_id
  WHERE grants.user_id = :userId AND grants.withdrawn_at IS NULL
  ORDER BY grants.last_authorized_at DESC`;
