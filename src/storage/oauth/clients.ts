// Registered applications, as rows.

import type { AuditAction, AuditSubject } from '../../audit/audit-log.ts';
import type { Doer } from '../../audit/doer.ts';
import type { SecurityEvent } from '../../audit/security-event.ts';
import { DAY, type Timestamp } from '../../lib/clock.ts';
import type {
  ApprovalAfterChange,
  Client,
  ClientReads,
  ClientSettings,
  ClientWrites,
  Deactivation,
} from '../../oauth/client-store.ts';
import { type Actor, entry, entryOfAnyone, entryOfAnyoneIf } from '../audit/audit-trail.ts';
import { addressOf, EVENT_ROW, INTO_EVENTS, recorded } from '../audit/security-events.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { type Bound, fragment, sql } from '../engine/sql.ts';
import {
  type AsSeen,
  asSeen,
  HAS_SEEN_SETTINGS,
  IS_AS_SEEN,
  type SeenSettings,
  seenSettings,
} from './as-seen.ts';
import { CLIENT_COLUMNS, clientOf, clientRow, settingsColumns } from './client-columns.ts';
import { documentsOf, othersOfHost, selectRefused } from './described-hosts.ts';
import { digestColumn } from './digest-column.ts';
import { noticeToOwner } from './owner-notices.ts';
import type { Stored } from './stored.ts';

export function clientRows(database: Database): ClientReads & Omit<ClientWrites, 'addOwnClient'> {
  return {
    async addClient(by, client) {
      const audit = entry(by, { action: 'client.create', subject: subjectOf(client.id) });
      await database.atomically({ audit, guard: insertClient(clientRow(client)) });
    },
    async findClient(id) {
      // No id begins like the address of a document.
      const row = await database.first(
        id.startsWith('https://') ? selectClientByDocument({ id }) : selectClient({ id }),
      );
      return row && clientOf(row);
    },
    async isRefusedHost(host) {
      return (await database.first(selectRefused(documentsOf(host)))) !== undefined;
    },
    async clientsOf(ownerId) {
      return (await database.rows(selectClientsOf({ ownerId }))).map(clientOf);
    },
    async clientsBefore(before, limit) {
      // '~' sorts after every id, so the list begins with the newest application.
      const rows = await database.rows(selectClientsBefore({ before: before ?? '~', limit }));
      return rows.map(({ ownerName, ...client }) => ({ client: clientOf(client), ownerName }));
    },
    async replaceClientSecret(by, clientId, { digest, ending }, previousUntil) {
      const audit = entryOfAnyone(by, { action: 'client.rotate_secret', subject: subjectOf(clientId) });
      const secretDigest = digestColumn(digest);
      const guard = updateClientSecret({
        ...ownedBy(by, clientId),
        secretDigest,
        ending,
        previousUntil,
        at: by.at,
      });
      const events = [recorded(insertRotation({ clientId, at: by.at, by: by.kind }))];
      return runGuarded(database, { audit, guard, events });
    },
    async endPreviousSecret(by, clientId) {
      const record = recordOf(by, clientId, 'client.end_secret', 'secret_ended');
      return runGuarded(database, { ...record, guard: endPreviousSecret(ownedBy(by, clientId)) });
    },
    async setClientStatus(by, clientId, status, seen) {
      const decider: Deactivation = by.kind === 'member' ? 'owner' : 'operators';
      const deactivation = status === 'active' ? undefined : decider;
      const [action, change] =
        status === 'active'
          ? (['client.activate', 'activated'] as const)
          : (['client.deactivate', 'deactivated'] as const);
      const record = recordOf(by, clientId, action, change);
      const target = { ...ownedBy(by, clientId), status, deactivation, at: by.at };
      return runGuarded(database, {
        ...record,
        guard:
          seen === undefined
            ? updateClientStatus(target)
            : updateStatusAsSeen({ ...target, ...asSeen(seen) }),
        effects: othersOfHost(target),
      });
    },
    async changeClient(by, { id: clientId, ...seen }, settings, changed, approval) {
      const record = recordOf(by, clientId, 'client.update', changed.join(' '), { changed });
      const guard = updateSettings({
        ...ownedBy(by, clientId),
        ...settingsColumns(settings),
        ...seenSettings(seen),
        at: by.at,
        memory: RENAMING_MEMORY,
        approval,
      });
      const isAddress = changed.includes('redirectUris') || changed.includes('postLogoutRedirectUris');
      const notice = { purpose: 'callbacks_changed', clientId, at: by.at } as const;
      const effects = isAddress ? noticeToOwner(database.dialect, notice) : [];
      return runGuarded(database, { ...record, guard, effects });
    },
  };
}

