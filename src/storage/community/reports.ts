// Reports, as rows, and the acts that close them.

import type { Moderating } from '../../audit/doer.ts';
import type { PostStatus } from '../../community/post-store.ts';
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
import { type Database, runGuarded } from '../engine/database.ts';
import { type Bound, fragment, sql } from '../engine/sql.ts';
import { IS_ACTIVE } from '../identity/users.ts';
import { countOpenReports, mailsAboutReport } from './open-reports.ts';
import { IS_OF_OPEN_ACCOUNT, IS_PUBLIC } from './visibility.ts';

export function reportRows(database: Database): ReportStore {
  function findSubject({ postId, commentId }: ReportSubject): Awaitable<SubjectRow | undefined> {
    return database.first(commentId === undefined ? selectPost({ postId }) : selectComment({ commentId }));
  }

  return {
    async findReported(of) {
      const row = await findSubject(of);
      return row && stateOf(row).subject;
    },
    async findReportable(of) {
      const row = await database.first('commentId' in of ? selectComment(of) : selectPost(of));
      if (row === undefined) return undefined;
      const { subject, isGone } = stateOf(row);
      return isGone ? undefined : subject;
    },
    async addReport(by, report) {
      const guard = insertReport({ ...report, userId: by.userId, at: by.at });
      return runGuarded(database, { audit: ownAct(by), guard, effects: mailsAboutReport(by.at) });
    },
    async openReports(most, withoutAuthor) {
      const rows = await database.rows(selectOpenReports());
      const bySubject = Map.groupBy(rows, (row) => `${row.postId} ${row.commentId}`);
      const open: OpenReports[] = [];
      for (const reports of bySubject.values()) {
        if (open.length === most) break;
        const [oldest] = reports;
        const subject = oldest && (await findSubject(oldest));
        // Undefined if the subject and its reports were deleted between the two reads.
        if (subject === undefined || subject.authorId === withoutAuthor) continue;
        open.push({ ...stateOf(subject), reports: reports.map(reportOf) });
      }
      return open;
    },
    async countOpenReports(most) {
      return (await database.first(countOpenReports({ most })))?.count ?? 0;
    },
    async closeReports(by, subject, resolution) {
      const { postId, commentId } = subject;
      const action = resolution === 'kept' ? 'report.keep' : 'report.close';
      const kind = commentId === undefined ? 'post' : 'comment';
      const audit = entry(by, { action, subject: { kind, id: String(commentId ?? postId) } });
      return runGuarded(database, { audit, guard: resolve(by, subject, resolution) });
    },
  };
}

const insertReport = sql<NewReport & { userId: number; at: Timestamp }>`
  INSERT INTO reports (reporter_id, post_id, comment_id, reason, note, created_at)
  SELECT :userId, :postId, :commentId, :reason, :note, :at
  WHERE ${IS_ACTIVE}
  ON CONFLICT DO NOTHING`;

// The reports that have waited longest, but first one of each reporter: nobody keeps the reports of others from being
// seen by many of their own. The next ones appear when operators have closed these.
const selectOpenReports = sql<void, Report & ReportSubject>`
  SELECT reports.post_id AS "postId", reports.comment_id AS "commentId",
    users.username AS "reporterName", reports.reason, reports.note, reports.created_at AS "createdAt"
  FROM (
    SELECT id, row_number() OVER (PARTITION BY reporter_id ORDER BY created_at, id) AS turn, created_at
    FROM (
      SELECT id, reporter_id, created_at FROM reports WHERE resolved_at IS NULL ORDER BY created_at LIMIT 5000
    ) AS waiting
    ORDER BY turn, created_at, id LIMIT 200
  ) AS open
  JOIN reports ON reports.id = open.id
  JOIN users ON users.id = reports.reporter_id
  ORDER BY open.turn, open.created_at, open.id`;

/** A post, or a comment with its post. */
interface SubjectRow extends Reportable {
  postStatus: PostStatus;
  ownStatus: PostStatus;
}

const POST_STATUS = fragment`
  CASE WHEN posts.status = 'published' AND NOT (${IS_PUBLIC}) THEN 'removed' ELSE posts.status END`;

// The beginning of the text is usually enough to decide, and a link leads to the whole. The texts of a closed account
// are removed in steps, and count as removed before.
const selectPost = sql<{ postId: number }, SubjectRow>`
  SELECT posts.id AS "postId", cast(NULL AS bigint) AS "commentId",
    posts.user_id AS "authorId", users.username AS "authorName",
    posts.title AS "postTitle", substr(posts.body, 1, 2000) AS text,
    ${POST_STATUS} AS "postStatus", ${POST_STATUS} AS "ownStatus"
  FROM posts JOIN users ON users.id = posts.user_id
  WHERE posts.id = :postId`;

const selectComment = sql<{ commentId: number }, SubjectRow & { commentId: number }>`
  SELECT posts.id AS "postId", comments.id AS "commentId",
    comments.user_id AS "authorId", users.username AS "authorName",
    posts.title AS "postTitle", substr(comments.body, 1, 2000) AS text,
    ${POST_STATUS} AS "postStatus",
    CASE WHEN ${IS_OF_OPEN_ACCOUNT} THEN comments.status ELSE 'removed' END AS "ownStatus"
  FROM comments
  JOIN posts ON posts.id = comments.post_id
  JOIN users ON users.id = comments.user_id
  WHERE comments.id = :commentId`;

/**
 * Close a subject's open reports. A post's removal also closes those of its comments, which it hides, but none of a
 * comment that the moderator wrote: the post can be restored.
 */
export function resolve(by: Moderating, subject: ReportSubject, resolution: Resolution): Bound<unknown> {
  const { postId, commentId } = subject;
  const values = { postId, resolution, at: by.at, by: by.userId };
  if (commentId === undefined && resolution === 'removed') {
    return by.kind === 'moderator' ? resolveOthersOnPost(values) : resolveOnPost(values);
  }
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

const resolveOnPost = sql<Resolved>`${RESOLVE_ON_POST}`;

const resolveOthersOnPost = sql<Resolved>`
  ${RESOLVE_ON_POST} AND NOT EXISTS (
    SELECT 1 FROM comments WHERE comments.id = reports.comment_id AND comments.user_id = :by)`;

// The comment is compared as in the unique index.
const resolveSubject = sql<Resolved & { commentKey: number }>`
  ${RESOLVE_ON_POST} AND coalesce(comment_id, 0) = :commentKey`;

function stateOf({ postStatus, ownStatus, ...subject }: SubjectRow): Omit<OpenReports, 'reports'> {
  return { subject, isGone: postStatus !== 'published' || ownStatus !== 'published' };
}

function reportOf({ reporterName, reason, note, createdAt }: Report): Report {
  return { reporterName, reason, note, createdAt };
}
