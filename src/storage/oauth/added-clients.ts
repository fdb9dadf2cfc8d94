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
import { INTO_CLIENTS, NEW_CLIENT, type NewRow, recordOf } from './clients.ts';
import { scopesColumn } from './scopes-column.ts';
import type { Stored } from './stored.ts';

type Added = 'added' | 'too_many' | 'exists';

export function addedClients(database: Database): Pick<ClientWrites, 'addOwnClient'> & ClientDocumentWrites {
  async function addWithin(
    by: MemberDoer,
    { id, documentUrl }: Client,
    insert: Bound<unknown>,
  ): Promise<Added> {
    const { changes } = await database.atomically({
      ...recordOf(by, id, 'client.create', 'registered', { createdAt: by.at }),
      // Parallel requests of one member wait here, so that each counts the applications of those before it.
      guard: lockUser({ userId: by.userId }),
      effects: { insert },
    });
    if (changes.insert > 0) return 'added';
    return (await database.first(selectExisting({ id, documentUrl }))) === undefined ? 'too_many' : 'exists';
  }

  return {
    addOwnClient(by, client, most) {
      const owned = { ...client, ownerId: by.userId };
      return addWithin(by, owned, insertOwn({ ...clientRow(owned), most }));
    },
    addDocumentClient(by, client, most) {
      return addWithin(by, client, insertDescribed({ ...clientRow(client), most }));
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

// Nothing is inserted that must be deleted again: a deletion reads all codes and sign-ins, for their foreign keys.
const insertOwn = sql<NewRow & { most: number }>`
  ${INTO_CLIENTS}
  SELECT ${NEW_CLIENT}
  WHERE :most > (
    SELECT count(*) FROM clients
    WHERE owner_id = :ownerId AND (deactivation IS NULL OR deactivation <> 'deleted'))
  ON CONFLICT DO NOTHING`;

const insertDescribed = sql<NewRow & { most: number }>`
  ${INTO_CLIENTS}
  SELECT ${NEW_CLIENT}
  WHERE :most > (SELECT count(*) FROM clients WHERE document_url IS NOT NULL)
  ON CONFLICT DO NOTHING`;

const selectExisting = sql<Pick<Client, 'id' | 'documentUrl'>, { id: string }>`
  SELECT id FROM clients WHERE id = :id OR document_url = cast(:documentUrl AS text)`;

const updateDescribed = sql<Stored<DescribedClient> & { clientId: string; freshUntil: Timestamp }>`
  UPDATE clients
  SET looks_version = 0, claimed_name = :claimedName, scopes = :scopes, redirect_uris = :redirectUris,
    document_fresh_until = :freshUntil
  WHERE id = :clientId AND document_url IS NOT NULL`;
