// Applications that exist for one check of `doctor`, as rows. All other applications are never deleted.

import type { Timestamp } from '../../lib/clock.ts';
import type { TemporaryClientReads, TemporaryClientWrites } from '../../oauth/client-store.ts';
import { NO_ENTRY } from '../audit/audit-trail.ts';
import type { Database } from '../engine/database.ts';
import { sql } from '../engine/sql.ts';
import { clientRow } from './client-columns.ts';
import { insertClient } from './clients.ts';

export function temporaryClientRows(database: Database): TemporaryClientReads & TemporaryClientWrites {
  return {
    async temporaryClients({ name, redirectUri, before }) {
      const redirectUris = JSON.stringify([redirectUri]);
      const rows = await database.rows(selectTemporaryClients({ name, redirectUris, before }));
      return rows.map(({ id }) => id);
    },
    async addTemporaryClient(client) {
      await database.atomically({ audit: NO_ENTRY, guard: insertClient(clientRow(client)) });
    },
    async deleteTemporaryClient(clientId) {
      await database.atomically({
        audit: NO_ENTRY,
        // Caches learn of a changed application, and not of a deleted one.
        guard: deactivateTemporaryClient({ clientId }),
        effects: [deleteClient({ clientId })],
      });
    },
  };
}

interface OfClient {
  clientId: string;
}

// Members' applications have an owner.
const selectTemporaryClients = sql<{ name: string; redirectUris: string; before: Timestamp }, { id: string }>`
  SELECT id FROM clients
  WHERE name = :name AND redirect_uris = :redirectUris AND owner_id IS NULL AND created_at < :before
  ORDER BY id`;

const deactivateTemporaryClient = sql<OfClient>`
  UPDATE clients SET status = 'deactivated' WHERE id = :clientId AND owner_id IS NULL`;

const deleteClient = sql<OfClient>`
  DELETE FROM clients WHERE id = :clientId`;
