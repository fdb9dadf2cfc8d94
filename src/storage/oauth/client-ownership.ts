// Deleting applications, and giving them to another member, as rows.

import type { Timestamp } from '../../lib/clock.ts';
import type {
  Client,
  ClientOwnershipReads,
  ClientOwnershipWrites,
  OwnedClient,
} from '../../oauth/client-store.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';
import { type AsSeen, asSeen, IS_AS_SEEN } from './as-seen.ts';
import { CLIENT_COLUMNS, clientOf } from './client-columns.ts';
import { deleteLooks } from './client-looks.ts';
import { deleteLogo } from './client-reviews.ts';
import { IS_OWNED, type OwnedBy, ownedBy, recordOf } from './clients.ts';
import type { Stored } from './stored.ts';

export function clientOwnership(database: Database): ClientOwnershipReads & ClientOwnershipWrites {
  return {
    async clientsOfferedTo(userId, now) {
      const rows = await database.rows(selectOffered({ userId, now }));
      return rows.map(({ ownerName, ...client }) => ({ client: clientOf(client), ownerName }));
    },
    async clientsToDelete(now, most) {
      return (await database.rows(selectToDelete({ now, most }))).map(({ id }) => id);
    },
    async planDeletion(by, clientId, deleteAt) {
      const record =
        deleteAt === undefined
          ? recordOf(by, clientId, 'client.keep', 'deletion_cancelled')
          : recordOf(by, clientId, 'client.plan_deletion', 'deletion_planned');
      return runGuarded(database, { ...record, guard: planDeletion({ ...ownedBy(by, clientId), deleteAt }) });
    },
    async deleteClient(by, clientId, isDue) {
      const of = { clientId };
      return runGuarded(database, {
        ...recordOf(by, clientId, 'client.delete', 'deleted'),
        guard: eraseClient({ ...of, at: by.at, due: isDue ? by.at : LAST }),
        effects: [
          eraseSecret({ ...of, noDigest: NO_DIGEST }),
          deleteEvents(of),
          deleteEndpoints(of),
          deleteHours(of),
          deleteUses(of),
          deleteRequests(of),
          deleteRequestsVersion(of),
          deleteLogo(of),
          deleteLooks(of),
        ],
      });
    },
    async offerClient(by, clientId, to, until) {
      const change = to === undefined ? 'transfer_cancelled' : 'transfer_offered';
      const record = recordOf(by, clientId, 'client.offer', change);
      const guard = offerClient({ ...ownedBy(by, clientId), to, until });
      return runGuarded(database, { ...record, guard });
    },
    async acceptClient(by, seen, most) {
      const clientId = seen.id;
      const record = recordOf(by, clientId, 'client.accept', 'transferred');
      const guard = acceptClient({ clientId, ...asSeen(seen), userId: by.userId, at: by.at, most });
      const of = { clientId };
      const effects = [deleteEvents(of), deleteEndpoints(of)];
      // So that each of a member's parallel acceptances counts the applications of those before it.
      return runGuarded(database, { ...record, turn: 'transfers', guard, effects });
    },
    async declineClient(by, clientId) {
      const record = recordOf(by, clientId, 'client.decline', 'transfer_declined');
      return runGuarded(database, { ...record, guard: declineClient({ clientId, userId: by.userId }) });
    },
    async setOwner(by, clientId, ownerId) {
      const record = recordOf(by, clientId, 'client.set_owner', 'transferred');
      const guard = setOwner({ ...ownedBy(by, clientId), to: ownerId, at: by.at });
      const of = { clientId };
      return runGuarded(database, { ...record, guard, effects: [deleteEvents(of), deleteEndpoints(of)] });
    },
  };
}

interface OfClient {
  clientId: string;
}

// No deletion is planned for later.
const LAST: Timestamp = Number.MAX_SAFE_INTEGER;

// The digest of no text.
const NO_DIGEST = new Uint8Array(32);

interface OfferedRow extends Stored<Client> {
  ownerName: OwnedClient['ownerName'];
}

const selectOffered = sql<{ userId: number; now: Timestamp }, OfferedRow>`
  SELECT ${CLIENT_COLUMNS}, users.username AS "ownerName"
  FROM clients LEFT JOIN users ON users.id = clients.owner_id
  WHERE clients.transfer_to = :userId AND clients.transfer_until > :now
  ORDER BY clients.id`;

const selectToDelete = sql<{ now: Timestamp; most: number }, { id: string }>`
  SELECT id FROM clients
  WHERE delete_at IS NOT NULL AND delete_at <= :now AND (deactivation IS NULL OR deactivation <> 'deleted')
  ORDER BY delete_at LIMIT cast(:most AS bigint)`;

