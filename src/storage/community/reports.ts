// Reports, as rows, and the acts that close them.

import type { MemberDoer, OperatorDoer } from '../../audit/doer.ts';
import type {
  NewReport,
  OpenReports,
  Report,
  Reportable,
  ReportStore,
  ReportSubject,
} from '../../community/report-store.ts';
import type { Awaitable } from '../../lib/awaitable.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { entry, ownAct } from '../audit/audit-trail.ts';
import type { Database } from '../engine/database.ts';
import { type Bound, fragment, sql } from '../engine/sql.ts';
import { removalOf } from './removal.ts';

export function reportRows(database: Database): ReportStore {
  function findSubject(report: ReportRow): Awaitable<SubjectRow | undefined> {
    const { post_id: postId, comment_id: commentId } = report;
    return database.first(commentId === null ? selectPost({ postId }) : selectComment({ commentId }));
  }

  return {
    async findReportable(subject) {
      const row = await database.first('commentId' in subject ? selectComment(subject) : selectPost(subject));
      return row === undefined || isGone(row) ? undefined : reportableOf(row);
    },
    async addReport(by, report) {
      const guard = insertReport(reportRow(by, report));
      return (await database.atomically({ audit: ownAct(by), guard })).happened;
    },
    async openReports(most) {
      const rows = await database.rows(selectOpenReports());
      const bySubject = Map.groupBy(rows, (row) => `${row.post_id} ${row.comment_id}`);
      const open: OpenReports[] = [];
      for (const reports of [...bySubject.values()].slice(0, most)) {
        const [oldest] = reports;
        const subject = oldest && (await findSubject(oldest));
        // Undefined where the subject was deleted between the two reads, with its reports.
        if (subject === undefined) continue;
        open.push({
          subject: reportableOf(subject),
          isGone: isGone(subject),
          reports: reports.map(reportOf),
        });
      }
      return open;
    },
    async countOpenReports(most) {
      return (await database.first(countOpen({ most })))?.count ?? 0;
    },
    async removeReported(by, removal) {
      const { audit, guard, effects } = removalOf(by, removal);
      const resolved = resolve(by, removal.subject, 'removed');
      return (await database.atomically({ audit, guard, effects: [...effects, resolved] })).happened;
    },
    async closeReports(by, subject, resolution) {
      const { postId, commentId } = subject;
      const outcome = await database.atomically({
        audit: entry(by, {
          action: resolution === 'kept' ? 'report.keep' : 'report.close',
          subject: {
            kind: commentId === undefined ? 'post' : 'comment',
            id: String(commentId ?? postId),
          },
        }),
        guard: resolve(by, subject, resolution),
      });
      return outcome.happened;
    },
  };
}

interface NewReportRow {
  reporter_id: number;
  post_id: number;
  comment_id: number | null;
  reason: Report['reason'];
  note: string;
  created_at: Timestamp;
}

const insertReport = sql<NewReportRow>`
  INSERT INTO reports (reporter_id, post_id, comment_id, reason, note, created_at)
  VALUES (:reporter_id, :post_id, :comment_id, :reason, :note, :created_at)
  ON CONFLICT DO NOTHING`;

interface ReportRow {
  post_id: number;
  comment_id: number | null;
  reason: Report['reason'];
  note: string;
  created_at: Timestamp;
  reporter_name: string;
}

// The reports that have waited longest; the next ones follow when operators have closed these.
const selectOpenReports = sql<void, ReportRow>`
  SELECT reports.post_id, reports.comment_id, reports.reason, reports.note, reports.created_at,
    users.username AS reporter_name
  FROM reports JOIN users ON users.id = reports.reporter_id
  WHERE reports.resolved_at IS NULL
  ORDER BY reports.created_at, reports.id
  LIMIT 200`;

const countOpen = sql<{ most: number }, { count: number }>`
  SELECT count(*) AS count
  FROM (SELECT id FROM reports WHERE resolved_at IS NULL LIMIT cast(:most AS bigint)) AS open_reports`;

/** A post, or a comment with its post. */
interface SubjectRow {
  post_id: number;
  comment_id: number | null;
  post_status: 'draft' | 'published' | 'removed';
  own_status: 'draft' | 'published' | 'removed';
  title: string;
  user_id: number;
  username: string;
  text: string;
}

// The beginning of the text is enough to judge by; a link leads to the whole.
const selectPost = sql<{ postId: number }, SubjectRow>`
  SELECT posts.id AS post_id, cast(NULL AS bigint) AS comment_id,
    posts.status AS post_status, posts.status AS own_status,
    posts.title, posts.user_id, users.username, substr(posts.body, 1, 2000) AS text
  FROM posts JOIN users ON users.id = posts.user_id
  WHERE posts.id = :postId`;

const selectComment = sql<{ commentId: number }, SubjectRow & { comment_id: number }>`
  SELECT posts.id AS post_id, comments.id AS comment_id,
    posts.status AS post_status, comments.status AS own_status,
    posts.title, comments.user_id, users.username, substr(comments.body, 1, 2000) AS text
  FROM comments
  JOIN posts ON posts.id = comments.post_id
  JOIN users ON users.id = comments.user_id
  WHERE comments.id = :commentId`;

/**
 * Close the open reports of a subject. A post's removal also closes those of its comments, which it hides.
 */
function resolve(
  { userId, at }: OperatorDoer,
  { postId, commentId }: ReportSubject,
  resolution: Resolution,
): Bound<unknown> {
  const values = { postId, resolution, at, by: userId };
  if (commentId === undefined && resolution === 'removed') return resolveOnPost(values);
  return resolveSubject({ ...values, commentKey: commentId ?? 0 });
}

type Resolution = 'removed' | 'kept';

interface Resolved {
  postId: number;
  resolution: Resolution;
  at: Timestamp;
  by: number;
}

const RESOLVE_ON_POST = fragment`
  UPDATE reports SET resolved_at = :at, resolved_by = :by, resolution = :resolution
  WHERE post_id = :postId AND resolved_at IS NULL`;

const resolveOnPost = sql<Resolved>`
  ${RESOLVE_ON_POST}`;

// The comment is compared as in the unique index.
const resolveSubject = sql<Resolved & { commentKey: number }>`
  ${RESOLVE_ON_POST} AND coalesce(comment_id, 0) = :commentKey`;

function isGone(row: SubjectRow): boolean {
  return row.post_status !== 'published' || row.own_status !== 'published';
}

function reportableOf(row: SubjectRow): Reportable {
  return {
    postId: row.post_id,
    commentId: row.comment_id ?? undefined,
    authorId: row.user_id,
    authorName: row.username,
    postTitle: row.title,
    text: row.text,
  };
}

function reportRow({ userId, at }: MemberDoer, report: NewReport): NewReportRow {
  return {
    reporter_id: userId,
    post_id: report.postId,
    comment_id: report.commentId ?? null,
    reason: report.reason,
    note: report.note,
    created_at: at,
  };
}

function reportOf(row: ReportRow): Report {
  return {
    reporterName: row.reporter_name,
    reason: row.reason,
    note: row.note,
    createdAt: row.created_at,
  };
}
