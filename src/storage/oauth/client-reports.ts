// Members' reports of applications, as rows.

import type { Timestamp } from '../../lib/clock.ts';
import type {
  ClientReport,
  ClientReportReads,
  ClientReportWrites,
  OpenClientReports,
  OwnClientReport,
} from '../../oauth/client-report-store.ts';
import { entry, ownAct } from '../audit/audit-trail.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { sql } from '../engine/sql.ts';
import { IS_ACTIVE } from '../identity/users.ts';

export function clientReportRows(database: Database): ClientReportReads & ClientReportWrites {
  return {
    async openClientReports() {
      const rows = await database.rows(selectOpenReports());
      return [...Map.groupBy(rows, ({ clientId }) => clientId).values()].flatMap(openReportsOf);
    },
    async countOpenClientReports(most) {
      return (await database.first(countOpenReports({ most })))?.count ?? 0;
    },
    async clientReportsBy(userId, most) {
      return database.rows(selectReportsBy({ userId, most }));
    },
    async addClientReport(by, report) {
      const guard = upsertReport({ ...report, userId: by.userId, at: by.at });
      return runGuarded(database, { audit: ownAct(by), guard });
    },
    async closeClientReports(by, clientId) {
      const audit = entry(by, { action: 'client.close_reports', subject: { kind: 'client', id: clientId } });
      return runGuarded(database, { audit, guard: closeReports({ clientId, at: by.at, by: by.userId }) });
    },
  };
}

interface ReportRow extends ClientReport {
  clientId: string;
  clientName: string;
  clientStatus: OpenClientReports['clientStatus'];
}

function openReportsOf(rows: ReportRow[]): OpenClientReports[] {
  const [first] = rows;
  if (first === undefined) return [];
  const reports = rows.map(({ reporterName, reason, note, createdAt }) => ({
    reporterName,
    reason,
    note,
    createdAt,
  }));
  const { clientId, clientName, clientStatus } = first;
  return [{ clientId, clientName, clientStatus, reports }];
}

const selectReportsBy = sql<{ userId: number; most: number }, OwnClientReport>`
  SELECT client_id AS "clientId", reason, note, created_at AS "createdAt", closed_at AS "closedAt"
  FROM client_reports
  WHERE reporter_id = :userId
  ORDER BY created_at LIMIT cast(:most AS bigint)`;

// The next ones appear when operators have closed these.
const selectOpenReports = sql<void, ReportRow>`
  SELECT client_reports.client_id AS "clientId", clients.name AS "clientName", clients.status AS "clientStatus",
    users.username AS "reporterName", client_reports.reason, client_reports.note,
    client_reports.created_at AS "createdAt"
  FROM client_reports
  JOIN clients ON clients.id = client_reports.client_id
  JOIN users ON users.id = client_reports.reporter_id
  WHERE client_reports.closed_at IS NULL
  ORDER BY client_reports.created_at, client_reports.reporter_id LIMIT 200`;

const countOpenReports = sql<{ most: number }, { count: number }>`
  SELECT count(*) AS count
  FROM (SELECT client_id FROM client_reports WHERE closed_at IS NULL LIMIT cast(:most AS bigint)) AS open_reports`;

interface NewReport {
  clientId: string;
  reason: string;
  note: string;
  userId: number;
  at: Timestamp;
}

const upsertReport = sql<NewReport>`
  INSERT INTO client_reports (client_id, reporter_id, reason, note, created_at)
  SELECT :clientId, :userId, :reason, :note, :at
  WHERE ${IS_ACTIVE}
  ON CONFLICT (client_id, reporter_id) DO UPDATE SET
    reason = excluded.reason, note = excluded.note, created_at = excluded.created_at,
    closed_at = NULL, closed_by = NULL
  WHERE client_reports.closed_at IS NOT NULL`;

const closeReports = sql<{ clientId: string; at: Timestamp; by: number }>`
  UPDATE client_reports SET closed_at = :at, closed_by = :by
  WHERE client_id = :clientId AND closed_at IS NULL`;
