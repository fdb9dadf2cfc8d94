// Open reports: their number, and the mails that tell operators and moderators of new ones.

import { HOUR, type Timestamp } from '../../lib/clock.ts';
import { type Bound, fragment, sql } from '../engine/sql.ts';

export const countOpenReports = sql<{ most: number }, { count: number }>`
  SELECT count(*) AS count
  FROM (SELECT id FROM reports WHERE resolved_at IS NULL LIMIT cast(:most AS bigint)) AS open_reports`;

/** The effects of a new report: a mail to each operator and moderator with an address, at most one an hour. */
export function mailsAboutReport(at: Timestamp): Bound<unknown>[] {
  return [insertReportMails({ at, hour: HOUR }), noteReportMails()];
}

// Each role has an index of its own. A condition for either would read all members.
const IS_MODERATING = fragment`
  users.id IN (
    SELECT id FROM users WHERE is_operator = 1 UNION ALL SELECT id FROM users WHERE is_moderator = 1)
  AND users.status = 'active' AND users.email IS NOT NULL`;

// A mail that waits counts the reports when it is sent, so it covers this report too.
const insertReportMails = sql<{ at: Timestamp; hour: number }>`
  INSERT INTO mails (purpose, user_id, email, language, created_at, next_attempt_at)
  SELECT 'new_reports', member.id, member.email, coalesce(member.language, 'en'), member.due, member.due
  FROM (
    SELECT id, email, language,
      CASE WHEN reports_mailed_at + :hour > :at THEN reports_mailed_at + :hour ELSE :at END AS due
    FROM users
    WHERE ${IS_MODERATING}
  ) AS member
  WHERE NOT EXISTS (
    SELECT 1 FROM mails WHERE mails.user_id = member.id AND mails.purpose = 'new_reports'
      AND mails.given_up_at IS NULL
  )`;

const noteReportMails = sql`
  UPDATE users SET reports_mailed_at = (
    SELECT max(mails.created_at) FROM mails
    WHERE mails.user_id = users.id AND mails.purpose = 'new_reports'
  )
  WHERE ${IS_MODERATING}`;