/** The entry in the audit log and the security event of a change. */
export function recordOf(
  by: Doer,
  clientId: string,
  action: AuditAction,
  change: string,
  { changed, createdAt }: { changed?: readonly string[]; createdAt?: Timestamp } = {},
) {
  const detail = changed === undefined ? {} : { changed: changed.join(', ') };
  const audit =
    createdAt === undefined
      ? entryOfAnyone(by, { action, subject: subjectOf(clientId), detail })
      : entryOfAnyoneIf(by, (actor) => insertRegistration({ ...actor, clientId, createdAt }));
  return { audit, events: changeEvents(by, clientId, change, createdAt) };
}

/**
 * The security event of a change, in the owner's log: with the network address only if it is the owner's. For a
 * registration, none if the application wasn't added.
 */
export function changeEvents(
  by: Doer,
  clientId: string,
  change: string,
  createdAt?: Timestamp,
): Bound<unknown>[] {
  const doerId = by.kind === 'member' ? by.userId : undefined;
  const event = { clientId, at: by.at, doerId, address: addressOf(by), by: by.kind, change, createdAt };
  return [recorded(insertChange(event))];
}

function subjectOf(clientId: string): AuditSubject {
  return { kind: 'client', id: clientId };
}

/** The application, and for a member only their own. */
export function ownedBy(by: Doer, clientId: string): OwnedBy {
  return { clientId, ownerId: by.kind === 'member' ? by.userId : undefined };
}

export interface OwnedBy {
  clientId: string;
  ownerId: number | undefined;
}

/** For a WHERE: the application of `ownedBy`, unless it was deleted. A suspended member has none. */
export const IS_OWNED = fragment`
  id = :clientId AND (cast(:ownerId AS bigint) IS NULL
    OR owner_id = (SELECT users.id FROM users WHERE users.id = :ownerId AND users.status = 'active'))
  AND (deactivation IS NULL OR deactivation <> 'deleted')`;

// Nobody has looked at a new application, and it has no logo.
export type NewRow = Omit<Stored<Client>, 'logo' | 'isLogoApproved' | 'approvedAt' | 'reviewNote'>;

export const INTO_CLIENTS = fragment`
  INSERT INTO clients (id, name, kind, secret_digest, owner_id, scopes, redirect_uris,
    post_logout_redirect_uris, accepts_missing_state_and_nonce, id_token_alg, required_scopes, scope_reasons,
    home_page, description, status, deactivation, secret_ending, secret_added_at, previous_secret_digest,
    previous_secret_ending, previous_secret_until, delete_at, transfer_to, transfer_until, former_name,
    renamed_at, owner_since, document_url, document_fresh_until, claimed_name, created_at)`;

export const NEW_CLIENT = fragment`
  :id, :name, :kind, :secretDigest, :ownerId, :scopes, :redirectUris,
    :postLogoutRedirectUris, :acceptsMissingStateAndNonce, :idTokenAlg, :requiredScopes, :scopeReasons,
    :homePage, :description, :status, :deactivation, :secretEnding, :secretAddedAt, :previousSecretDigest,
    :previousSecretEnding, :previousSecretUntil, :deleteAt, :transferTo, :transferUntil, :formerName,
    :renamedAt, :ownerSince, :documentUrl, :documentFreshUntil, :claimedName, :createdAt`;

export const insertClient = sql<NewRow>`
  ${INTO_CLIENTS} VALUES (${NEW_CLIENT}) ON CONFLICT DO NOTHING`;

const selectClient = sql<{ id: string }, Stored<Client>>`
  SELECT ${CLIENT_COLUMNS} FROM clients WHERE id = :id`;

const selectClientByDocument = sql<{ id: string }, Stored<Client>>`
  SELECT ${CLIENT_COLUMNS} FROM clients WHERE document_url = :id`;

const selectClientsOf = sql<{ ownerId: number }, Stored<Client>>`
  SELECT ${CLIENT_COLUMNS} FROM clients WHERE owner_id = :ownerId ORDER BY created_at DESC`;

interface OwnedClientRow extends Stored<Client> {
  ownerName: string | undefined;
}

const selectClientsBefore = sql<{ before: string; limit: number }, OwnedClientRow>`
  SELECT ${CLIENT_COLUMNS}, users.username AS "ownerName"
  FROM clients LEFT JOIN users ON users.id = clients.owner_id
  WHERE clients.id < :before
  ORDER BY clients.id DESC LIMIT cast(:limit AS bigint)`;

interface NewSecret extends OwnedBy {
  secretDigest: Uint8Array;
  ending: string;
  previousUntil: Timestamp | undefined;
  at: Timestamp;
}

