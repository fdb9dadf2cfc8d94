// Registered applications, as rows.

import type { AuditSubject } from '../../audit/audit-log.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type { Client, ClientReads, ClientWrites } from '../../oauth/client-store.ts';
import { entry } from '../audit/audit-trail.ts';
import type { Database } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';
import { digestColumn, digestOfColumn } from './digest-column.ts';
import { scopesColumn, scopesOf } from './scopes-column.ts';

export function clientRows(database: Database): ClientReads & ClientWrites {
  return {
    async addClient(by, client) {
      const audit = entry(by, { action: 'client.create', subject: subjectOf(client.id) });
      await database.atomically({ audit, guard: insertClient(clientRow(client)) });
    },
    async findClient(id) {
      const row = await database.first(selectClient({ id }));
      return row && clientOf(row);
    },
    async clientsOf(ownerId) {
      return (await database.rows(selectClientsOf({ ownerId }))).map(clientOf);
    },
    async allClients() {
      return (await database.rows(selectAllClients())).map(clientOf);
    },
    async clientsBefore(before, limit) {
      // '~' sorts after every id, so the list begins with the newest application.
      const rows = await database.rows(selectClientsBefore({ before: before ?? '~', limit }));
      return rows.map((row) => ({ client: clientOf(row), ownerName: row.owner_name ?? undefined }));
    },
    async replaceClientSecret(by, clientId, secretDigest) {
      const audit = entry(by, { action: 'client.rotate_secret', subject: subjectOf(clientId) });
      const guard = updateClientSecret({ clientId, secretDigest: digestColumn(secretDigest) });
      return (await database.atomically({ audit, guard })).happened;
    },
    async setClientStatus(by, clientId, status) {
      const action = status === 'active' ? 'client.activate' : 'client.deactivate';
      const audit = entry(by, { action, subject: subjectOf(clientId) });
      const guard = updateClientStatus({ clientId, status });
      return (await database.atomically({ audit, guard })).happened;
    },
  };
}

function subjectOf(clientId: string): AuditSubject {
  return { kind: 'client', id: clientId };
}

export interface ClientRow {
  id: string;
  name: string;
  kind: Client['kind'];
  secret_digest: Uint8Array | null;
  owner_id: number | null;
  scopes: string;
  redirect_uris: string;
  post_logout_redirect_uris: string;
  accepts_missing_state_and_nonce: number;
  id_token_alg: Client['idTokenAlg'];
  status: Client['status'];
  created_at: Timestamp;
}

export const CLIENT_COLUMNS = fragment`
  clients.id, clients.name, clients.kind, clients.secret_digest, clients.owner_id, clients.scopes,
  clients.redirect_uris, clients.post_logout_redirect_uris, clients.accepts_missing_state_and_nonce,
  clients.id_token_alg, clients.status, clients.created_at`;

const insertClient = sql<ClientRow>`
  INSERT INTO clients (id, name, kind, secret_digest, owner_id, scopes, redirect_uris, post_logout_redirect_uris,
    accepts_missing_state_and_nonce, id_token_alg, status, created_at)
  VALUES (:id, :name, :kind, :secret_digest, :owner_id, :scopes, :redirect_uris, :post_logout_redirect_uris,
    :accepts_missing_state_and_nonce, :id_token_alg, :status, :created_at)`;

const selectClient = sql<{ id: string }, ClientRow>`
  SELECT ${CLIENT_COLUMNS} FROM clients WHERE id = :id`;

const selectClientsOf = sql<{ ownerId: number }, ClientRow>`
  SELECT ${CLIENT_COLUMNS} FROM clients WHERE owner_id = :ownerId ORDER BY created_at DESC`;

const selectAllClients = sql<void, ClientRow>`
  SELECT ${CLIENT_COLUMNS} FROM clients ORDER BY created_at DESC, id`;

const selectClientsBefore = sql<{ before: string; limit: number }, ClientRow & { owner_name: string | null }>`
  SELECT ${CLIENT_COLUMNS}, users.username AS owner_name
  FROM clients LEFT JOIN users ON users.id = clients.owner_id
  WHERE clients.id < :before
  ORDER BY clients.id DESC
  LIMIT cast(:limit AS bigint)`;

const updateClientSecret = sql<{ clientId: string; secretDigest: Uint8Array }>`
  UPDATE clients SET secret_digest = :secretDigest WHERE id = :clientId AND kind = 'confidential'`;

const updateClientStatus = sql<{ clientId: string; status: Client['status'] }>`
  UPDATE clients SET status = :status WHERE id = :clientId`;

function clientRow(client: Client): ClientRow {
  return {
    id: client.id,
    name: client.name,
    kind: client.kind,
    secret_digest: client.secretDigest === undefined ? null : digestColumn(client.secretDigest),
    owner_id: client.ownerId ?? null,
    scopes: scopesColumn(client.scopes),
    redirect_uris: JSON.stringify(client.redirectUris),
    post_logout_redirect_uris: JSON.stringify(client.postLogoutRedirectUris),
    accepts_missing_state_and_nonce: client.acceptsMissingStateAndNonce ? 1 : 0,
    id_token_alg: client.idTokenAlg,
    status: client.status,
    created_at: client.createdAt,
  };
}

export function clientOf(row: ClientRow): Client {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    secretDigest: row.secret_digest === null ? undefined : digestOfColumn(row.secret_digest),
    ownerId: row.owner_id ?? undefined,
    scopes: scopesOf(row.scopes),
    redirectUris: JSON.parse(row.redirect_uris),
    postLogoutRedirectUris: JSON.parse(row.post_logout_redirect_uris),
    acceptsMissingStateAndNonce: row.accepts_missing_state_and_nonce === 1,
    idTokenAlg: row.id_token_alg,
    status: row.status,
    createdAt: row.created_at,
  };
}
