// What becomes of a member's applications when operators suspend, reactivate or close the account.

import type { Doer } from '../../audit/doer.ts';
import type { SecurityEvent } from '../../audit/security-event.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { addressOf, EVENT_ROW, INTO_EVENTS, recorded } from '../audit/security-events.ts';
import { type Bound, fragment, sql } from '../engine/sql.ts';
import { WITHOUT_FORMER_OWNER } from './client-ownership.ts';

/** Deactivate the applications of a member who is suspended, and take back the offers to others. */
export function pauseClientsOf(by: Doer, userId: number): Bound<unknown>[] {
  const of = { userId, at: by.at };
  return [
    recorded(notePause(changeOf(by, userId, 'deactivated'))),
    pauseClients(of),
    recorded(noteOffersEnd(changeOf(by, userId, 'transfer_cancelled'))),
    endOffers({ userId }),
  ];
}

/** Activate them again, but none that operators activated or deactivated in the meantime. */
export function resumeClientsOf(by: Doer, userId: number): Bound<unknown>[] {
  return [recorded(noteResumption(changeOf(by, userId, 'activated'))), resumeClients({ userId })];
}

/**
 * Deactivate the applications of a closed account. Operators look after them; they keep their owner, so that none looks
 * like the operators' own.
 */
export function closeClientsOf(by: Doer, userId: number): Bound<unknown>[] {
  const of = { userId, at: by.at };
  return [
    recorded(noteClosing(changeOf(by, userId, 'deactivated'))),
    // The former owner chose the addresses, and knows the secrets of the events.
    deleteEvents({ userId }),
    deleteEndpoints({ userId }),
    closeClients(of),
  ];
}

function changeOf(by: Doer, userId: number, change: string): Change {
  return { userId, at: by.at, address: addressOf(by), by: by.kind, change };
}

interface OfOwner {
  userId: number;
}

type AtTime = OfOwner & { at: Timestamp };

interface Change extends AtTime {
  address: string | undefined;
  by: string;
  change: string;
}

const IS_ACTIVE = fragment`owner_id = :userId AND status = 'active'`;
const IS_PAUSED = fragment`owner_id = :userId AND deactivation = 'suspension'`;
const IS_LEFT = fragment`owner_id = :userId AND (deactivation IS NULL OR deactivation <> 'deleted')`;

const CHANGE = fragment`
  ${INTO_EVENTS}
  SELECT :at, 'client_changed', owner_id, id, :address, :by, :change, NULL FROM clients`;

const notePause = sql<Change, SecurityEvent>`${CHANGE} WHERE ${IS_ACTIVE} ${EVENT_ROW}`;

const IS_OFFERED = fragment`owner_id = :userId AND transfer_to IS NOT NULL`;

const noteOffersEnd = sql<Change, SecurityEvent>`${CHANGE} WHERE ${IS_OFFERED} ${EVENT_ROW}`;

const noteResumption = sql<Change, SecurityEvent>`${CHANGE} WHERE ${IS_PAUSED} ${EVENT_ROW}`;

const noteClosing = sql<Change, SecurityEvent>`${CHANGE} WHERE ${IS_LEFT} ${EVENT_ROW}`;

const pauseClients = sql<AtTime>`
  UPDATE clients SET status = 'deactivated', deactivation = 'suspension', deactivated_at = :at
  WHERE ${IS_ACTIVE}`;

const endOffers = sql<OfOwner>`
  UPDATE clients SET transfer_to = NULL, transfer_until = NULL WHERE ${IS_OFFERED}`;

const resumeClients = sql<OfOwner>`
  UPDATE clients SET status = 'active', deactivation = NULL, deactivated_at = NULL WHERE ${IS_PAUSED}`;

const deleteEvents = sql<OfOwner>`
  DELETE FROM application_events WHERE client_id IN (SELECT id FROM clients WHERE ${IS_LEFT})`;

const deleteEndpoints = sql<OfOwner>`
  DELETE FROM event_endpoints WHERE client_id IN (SELECT id FROM clients WHERE ${IS_LEFT})`;

// What waits for operators goes on waiting.
const closeClients = sql<AtTime>`
  UPDATE clients
  SET ${WITHOUT_FORMER_OWNER}, status = 'deactivated',
    deactivation = CASE WHEN deactivation IN ('approval', 'refused') THEN deactivation ELSE 'operators' END,
    deactivated_at = coalesce(deactivated_at, :at)
  WHERE ${IS_LEFT}`;
