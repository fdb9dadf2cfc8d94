// Applications that members add, within bounds: those that they register, and those that describe themselves in a
// document on their own site.

import type { MemberDoer } from '../../audit/doer.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type {
  ApprovalAfterChange,
  Client,
  ClientDocumentWrites,
  ClientWrites,
  DescribedClient,
} from '../../oauth/client-store.ts';
import { NO_ENTRY } from '../audit/audit-trail.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { type Bound, fragment, sql } from '../engine/sql.ts';
import { clientRow } from './client-columns.ts';
import { INTO_CLIENTS, NEW_CLIENT, type NewRow, recordOf } from './clients.ts';
import { type DocumentsOfHost, documentsOf, IS_HOST_REFUSED, selectRefused } from './described-hosts.ts';
import { scopesColumn } from './scopes-column.ts';
import type { Stored } from './stored.ts';

type Added = 'added' | 'too_many' | 'exists';

/** For a WHERE about the application `clients`: it can be forgotten, since nobody allowed, reported or watches it. */
export const IS_UNUSED = fragment`
  NOT EXISTS (SELECT 1 FROM grants WHERE grants.client_id = clients.id)
  AND NOT EXISTS (SELECT 1 FROM client_reports WHERE client_reports.client_id = clients.id)
  AND NOT EXISTS (SELECT 1 FROM event_endpoints WHERE event_endpoints.client_id = clients.id)`;

export function addedClients(database: Database): Pick<ClientWrites, 'addOwnClient'> & ClientDocumentWrites {
  async function addWithin(
    by: MemberDoer,
    { id, documentUrl }: Client,
    insert: Bound<unknown>,
    before: readonly Bound<unknown>[] = [],
  ): Promise<Added> {
    const { changes } = await database.atomically({
      ...recordOf(by, id, 'client.create', 'registered', { createdAt: by.at }),
      // Parallel requests of one member wait here, so that each counts the applications of those before it.
      guard: lockUser({ userId: by.userId }),
      effects: { before, insert },
    });
    if (changes.insert > 0) return 'added';
    return (await database.first(selectExisting({ id, documentUrl }))) === undefined ? 'too_many' : 'exists';
  }

  return {
    addOwnClient(by, client, most) {
      const owned = { ...client, ownerId: by.userId };
      return addWithin(by, owned, insertOwn({ ...clientRow(owned), most }));
    },
    async addDocumentClient(by, client, most) {
      const host = documentsOf(client.name);
      const room = makeRoom({ ...host, documentUrl: client.documentUrl, most, at: by.at });
      const insert = insertDescribed({ ...clientRow(client), ...host, most });
      const outcome = await addWithin(by, client, insert, [room]);
      if (outcome !== 'too_many') return outcome;
      return (await database.first(selectRefused(host))) === undefined ? outcome : 'refused';
    },
    async updateDocumentClient(by, seen, described, freshUntil, changed, approval) {
      const { id: clientId } = seen;
      const { claimedName, scopes, redirectUris } = described;
      const guard = updateDescribed({
        clientId,
        seenName: seen.claimedName,
        seenScopes: scopesColumn(seen.scopes),
        seenRedirectUris: JSON.stringify(seen.redirectUris),
        claimedName,
        scopes: scopesColumn(scopes),
        redirectUris: JSON.stringify(redirectUris),
        freshUntil,
        approval,
        at: by.at,
      });
      if (changed.length === 0) return runGuarded(database, { audit: NO_ENTRY, guard });
      const record = recordOf(by, clientId, 'client.update', changed.join(' '), { changed });
      return runGuarded(database, { ...record, guard });
    },
    async outdateDocument(clientId, freshUntil) {
      await database.atomically({ audit: NO_ENTRY, guard: outdateDocument({ clientId, freshUntil }) });
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

// Those that operators deactivated take no room from others.
const CAN_WORK = fragment`
  clients.document_url IS NOT NULL AND (clients.deactivation IS NULL OR clients.deactivation = 'approval')`;

const DOCUMENTS = fragment`(SELECT count(*) FROM clients WHERE ${CAN_WORK})`;

// Reports that were closed, consents that were withdrawn, and both of closed accounts hold no room.
const IS_OF_INTEREST = fragment`(
    EXISTS (
      SELECT 1 FROM client_reports JOIN users ON users.id = client_reports.reporter_id
      WHERE client_reports.client_id = clients.id AND client_reports.closed_at IS NULL AND users.status <> 'closed')
    OR EXISTS (SELECT 1 FROM event_endpoints WHERE event_endpoints.client_id = clients.id))`;

const IS_ALLOWED = fragment`
  EXISTS (
    SELECT 1 FROM grants JOIN users ON users.id = grants.user_id
    WHERE grants.client_id = clients.id AND grants.withdrawn_at IS NULL AND users.status <> 'closed')`;

// Its row goes later, since a deletion reads all codes and sign-ins.
const makeRoom = sql<DocumentsOfHost & { documentUrl: string | undefined; most: number; at: Timestamp }>`
  UPDATE clients
  SET document_url = NULL, status = 'deactivated', deactivation = 'deleted', delete_at = :at,
    deactivated_at = coalesce(deactivated_at, :at)
  WHERE id = (
      SELECT clients.id FROM clients
      WHERE clients.claimed_name IS NOT NULL AND ${CAN_WORK} AND NOT ${IS_ALLOWED} AND NOT ${IS_OF_INTEREST}
      ORDER BY clients.id LIMIT 1)
    AND cast(:most AS bigint) <= ${DOCUMENTS} AND NOT ${IS_HOST_REFUSED}
    AND NOT EXISTS (SELECT 1 FROM clients WHERE document_url = cast(:documentUrl AS text))`;

const insertDescribed = sql<NewRow & DocumentsOfHost & { most: number }>`
  ${INTO_CLIENTS}
  SELECT ${NEW_CLIENT}
  WHERE cast(:most AS bigint) > ${DOCUMENTS} AND NOT ${IS_HOST_REFUSED}
  ON CONFLICT DO NOTHING`;

const selectExisting = sql<Pick<Client, 'id' | 'documentUrl'>, { id: string }>`
  SELECT id FROM clients WHERE id = :id OR document_url = cast(:documentUrl AS text)`;

interface Described extends Stored<DescribedClient> {
  clientId: string;
  seenName: string | undefined;
  seenScopes: string;
  seenRedirectUris: string;
  freshUntil: Timestamp;
  approval: ApprovalAfterChange;
  at: Timestamp;
}

const MUST_WAIT = fragment`:approval = 'needed' AND status = 'active'`;

const updateDescribed = sql<Described>`
  UPDATE clients
  SET status = CASE WHEN ${MUST_WAIT} THEN 'deactivated' ELSE status END,
    deactivated_at = CASE WHEN ${MUST_WAIT} THEN :at ELSE deactivated_at END,
    deactivation = CASE WHEN ${MUST_WAIT} THEN 'approval' ELSE deactivation END,
    approved_at = CASE WHEN :approval = 'kept' THEN approved_at ELSE NULL END,
    looks_version = 0, claimed_name = :claimedName, scopes = :scopes, redirect_uris = :redirectUris,
    document_fresh_until = :freshUntil
  WHERE id = :clientId AND document_url IS NOT NULL
    AND claimed_name IS NOT DISTINCT FROM cast(:seenName AS text) AND scopes = :seenScopes
    AND redirect_uris = :seenRedirectUris`;

const outdateDocument = sql<{ clientId: string; freshUntil: Timestamp }>`
  UPDATE clients SET document_fresh_until = :freshUntil
  WHERE id = :clientId AND document_fresh_until > :freshUntil`;
