// What applications look like, as rows by which look-alikes are found.

import type { Timestamp } from '../../lib/clock.ts';
import type {
  ClientLooksReads,
  ClientLooksWrites,
  LookAlike,
  VisibleSettings,
} from '../../oauth/client-looks-store.ts';
import { NO_ENTRY } from '../audit/audit-trail.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';
import type { Stored } from './stored.ts';

export function clientLooks(database: Database): ClientLooksReads & ClientLooksWrites {
  return {
    async clientsLike({ id, ownerId, documentUrl, name }, { looks, ownHosts, ...limits }, most) {
      const lists = { looks: JSON.stringify(looks), ownHosts: JSON.stringify(ownHosts) };
      const documentHost = documentUrl === undefined ? undefined : name;
      const wanted = { id, ownerId, documentHost, ...lists, ...limits, most };
      return database.rows(selectLike[database.dialect](wanted));
    },
    async clientsWithoutLooks(version, most) {
      const rows = await database.rows(selectWithoutLooks({ version, most }));
      return rows.map((row) => ({ ...row, redirectUris: JSON.parse(row.redirectUris) }));
    },
    async setLooks({ redirectUris, ...client }, version, looks) {
      const { id } = client;
      const settings = { ...client, redirectUris: JSON.stringify(redirectUris) };
      return runGuarded(database, {
        audit: NO_ENTRY,
        guard: setVersion({ ...settings, version }),
        effects: [
          deleteLooks({ clientId: id }),
          insertLooks[database.dialect]({ clientId: id, looks: JSON.stringify(looks) }),
        ],
      });
    },
  };
}

interface Wanted {
  id: string;
  ownerId: number | undefined;
  /** Of an application that describes itself: its host, which takes the place of an owner. */
  documentHost: string | undefined;
  /** JSON arrays. */
  looks: string;
  ownHosts: string;
  members: number;
  registeredBefore: Timestamp | undefined;
  now: Timestamp;
  most: number;
}

// Counting stops at one member more.
const BETTER_KNOWN = fragment`
  JOIN clients ON clients.id = alike.client_id
  WHERE clients.status = 'active' AND clients.id <> :id
    AND NOT CASE WHEN clients.document_url IS NULL
      THEN cast(:documentHost AS text) IS NULL AND clients.owner_id IS NOT DISTINCT FROM cast(:ownerId AS bigint)
      ELSE clients.name IS NOT DISTINCT FROM cast(:documentHost AS text) END
    AND clients.created_at < coalesce(cast(:registeredBefore AS bigint), clients.created_at + 1)
    AND cast(:members AS bigint) < (
      SELECT count(*) FROM (
        SELECT 1 FROM grants
        WHERE grants.client_id = clients.id AND grants.withdrawn_at IS NULL
          AND (grants.ends_at IS NULL OR grants.ends_at > :now)
        LIMIT cast(:members AS bigint) + 1) AS counted)
  ORDER BY clients.id, alike.host LIMIT cast(:most AS bigint)`;

const selectLike = {
  sqlite: sql<Wanted, LookAlike>`
    SELECT clients.id, coalesce(clients.claimed_name, clients.name) AS name, alike.host
    FROM (
      SELECT DISTINCT client_id, host FROM client_looks
      WHERE look IN (SELECT value FROM json_each(:looks))
        AND host NOT IN (SELECT value FROM json_each(:ownHosts))
    ) AS alike ${BETTER_KNOWN}`,
  postgres: sql<Wanted, LookAlike>`
    SELECT clients.id, coalesce(clients.claimed_name, clients.name) AS name, alike.host
    FROM (
      SELECT DISTINCT client_id, host FROM client_looks
      WHERE look = ANY (ARRAY(SELECT json_array_elements_text(cast(:looks AS json))))
        AND host <> ALL (ARRAY(SELECT json_array_elements_text(cast(:ownHosts AS json))))
    ) AS alike ${BETTER_KNOWN}`,
};

const selectWithoutLooks = sql<{ version: number; most: number }, Stored<VisibleSettings>>`
  SELECT id, name, redirect_uris AS "redirectUris", home_page AS "homePage", document_url AS "documentUrl",
    claimed_name AS "claimedName"
  FROM clients
  WHERE looks_version < :version ORDER BY looks_version, id LIMIT cast(:most AS bigint)`;

const setVersion = sql<Stored<VisibleSettings> & { version: number }>`
  UPDATE clients SET looks_version = :version
  WHERE id = :id AND looks_version < :version AND name = :name AND redirect_uris = :redirectUris
    AND home_page IS NOT DISTINCT FROM cast(:homePage AS text)
    AND document_url IS NOT DISTINCT FROM cast(:documentUrl AS text)
    AND claimed_name IS NOT DISTINCT FROM cast(:claimedName AS text)`;

export const deleteLooks = sql<{ clientId: string }>`
  DELETE FROM client_looks WHERE client_id = :clientId`;

const insertLooks = {
  sqlite: sql<{ clientId: string; looks: string }>`
    INSERT INTO client_looks (look, client_id, host)
    SELECT value ->> 'look', :clientId, value ->> 'host' FROM json_each(:looks)`,
  postgres: sql<{ clientId: string; looks: string }>`
    INSERT INTO client_looks (look, client_id, host)
    SELECT line.look, :clientId, line.host
    FROM json_to_recordset(cast(:looks AS json)) AS line (look text, host text)`,
};