const planDeletion = sql<OwnedBy & { deleteAt: Timestamp | undefined }>`
  UPDATE clients SET delete_at = :deleteAt
  WHERE ${IS_OWNED} AND (delete_at IS NULL) <> (cast(:deleteAt AS bigint) IS NULL)`;

interface Erasure extends OfClient {
  at: Timestamp;
  /** Only if its deletion was planned for this time or earlier, or not at all. */
  due: Timestamp;
}

// What is left has the id and the name, for the members who allowed it.
const eraseClient = sql<Erasure>`
  UPDATE clients
  SET status = 'deactivated', deactivation = 'deleted', delete_at = :at,
    deactivated_at = coalesce(deactivated_at, :at), redirect_uris = '[]',
    post_logout_redirect_uris = '[]', scope_reasons = '{}', home_page = NULL, description = '',
    secret_ending = NULL, secret_added_at = NULL, previous_secret_digest = NULL,
    previous_secret_ending = NULL, previous_secret_until = NULL, transfer_to = NULL, transfer_until = NULL,
    document_url = NULL, document_fresh_until = NULL,
    logo = NULL, logo_approved_as = NULL, review_note = NULL
  WHERE id = :clientId AND (deactivation IS NULL OR deactivation <> 'deleted')
    AND coalesce(delete_at, :at) <= :due`;

const eraseSecret = sql<OfClient & { noDigest: Uint8Array }>`
  UPDATE clients SET secret_digest = :noDigest WHERE id = :clientId AND kind = 'confidential'`;

const deleteEvents = sql<OfClient>`
  DELETE FROM application_events WHERE client_id = :clientId`;

const deleteEndpoints = sql<OfClient>`
  DELETE FROM event_endpoints WHERE client_id = :clientId`;

const deleteHours = sql<OfClient>`
  DELETE FROM client_hours WHERE client_id = :clientId`;

const deleteUses = sql<OfClient>`
  DELETE FROM client_uses WHERE client_id = :clientId`;

const deleteRequests = sql<OfClient>`
  DELETE FROM request_lines WHERE client_id = :clientId`;

const deleteRequestsVersion = sql<OfClient>`
  DELETE FROM request_versions WHERE client_id = :clientId`;

const offerClient = sql<OwnedBy & { to: number | undefined; until: Timestamp | undefined }>`
  UPDATE clients SET transfer_to = :to, transfer_until = :until
  WHERE ${IS_OWNED}
    AND (cast(:to AS bigint) IS NULL AND transfer_to IS NOT NULL
      OR EXISTS (SELECT 1 FROM users WHERE users.id = :to AND users.status <> 'closed'))`;

// An application of a suspended member stays deactivated with another owner, until operators activate it.
const NOT_SUSPENDED = fragment`
  deactivation = CASE WHEN deactivation = 'suspension' THEN 'operators' ELSE deactivation END`;

/** What a former owner keeps no part in: offers, the earlier secret, which they know, and the operators' approval. */
export const WITHOUT_FORMER_OWNER = fragment`
  transfer_to = NULL, transfer_until = NULL, previous_secret_digest = NULL, previous_secret_ending = NULL,
  previous_secret_until = NULL, approved_at = NULL`;

const acceptClient = sql<OfClient & AsSeen & { userId: number; at: Timestamp; most: number }>`
  UPDATE clients
  SET ${NOT_SUSPENDED}, owner_id = :userId, owner_since = :at, delete_at = NULL,
    ${WITHOUT_FORMER_OWNER}
  WHERE id = :clientId AND transfer_to = :userId AND transfer_until > :at AND ${IS_AS_SEEN}
    AND EXISTS (SELECT 1 FROM users WHERE users.id = :userId AND users.status = 'active')
    AND (deactivation IS NULL OR deactivation <> 'deleted')
    AND :most > (
      SELECT count(*) FROM clients AS own
      WHERE own.owner_id = :userId AND (own.deactivation IS NULL OR own.deactivation <> 'deleted'))`;

const declineClient = sql<OfClient & { userId: number }>`
  UPDATE clients SET transfer_to = NULL, transfer_until = NULL
  WHERE id = :clientId AND transfer_to = :userId`;

const setOwner = sql<OwnedBy & { to: number; at: Timestamp }>`
  UPDATE clients
  SET ${NOT_SUSPENDED}, owner_id = :to, owner_since = :at, delete_at = NULL,
    ${WITHOUT_FORMER_OWNER}
  WHERE document_url IS NULL AND (owner_id IS NULL OR owner_id <> :to) AND ${IS_OWNED}`;