const updateClientSecret = sql<NewSecret>`
  UPDATE clients
  SET previous_secret_digest = CASE WHEN cast(:previousUntil AS bigint) IS NULL THEN NULL ELSE secret_digest END,
    previous_secret_ending = CASE WHEN cast(:previousUntil AS bigint) IS NULL THEN NULL ELSE secret_ending END,
    previous_secret_until = :previousUntil,
    secret_digest = :secretDigest, secret_ending = :ending, secret_added_at = :at
  WHERE kind = 'confidential' AND ${IS_OWNED}`;

const endPreviousSecret = sql<OwnedBy>`
  UPDATE clients
  SET previous_secret_digest = NULL, previous_secret_ending = NULL, previous_secret_until = NULL
  WHERE previous_secret_digest IS NOT NULL AND ${IS_OWNED}`;

const insertRotation = sql<{ clientId: string; at: Timestamp; by: string }, SecurityEvent>`
  ${INTO_EVENTS}
  SELECT :at, 'client_secret_rotated', owner_id, id, NULL, :by, NULL, NULL FROM clients WHERE id = :clientId
  ${EVENT_ROW}`;

interface NewStatus extends OwnedBy {
  status: Client['status'];
  deactivation: Client['deactivation'];
  at: Timestamp;
}

// A member can't undo what operators decided. Deactivating it again doesn't start the time anew.
const UPDATE_STATUS = fragment`
  UPDATE clients SET status = :status, deactivation = :deactivation,
    deactivated_at = CASE WHEN :status = 'active' THEN NULL ELSE coalesce(deactivated_at, :at) END
  WHERE ${IS_OWNED}
    AND (cast(:ownerId AS bigint) IS NULL OR status = 'active' OR deactivation = 'owner')`;

const updateClientStatus = sql<NewStatus>`${UPDATE_STATUS}`;

const updateStatusAsSeen = sql<NewStatus & AsSeen>`${UPDATE_STATUS} AND ${IS_AS_SEEN}`;

// Members read the name that they knew, although the application was renamed twice since.
const RENAMING_MEMORY = 30 * DAY;

interface NewSettings extends OwnedBy, SeenSettings, Stored<ClientSettings> {
  at: Timestamp;
  memory: number;
  approval: ApprovalAfterChange;
}

// Also while its owner has it deactivated, who could activate it otherwise.
const MUST_WAIT = fragment`
  :approval = 'needed' AND (status = 'active' OR deactivation = 'owner')`;

const updateSettings = sql<NewSettings>`
  UPDATE clients
  SET former_name = CASE
      WHEN name <> :name AND coalesce(renamed_at, 0) < cast(:at AS bigint) - cast(:memory AS bigint) THEN name
      ELSE former_name END,
    renamed_at = CASE WHEN name <> :name THEN :at ELSE renamed_at END,
    status = CASE WHEN ${MUST_WAIT} THEN 'deactivated' ELSE status END,
    deactivated_at = CASE WHEN ${MUST_WAIT} THEN coalesce(deactivated_at, :at) ELSE deactivated_at END,
    deactivation = CASE WHEN ${MUST_WAIT} THEN 'approval' ELSE deactivation END,
    approved_at = CASE WHEN :approval = 'kept' THEN approved_at ELSE NULL END,
    name = :name, scopes = :scopes, redirect_uris = :redirectUris,
    post_logout_redirect_uris = :postLogoutRedirectUris, required_scopes = :requiredScopes,
    scope_reasons = :scopeReasons, home_page = :homePage, description = :description, looks_version = 0
  WHERE document_url IS NULL AND ${IS_OWNED} AND ${HAS_SEEN_SETTINGS}`;

interface Change {
  clientId: string;
  at: Timestamp;
  doerId: number | undefined;
  address: string | undefined;
  by: string;
  change: string;
  /** For a registration: nothing is recorded if the application wasn't added. */
  createdAt: Timestamp | undefined;
}

const insertChange = sql<Change, SecurityEvent>`
  ${INTO_EVENTS}
  SELECT :at, 'client_changed', owner_id, id, CASE WHEN owner_id = :doerId THEN :address END, :by, :change, NULL
  FROM clients
  WHERE id = :clientId AND created_at = coalesce(cast(:createdAt AS bigint), created_at)
  ${EVENT_ROW}`;

const insertRegistration = sql<Actor & { clientId: string; createdAt: Timestamp }>`
  INSERT INTO audit_events (at, actor_id, action, subject_kind, subject_id, detail)
  SELECT :at, :actorId, 'client.create', 'client', id, '{}' FROM clients
  WHERE id = :clientId AND created_at = :createdAt`;
