// Members' reports of applications, as rows.

import type { Timestamp } from '../../lib/clock.ts';
import type {
  ClientReport,
  ClientReportReads,
  ClientReportWrites,
  OpenClientReports,
  OwnClientReport,
  ReportedBefore,
} from '../../oauth/client-report-store.ts';
import { entry, ownAct } from '../audit/audit-trail.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';
import { IS_ACTIVE } from '../identity/users.ts';

export function clientReportRows(database: Database): ClientReportReads & ClientReportWrites {
  return {
    async openClientReports(before = { newestAt: LAST, clientId: '' }, { clients, reportsOfEach, counted }) {
      const rows = await database.rows(selectReportedClients({ ...before, most: clients, counted }));
      const withReports = async (client: ReportedClient) => ({
        ...client,
        reports: await database.rows(selectNewestReports({ clientId: client.clientId, most: reportsOfEach })),
      });
      return Promise.all(rows.map(withReports));
    },
    async countOpenClientReports(most) {
      return (await database.first(countOpenReports({ most })))?.count ?? 0;
    },
    async findClientReport(userId, clientId) {
      return database.first(selectReport({ userId, clientId }));
    },
    async clientReportsBy(userId, most) {
      return database.rows(selectReportsBy({ userId, most }));
    },
    async addClientReport(by, report, closedBefore) {
      const guard = upsertReport({ ...report, userId: by.userId, at: by.at, closedBefore });
      return runGuarded(database, { audit: ownAct(by), guard });
    },
    async closeClientReports(by, clientId) {
      const audit = entry(by, { action: 'client.close_reports', subject: { kind: 'client', id: clientId } });
      return runGuarded(database, { audit, guard: closeReports({ clientId, at: by.at, by: by.userId }) });
    },
  };
}

// No report is newer.
const LAST: Timestamp = Number.MAX_SAFE_INTEGER;

type ReportedClient = Omit<OpenClientReports, 'reports'>;

const OWN_REPORT = fragment`
  SELECT client_id AS "clientId", reason, note, created_at AS "createdAt", closed_at AS "closedAt"
  FROM client_reports`;

const selectReport = sql<{ userId: number; clientId: string }, OwnClientReport>`
  ${OWN_REPORT} WHERE client_id = :clientId AND reporter_id = :userId`;

const selectReportsBy = sql<{ userId: number; most: number }, OwnClientReport>`
  ${OWN_REPORT} WHERE reporter_id = :userId
  ORDER BY created_at LIMIT cast(:most AS bigint)`;

// Each application at its newest report, so that many reports of one take one place.
const selectReportedClients = sql<ReportedBefore & { most: number; counted: number }, ReportedClient>`
  SELECT newest.client_id AS "clientId", clients.name AS "clientName", clients.status AS "clientStatus",
    newest.created_at AS "newestAt", (
      SELECT count(*) FROM (
        SELECT 1 FROM client_reports AS one
        WHERE one.client_id = newest.client_id AND one.closed_at IS NULL
        LIMIT cast(:counted AS bigint)) AS some_reports) AS count
  FROM client_reports AS newest JOIN clients ON clients.id = newest.client_id
  WHERE newest.closed_at IS NULL
    AND (newest.created_at, newest.client_id) < (cast(:newestAt AS bigint), cast(:clientId AS text))
    AND NOT EXISTS (
      SELECT 1 FROM client_reports AS newer
      WHERE newer.client_id = newest.client_id AND newer.closed_at IS NULL
        AND (newer.created_at, newer.reporter_id) > (newest.created_at, newest.reporter_id))
  ORDER BY newest.created_at DESC, newest.client_id DESC LIMIT cast(:most AS bigint)`;

const selectNewestReports = sql<{ clientId: string; most: number }, ClientReport>`
  SELECT users.username AS "reporterName", client_reports.reason, client_reports.note,
    client_reports.created_at AS "createdAt"
  FROM client_reports JOIN users ON users.id = client_reports.reporter_id
  WHERE client_reports.client_id = :clientId AND client_reports.closed_at IS NULL
  ORDER BY client_reports.created_at DESC, client_reports.reporter_id DESC LIMIT cast(:most AS bigint)`;

const countOpenReports = sql<{ most: number }, { count: number }>`
  SELECT count(*) AS count
  FROM (SELECT client_id FROM client_reports WHERE closed_at IS NULL LIMIT cast(:most AS bigint)) AS open_reports`;

interface NewReport {
  clientId: string;
  reason: string;
  note: string;
  userId: number;
  at: Timestamp;
  closedBefore: Timestamp;
}

const upsertReport = sql<NewReport>`
  INSERT INTO client_reports (client_id, reporter_id, reason, note, created_at)
  SELECT :clientId, :userId, :reason, :note, :at
  WHERE ${IS_ACTIVE}
  ON CONFLICT (client_id, reporter_id) DO UPDATE SET
    reason = excluded.reason, note = excluded.note, created_at = excluded.created_at,
    closed_at = NULL, closed_by = NULL
  WHERE client_reports.closed_at <= :closedBefore`;

const closeReports = sql<{ clientId: string; at: Timestamp; by: number }>`
  UPDATE client_reports SET closed_at = :at, closed_by = :by
  WHERE client_id = :clientId AND closed_at IS NULL`;
