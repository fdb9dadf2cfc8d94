// The lines of the request inspector. The key of a row begins with its application, whose lines are read, trimmed and
// deleted together.

import type {
  RequestInspectorReads,
  RequestInspectorWrites,
  RequestLine,
} from '../../oauth/request-inspector-store.ts';
import { NO_ENTRY } from '../audit/audit-trail.ts';
import type { Database } from '../engine/database.ts';
import { type Bound, type Dialect, fragment, sql } from '../engine/sql.ts';

export function requestLines(database: Database): RequestInspectorReads & RequestInspectorWrites {
  return {
    async requestLines(clientId, limit) {
      const rows = await database.rows(selectLines({ clientId, limit }));
      return rows.map(({ facts, ...row }) => ({ ...row, facts: JSON.parse(facts) }));
    },
    async requestsVersion(clientId) {
      return (await database.first(selectVersion({ clientId })))?.version ?? 0;
    },
    async addRequestLines(clientId, lines, trimTo) {
      const effects = [...additionOf[database.dialect](lines), raiseVersion({ clientId })];
      if (trimTo !== undefined) effects.push(deleteExcess({ clientId, ...trimTo }));
      await database.atomically({ audit: NO_ENTRY, guard: selectClient({ clientId }), effects });
    },
  };
}

type Row = Omit<RequestLine, 'facts'> & { facts: string };

const COLUMNS = fragment`
  client_id, minute, id, kind, facts, network, program, requests, first_at, last_at`;

const selectLines = sql<{ clientId: string; limit: number }, Row>`
  SELECT client_id AS "clientId", minute, id, kind, facts, network, program, requests,
    first_at AS "firstAt", last_at AS "lastAt"
  FROM request_lines WHERE client_id = :clientId
  ORDER BY last_at DESC, first_at DESC, id LIMIT cast(:limit AS bigint)`;

const selectVersion = sql<{ clientId: string }, { version: number }>`
  SELECT version FROM request_versions WHERE client_id = :clientId`;

// Streams of events look once a second, and the lines of an application can have hundreds of kilobytes.
const raiseVersion = sql<{ clientId: string }>`
  INSERT INTO request_versions (client_id, version) VALUES (:clientId, 1)
  ON CONFLICT (client_id) DO UPDATE SET version = request_versions.version + 1`;

const selectClient = sql<{ clientId: string }, { id: string }>`
  SELECT id FROM clients WHERE id = :clientId AND (deactivation IS NULL OR deactivation <> 'deleted')`;

const ADD_NUMBERS = fragment`
  ON CONFLICT (client_id, minute, id) DO UPDATE SET
    requests = request_lines.requests + excluded.requests,
    first_at = CASE WHEN excluded.first_at < request_lines.first_at THEN excluded.first_at
      ELSE request_lines.first_at END,
    last_at = CASE WHEN excluded.last_at > request_lines.last_at THEN excluded.last_at
      ELSE request_lines.last_at END`;

const upsertLines = {
  sqlite: sql<Row>`
    INSERT INTO request_lines (${COLUMNS})
    VALUES (:clientId, :minute, :id, :kind, :facts, :network, :program, :requests, :firstAt, :lastAt)
    ${ADD_NUMBERS}`,
  // In one order, so that two machines don't wait for each other.
  postgres: sql<{ lines: string }>`
    INSERT INTO request_lines (${COLUMNS})
    SELECT line."clientId", line.minute, line.id, line.kind, line.facts, line.network, line.program,
      line.requests, line."firstAt", line."lastAt"
    FROM json_to_recordset(cast(:lines AS json)) AS line (
      "clientId" text, minute bigint, id text, kind text, facts text, network text, program text,
      requests bigint, "firstAt" bigint, "lastAt" bigint)
    ORDER BY line."clientId", line.minute, line.id
    ${ADD_NUMBERS}`,
};

// PostgreSQL needs one round trip for all lines.
const additionOf: Record<Dialect, (lines: readonly RequestLine[]) => Bound<unknown>[]> = {
  sqlite: (lines) => lines.map((line) => upsertLines.sqlite(rowOf(line))),
  postgres: (lines) => [upsertLines.postgres({ lines: JSON.stringify(lines.map(rowOf)) })],
};

function rowOf({ facts, ...line }: RequestLine): Row {
  return { ...line, facts: JSON.stringify(facts) };
}

// The newest lines of each kind come first, and then the others by their age.
const deleteExcess = sql<{ clientId: string; most: number; keep: number }>`
  DELETE FROM request_lines WHERE client_id = :clientId AND (minute, id) IN (
    SELECT minute, id FROM (
      SELECT minute, id, row_number() OVER (ORDER BY
        CASE WHEN place <= cast(:keep AS bigint) THEN 0 ELSE 1 END, last_at DESC, id) AS rank
      FROM (
        SELECT minute, id, last_at, row_number() OVER (PARTITION BY kind ORDER BY last_at DESC, id) AS place
        FROM request_lines WHERE client_id = :clientId) AS placed) AS ranked
    WHERE rank > cast(:most AS bigint))`;
