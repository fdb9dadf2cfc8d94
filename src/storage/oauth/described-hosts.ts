// The hosts of applications that describe themselves. Members know such an application by its host, so what operators
// decide about one holds for all documents there.

import type { Timestamp } from '../../lib/clock.ts';
import type { Client } from '../../oauth/client-store.ts';
import { type Bound, fragment, sql } from '../engine/sql.ts';

/** The addresses of documents on a host: what begins with its origin and a slash. */
export interface DocumentsOfHost {
  from: string;
  /** The character after the slash is 0. */
  to: string;
}

export function documentsOf(host: string): DocumentsOfHost {
  return { from: `https://${host}/`, to: `https://${host}0` };
}

const IS_REFUSED = fragment`
  document_url >= :from AND document_url < :to AND status = 'deactivated'
  AND coalesce(deactivation, 'operators') IN ('operators', 'refused')`;

/** For a WHERE with the values of `documentsOf`: operators deactivated or refused an application of the host. */
export const IS_HOST_REFUSED = fragment`EXISTS (SELECT 1 FROM clients WHERE ${IS_REFUSED})`;

export const selectRefused = sql<DocumentsOfHost, { id: string }>`
  SELECT id FROM clients WHERE ${IS_REFUSED} LIMIT 1`;

interface StatusOfHost {
  /** An application of the host. */
  clientId: string;
  status: Client['status'];
  deactivation: Client['deactivation'];
  at: Timestamp;
}

/** The effects of an operator's decision on an application: the others of its host follow, if it has a document. */
export function othersOfHost({ clientId, status, deactivation, at }: StatusOfHost): Bound<unknown>[] {
  // Members own none of them.
  return deactivation === 'owner' ? [] : [updateStatus({ clientId, status, deactivation, at })];
}

const HOST = fragment`
  (SELECT host.name FROM clients AS host WHERE host.id = :clientId AND host.document_url IS NOT NULL)`;

// What waits for approval or was refused stays as it is.
const updateStatus = sql<StatusOfHost>`
  UPDATE clients SET status = :status, deactivation = :deactivation,
    deactivated_at = CASE WHEN :status = 'active' THEN NULL ELSE coalesce(deactivated_at, :at) END
  WHERE document_url >= 'https://' || ${HOST} || '/' AND document_url < 'https://' || ${HOST} || '0'
    AND coalesce(deactivation, 'operators') = 'operators'`;
