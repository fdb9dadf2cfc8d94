// Logos of applications, and the operators' decisions on applications and logos, as rows.

import type { AboutReview } from '../../audit/credential-notice.ts';
import type { OperatorDoer } from '../../audit/doer.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type { ClientReviewReads, ClientReviewWrites } from '../../oauth/client-review-store.ts';
import type { Client } from '../../oauth/client-store.ts';
import { entry } from '../audit/audit-trail.ts';
import { insertReviewNotification } from '../community/notifications.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { type Bound, fragment, sql } from '../engine/sql.ts';
import { insertMailTo } from '../identity/mails.ts';
import { type AsSeen, asSeen, IS_AS_SEEN } from './as-seen.ts';
import { CLIENT_COLUMNS, clientOf, LOGO_AS_SHOWN } from './client-columns.ts';
import { changeEvents, IS_OWNED, type OwnedBy, ownedBy, recordOf } from './clients.ts';
import type { Stored } from './stored.ts';

export function clientReviews(database: Database): ClientReviewReads & ClientReviewWrites {
  return {
    async findClientLogo(digest) {
      return (await database.first(selectLogo({ digest })))?.image;
    },
    async waitingClients(most) {
      const rows = await database.rows(selectWaiting({ most }));
      return rows.map(({ ownerName, since, ...client }) => ({ client: clientOf(client), ownerName, since }));
    },
    async countWaitingClients(most) {
      return (await database.first(countWaiting({ most })))?.count ?? 0;
    },
    async setClientLogo(by, clientId, { digest, image }, isApproved) {
      return runGuarded(database, {
        ...recordOf(by, clientId, 'client.update', 'logo', { changed: ['logo'] }),
        guard: setLogo({ ...ownedBy(by, clientId), digest }),
        effects: [
          upsertLogo({ clientId, digest, image, at: by.at }),
          ...(isApproved ? [approveLogo({ clientId })] : []),
        ],
      });
    },
    async removeClientLogo(by, clientId) {
      return runGuarded(database, {
        ...recordOf(by, clientId, 'client.update', 'logo_removed', { changed: ['logo'] }),
        guard: clearLogo(ownedBy(by, clientId)),
        effects: [deleteLogo({ clientId })],
      });
    },
    async approveClient(by, client) {
      return runGuarded(database, {
        ...decision(by, client, true),
        guard: approveAsSeen({ clientId: client.id, ...asSeen(client), at: by.at }),
        effects: [approveLogo({ clientId: client.id }), ...newsFor(by, client, true)],
      });
    },
    async refuseClient(by, client, reason) {
      const { id: clientId } = client;
      const waits = client.deactivation === 'approval';
      const seen = { clientId, ...asSeen(client) };
      return runGuarded(database, {
        ...decision(by, client, false, reason),
        guard: waits ? refuseAsSeen({ ...seen, reason }) : clearLogoAsSeen(seen),
        effects: [...(waits ? [] : [deleteLogo({ clientId })]), ...newsFor(by, client, false, reason)],
      });
    },
    async askForApproval(by, clientId) {
      return runGuarded(database, {
        ...recordOf(by, clientId, 'client.ask_approval', 'approval_asked'),
        guard: askAgain({ ...ownedBy(by, clientId), at: by.at }),
      });
    },
  };
}

function decision(by: OperatorDoer, { id, deactivation }: Client, isApproved: boolean, reason?: string) {
  const isLogo = deactivation !== 'approval';
  const action = isApproved ? 'client.approve' : 'client.refuse';
  const detail = { ...(isLogo && { about: 'logo' }), ...(reason !== undefined && { reason }) };
  const change = `${isLogo ? 'logo_' : ''}${isApproved ? 'approved' : 'refused'}`;
  return {
    audit: entry(by, { action, subject: { kind: 'client', id }, detail }),
    events: changeEvents(by, id, change),
  };
}

function newsFor(
  { userId: operatorId, at }: OperatorDoer,
  { id: clientId, name, ownerId: userId, deactivation }: Client,
  isApproved: boolean,
  reason?: string,
): Bound<unknown>[] {
  if (userId === undefined || userId === operatorId) return [];
  const of = deactivation === 'approval' ? 'application' : 'logo';
  const review: AboutReview = { of, isApproved, clientId, name };
  return [
    insertReviewNotification({ userId, about: JSON.stringify({ review }), reason, at }),
    insertMailTo({ purpose: 'application_reviewed', userId, about: JSON.stringify({ review, reason }), at }),
  ];
}

