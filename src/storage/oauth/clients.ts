// Registered applications, as rows.

import type { AuditSubject } from '../../audit/audit-log.ts';
import type { SecurityEvent } from '../../audit/security-event.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type { Client, ClientReads, ClientWrites, Introduction } from '../../oauth/client-store.ts';
import { entry } from '../audit/audit-trail.ts';
import { EVENT_ROW, INTO_EVENTS, recorded } from '../audit/security-events.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';
import { digestColumn, digestOfColumn } from './digest-column.ts';
import { scopesColumn, scopesOf } from './scopes-column.ts';
import type { Stored } from './stored.ts';

export function clientRows(database: Database): ClientReads & ClientWrites {
  return {
    async addClient(by, client) {
      const audit = entry(by, { action: 'client.create', subject: subjectOf(client.id) });
      const guard = insertClient(clientRow(client));
      await database.atomically({ audit, guard });
    },
    async findClient(id) {
      const row = await database.first(selectClient({ id }));
      return row && clientOf(row);
    },
    async clientsOf(ownerId) {
      return (await database.rows(selectClientsOf({ ownerId }))).map(clientOf);
    },
    async oldestClients(most) {
      return (await database.rows(selectOldestClients({ most }))).map(clientOf);
    },
    async clientsBefore(before, limit) {
      // '~' sorts after every id, so the list begins with the newest application.
      const rows = await database.rows(selectClientsBefore({ before: before ?? '~', limit }));
      return rows.map(({ ownerName, ...client }) => ({ client: clientOf(client), ownerName }));
    },
    async replaceClientSecret(by, clientId, secretDigest) {
      const audit = entry(by, { action: 'client.rotate_secret', subject: subjectOf(clientId) });
      const guard = updateClientSecret({ clientId, secretDigest: digestColumn(secretDigest) });
      const events = [recorded(insertRotation({ clientId, at: by.at, by: by.kind }))];
      return runGuarded(database, { audit, guard, events });
    },
    async setClientStatus(by, clientId, status) {
      const action = status === 'active' ? 'client.activate' : 'client.deactivate';
      const audit = entry(by, { action, subject: subjectOf(clientId) });
      const guard = updateClientStatus({ clientId, status, at: by.at });
      return runGuarded(database, { audit, guard });
    },
    async setIntroduction(by, clientId, introduction) {
      const audit = entry(by, { action: 'client.update', subject: subjectOf(clientId) });
      const guard = updateIntroduction({ clientId, ...introductionColumns(introduction) });
      return runGuarded(database, { audit, guard });
    },
  };
}

function subjectOf(clientId: string): AuditSubject {
  return { kind: 'client', id: clientId };
}

export const CLIENT_COLUMNS = fragment`
  clients.id, clients.name, clients.kind, clients.secret_digest AS "secretDigest",
  clients.owner_id AS "ownerId", clients.scopes, clients.redirect_uris AS "redirectUris",
  clients.post_logout_redirect_uris AS "postLogoutRedirectUris",
  clients.accepts_missing_state_and_nonce AS "acceptsMissingStateAndNonce",
  clients.id_token_alg AS "idTokenAlg", clients.required_scopes AS "requiredScopes",
  clients.scope_reasons AS "scopeReasons", clients.home_page AS "homePage", clients.status,
  clients.created_at AS "createdAt"`;

/** The application in a row that has the `CLIENT_COLUMNS`, and no others. */
export function clientOf(row: Stored<Client>): Client {
  return {
    ...row,
    secretDigest: row.secretDigest && digestOfColumn(row.secretDigest),
    scopes: scopesOf(row.scopes),
    redirectUris: JSON.parse(row.redirectUris),
    postLogoutRedirectUris: JSON.parse(row.postLogoutRedirectUris),
    acceptsMissingStateAndNonce: row.acceptsMissingStateAndNonce === 1,
    requiredScopes: row.requiredScopes === '' ? [] : scopesOf(row.requiredScopes),
    scopeReasons: JSON.parse(row.scopeReasons),
  };
}

/** The row of an application. */
export function clientRow(client: Client): Stored<Client> {
  return {
    ...client,
    secretDigest: client.secretDigest === undefined ? undefined : digestColumn(client.secretDigest),
    scopes: scopesColumn(client.scopes),
    redirectUris: JSON.stringify(client.redirectUris),
    postLogoutRedirectUris: JSON.stringify(client.postLogoutRedirectUris),
    acceptsMissingStateAndNonce: client.acceptsMissingStateAndNonce ? 1 : 0,
    ...introductionColumns(client),
  };
}

function introductionColumns({ requiredScopes, scopeReasons, homePage }: Introduction): Stored<Introduction> {
  return {
    requiredScopes: scopesColumn(requiredScopes),
    scopeReasons: JSON.stringify(scopeReasons),
    homePage,
  };
}

export const insertClient = sql<Stored<Client>>`
  INSERT INTO clients (id, name, kind, secret_digest, owner_id, scopes, redirect_uris,
    post_logout_redirect_uris, accepts_missing_state_and_nonce, id_token_alg, required_scopes, scope_reasons,
    home_page, status, created_at)
  VALUES (:id, :name, :kind, :secretDigest, :ownerId, :scopes, :redirectUris,
    :postLogoutRedirectUris, :acceptsMissingStateAndNonce, :idTokenAlg, :requiredScopes, :scopeReasons,
    :homePage, :status, :createdAt)`;

const selectClient = sql<{ id: string }, Stored<Client>>`
  SELECT ${CLIENT_COLUMNS} FROM clients WHERE id = :id`;

const selectClientsOf = sql<{ ownerId: number }, Stored<Client>>`
  SELECT ${CLIENT_COLUMNS} FROM clients WHERE owner_id = :ownerId ORDER BY created_at DESC`;

// The ids are in the order of registration.
const selectOldestClients = sql<{ most: number }, Stored<Client>>`
  SELECT ${CLIENT_COLUMNS} FROM clients WHERE status = 'active' ORDER BY id LIMIT cast(:most AS bigint)`;

interface OwnedClientRow extends Stored<Client> {
  ownerName: string | undefined;
}

const selectClientsBefore = sql<{ before: string; limit: number }, OwnedClientRow>`
  SELECT ${CLIENT_COLUMNS}, users.username AS "ownerName"
  FROM clients LEFT JOIN users ON users.id = clients.owner_id
  WHERE clients.id < :before
  ORDER BY clients.id DESC LIMIT cast(:limit AS bigint)`;

const updateClientSecret = sql<{ clientId: string; secretDigest: Uint8Array }>`
  UPDATE clients SET secret_digest = :secretDigest WHERE id = :clientId AND kind = 'confidential'`;

const insertRotation = sql<{ clientId: string; at: Timestamp; by: string }, SecurityEvent>`
  ${INTO_EVENTS}
  SELECT :at, 'client_secret_rotated', owner_id, id, NULL, :by, NULL, NULL FROM clients WHERE id = :clientId
  ${EVENT_ROW}`;

// Deactivating it again doesn't start the time anew.
const updateClientStatus = sql<{ clientId: string; status: Client['status']; at: Timestamp }>`
  UPDATE clients
  SET status = :status, deactivated_at = CASE WHEN :status = 'active' THEN NULL ELSE coalesce(deactivated_at, :at) END
  WHERE id = :clientId`;

const updateIntroduction = sql<{ clientId: string } & Stored<Introduction>>`
  UPDATE clients
  SET required_scopes = :requiredScopes, scope_reasons = :scopeReasons, home_page = :homePage
  WHERE id = :clientId`;
