// Registered applications, as rows.

import type { Selectable } from 'kysely';
import type { Client } from '../oauth/client.ts';
import type { OAuthStore } from '../oauth/store.ts';
import { noteOf } from './audit-events.ts';
import type { Database } from './database.ts';
import { digestColumn, digestOfColumn } from './digest-column.ts';
import type { Schema } from './schema.ts';
import { scopesColumn, scopesOf } from './scopes-column.ts';
import { type Param, rowCount, statement } from './statement.ts';

export function clientRows(
  database: Database,
): Pick<
  OAuthStore,
  | 'addClient'
  | 'findClient'
  | 'clientsOf'
  | 'allClients'
  | 'clientsBefore'
  | 'replaceClientSecret'
  | 'setClientStatus'
> {
  const { recollection } = database;
  return {
    async addClient(client, act) {
      const effects = noteOf(act, { action: 'client.create', ...subject(client.id) });
      await database.atomically({ guard: insertClient(clientRow(client)), effects });
    },
    async findClient(id) {
      const kept = recollection.recall('client', id);
      if (kept !== undefined) return kept;
      const row = await database.first(selectClient({ id }));
      return row && recollection.keep('client', row.id, clientOf(row));
    },
    async clientsOf(ownerId) {
      return (await database.rows(selectClientsOf({ ownerId }))).map(clientOf);
    },
    async allClients() {
      return (await database.rows(selectAllClients({}))).map(clientOf);
    },
    async clientsBefore(before, limit) {
      // After every identifier, and as such the beginning.
      const rows = await database.rows(selectClientsBefore({ before: before ?? '~', limit }));
      return rows.map((row) => ({ client: clientOf(row), ownerName: row.owner_name ?? undefined }));
    },
    async replaceClientSecret(clientId, secretDigest, act) {
      const guard = updateClientSecret({ clientId, secretDigest: digestColumn(secretDigest) });
      const effects = noteOf(act, { action: 'client.rotate_secret', ...subject(clientId) });
      return (await database.atomically({ guard, effects })).happened;
    },
    async setClientStatus(clientId, status, act) {
      const guard = updateClientStatus({ clientId, status });
      const action = status === 'active' ? 'client.activate' : 'client.deactivate';
      const effects = noteOf(act, { action, ...subject(clientId) });
      return (await database.atomically({ guard, effects })).happened;
    },
  };
}

function subject(clientId: string) {
  return { subjectKind: 'client', subjectId: clientId } as const;
}

const insertClient = statement((sql, p: Param<ReturnType<typeof clientRow>>) =>
  sql.insertInto('clients').values({
    id: p('id'),
    name: p('name'),
    kind: p('kind'),
    secret_digest: p('secret_digest'),
    owner_id: p('owner_id'),
    scopes: p('scopes'),
    redirect_uris: p('redirect_uris'),
    post_logout_redirect_uris: p('post_logout_redirect_uris'),
    accepts_missing_state_and_nonce: p('accepts_missing_state_and_nonce'),
    id_token_alg: p('id_token_alg'),
    status: p('status'),
    created_at: p('created_at'),
  }),
);

const selectClient = statement((sql, p: Param<{ id: string }>) =>
  sql.selectFrom('clients').selectAll().where('id', '=', p('id')),
);

const selectClientsOf = statement((sql, p: Param<{ ownerId: number }>) =>
  sql.selectFrom('clients').selectAll().where('owner_id', '=', p('ownerId')).orderBy('created_at', 'desc'),
);

const selectAllClients = statement((sql, _: Param<Record<never, never>>) =>
  sql.selectFrom('clients').selectAll().orderBy('created_at', 'desc').orderBy('id'),
);

const selectClientsBefore = statement((sql, p: Param<{ before: string; limit: number }>) =>
  sql
    .selectFrom('clients')
    .leftJoin('users', 'users.id', 'clients.owner_id')
    .selectAll('clients')
    .select('users.username as owner_name')
    .where('clients.id', '<', p('before'))
    .orderBy('clients.id', 'desc')
    .limit(rowCount(p('limit'))),
);

const updateClientSecret = statement((sql, p: Param<{ clientId: string; secretDigest: Uint8Array }>) =>
  sql
    .updateTable('clients')
    .set({ secret_digest: p('secretDigest') })
    .where('id', '=', p('clientId'))
    .where('kind', '=', 'confidential'),
);

const updateClientStatus = statement((sql, p: Param<{ clientId: string; status: Client['status'] }>) =>
  sql
    .updateTable('clients')
    .set({ status: p('status') })
    .where('id', '=', p('clientId')),
);

function clientRow(client: Client) {
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

export function clientOf(row: Selectable<Schema['clients']>): Client {
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
