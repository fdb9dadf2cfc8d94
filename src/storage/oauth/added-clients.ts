// Applications that members add, within bounds: those that they register, and those that describe themselves in a
// document on their own site.

import type { MemberDoer } from '../../audit/doer.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type {
  Client,
  ClientDocumentWrites,
  ClientWrites,
  DescribedClient,
} from '../../oauth/client-store.ts';
import { NO_ENTRY } from '../audit/audit-trail.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { type Bound, sql } from '../engine/sql.ts';
import { clientRow } from './client-columns.ts';
import { insertClient, recordOf } from './clients.ts';
import { scopesColumn } from './scopes-column.ts';
import type { Stored } from './stored.ts';

type Added = 'added' | 'too_many' | 'exists';

export function addedClients(database: Database): Pick<ClientWrites, 'addOwnClient'> & ClientDocumentWrites {
  async function addWithin(by: MemberDoer, client: Client, deleteIfTooMany: Bound<unknown>): Promise<Added> {
    const { changes } = await database.atomically({
      ...recordOf(by, client.id, 'client.create', 'registered', { createdAt: by.at }),
      // Parallel requests of one member wait here, so that each counts the applications of those before it.
      guard: lockUser({ userId: by.userId }),
      effects: { insert: insertClient(clientRow(client)), deleteIfTooMany },
    });
    if (changes.insert === 0) return 'exists';
    return changes.deleteIfTooMany === 0 ? 'added' : 'too_many';
  }

  return {
    addOwnClient(by, client, most) {
      const ownerId = by.userId;
      return addWithin(by, { ...client, ownerId }, deleteIfTooManyOwn({ id: client.id, ownerId, most }));
    },
    addDocumentClient(by, client, most) {
      return addWithin(by, client, deleteIfTooManyDescribed({ id: client.id, most }));
    },
    async updateDocumentClient(by, clientId, { claimedName, scopes, redirectUris }, freshUntil, changed) {
      const guard = updateDescribed({
        clientId,
        claimedName,
        scopes: scopesColumn(scopes),
        redirectUris: JSON.stringify(redirectUris),
        freshUntil,
      });
      if (changed.length === 0) return runGuarded(database, { audit: NO_ENTRY, guard });
      const record = recordOf(by, clientId, 'client.update', changed.join(' '), { changed });
      return runGuarded(database, { ...record, guard });
    },
  };
}

const lockUser = sql<{ userId: number }>`
  UPDATE users SET xp = xp WHERE id = :userId AND status = 'active'`;

// These run after the insertion, under the lock, and undo it if the application is one too many.
const deleteIfTooManyOwn = sql<{ id: string; ownerId: number; most: number }>`
  DELETE FROM clients
  WHERE id = :id AND :most < (
    SELECT count(*) FROM clients
    WHERE owner_id = :ownerId AND (deactivation IS NULL OR deactivation <> 'deleted'))`;

const deleteIfTooManyDescribed = sql<{ id: string; most: number }>`
  DELETE FROM clients
  WHERE id = :id AND :most < (SELECT count(*) FROM clients WHERE document_url IS NOT NULL)`;

const updateDescribed = sql<Stored<DescribedClient> & { clientId: string; freshUntil: Timestamp }>`
  UPDATE clients
  SET looks_version = 0, claimed_name = :claimedName, scopes = :scopes, redirect_uris = :redirectUris,
    document_fresh_until = :freshUntil
  WHERE id = :clientId AND document_url IS NOT NULL`;