interface OfClient {
  clientId: string;
}

const selectLogo = sql<{ digest: string }, { image: Uint8Array }>`
  SELECT image FROM client_logos WHERE digest = :digest LIMIT 1`;

// Each part has an index of its own. A logo of an application that doesn't work can wait.
const WAITING_FOR_APPROVAL = fragment`
  SELECT clients.id, coalesce(clients.deactivated_at, clients.created_at) AS since
  FROM clients WHERE clients.deactivation = 'approval'`;

// With CROSS JOIN, SQLite begins with the logos, and doesn't read every application.
const WAITING_LOGOS = fragment`
  SELECT clients.id, client_logos.uploaded_at AS since
  FROM client_logos CROSS JOIN clients
  WHERE clients.id = client_logos.client_id AND clients.status = 'active'
    AND coalesce(clients.logo_approved_as, '') <> ${LOGO_AS_SHOWN}`;

interface WaitingRow extends Stored<Client> {
  ownerName: string | undefined;
  since: Timestamp;
}

// Chosen before their columns are read.
const selectWaiting = sql<{ most: number }, WaitingRow>`
  SELECT ${CLIENT_COLUMNS}, users.username AS "ownerName", waiting.since
  FROM (
    SELECT id, since FROM (${WAITING_FOR_APPROVAL} UNION ALL ${WAITING_LOGOS}) AS of_all
    ORDER BY since, id LIMIT cast(:most AS bigint)
  ) AS waiting
  JOIN clients ON clients.id = waiting.id
  LEFT JOIN users ON users.id = clients.owner_id
  ORDER BY waiting.since, clients.id`;

const countWaiting = sql<{ most: number }, { count: number }>`
  SELECT count(*) AS count FROM (
    SELECT id FROM (${WAITING_FOR_APPROVAL} UNION ALL ${WAITING_LOGOS}) AS waiting
    LIMIT cast(:most AS bigint)) AS counted`;

// The same picture again keeps its approval.
const setLogo = sql<OwnedBy & { digest: string }>`
  UPDATE clients SET logo = :digest WHERE ${IS_OWNED}`;

const upsertLogo = sql<OfClient & { digest: string; image: Uint8Array; at: Timestamp }>`
  INSERT INTO client_logos (client_id, digest, image, uploaded_at)
  VALUES (:clientId, :digest, :image, :at)
  ON CONFLICT (client_id) DO UPDATE
  SET digest = excluded.digest, image = excluded.image, uploaded_at = excluded.uploaded_at`;

const approveLogo = sql<OfClient>`
  UPDATE clients SET logo_approved_as = ${LOGO_AS_SHOWN} WHERE id = :clientId AND logo IS NOT NULL`;

const clearLogo = sql<OwnedBy>`
  UPDATE clients SET logo = NULL, logo_approved_as = NULL WHERE logo IS NOT NULL AND ${IS_OWNED}`;

/** Delete the picture of an application. */
export const deleteLogo = sql<OfClient>`
  DELETE FROM client_logos WHERE client_id = :clientId`;

// It works when the suspension of its owner ends.
const MUST_PAUSE = fragment`
  deactivation = 'approval'
  AND EXISTS (SELECT 1 FROM users WHERE users.id = clients.owner_id AND users.status = 'suspended')`;

const approveAsSeen = sql<OfClient & AsSeen & { at: Timestamp }>`
  UPDATE clients
  SET status = CASE WHEN ${MUST_PAUSE} THEN 'deactivated' ELSE 'active' END,
    deactivation = CASE WHEN ${MUST_PAUSE} THEN 'suspension' ELSE NULL END,
    deactivated_at = CASE WHEN ${MUST_PAUSE} THEN coalesce(deactivated_at, :at) ELSE NULL END,
    review_note = NULL, approved_at = :at
  WHERE id = :clientId AND ${IS_AS_SEEN}`;

const refuseAsSeen = sql<OfClient & AsSeen & { reason: string }>`
  UPDATE clients SET deactivation = 'refused', review_note = :reason WHERE id = :clientId AND ${IS_AS_SEEN}`;

const clearLogoAsSeen = sql<OfClient & AsSeen>`
  UPDATE clients SET logo = NULL, logo_approved_as = NULL WHERE id = :clientId AND ${IS_AS_SEEN}`;

const askAgain = sql<OwnedBy & { at: Timestamp }>`
  UPDATE clients SET deactivation = 'approval', deactivated_at = :at
  WHERE deactivation = 'refused' AND ${IS_OWNED}`;
