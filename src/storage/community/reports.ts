// Reports, as rows, and what becomes of what they are about.

import { sql as rawSql } from 'kysely';
import type {
  NewReport,
  OpenReports,
  Reportable,
  ReportStore,
  ReportSubject,
} from '../../community/report.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { noteOf } from '../audit/audit-events.ts';
import type { Database } from '../engine/database.ts';
import { type Bound, type Param, rowCount, statement } from '../engine/statement.ts';
import { removalOf } from './removal.ts';

export function reportRows(database: Database): ReportStore {
  async function findSubject({ postId, commentId }: ReportSubject): Promise<SubjectRow | undefined> {
    return commentId === undefined
      ? database.first(selectPost({ id: postId }))
      : database.first(selectComment({ id: commentId }));
  }

  return {
    async findReportable(of) {
      const row =
        'commentId' in of
          ? await database.first(selectComment({ id: of.commentId }))
          : await database.first(selectPost({ id: of.postId }));
      return row === undefined || isGone(row) ? undefined : reportableOf(row);
    },
    async addReport(report) {
      return (await database.atomically({ guard: insertReport(reportRow(report)) })).happened;
    },
    async openReports(most) {
      const rows = await database.rows(selectOpenReports({ limit: MOST_READ }));
      const bySubject = Map.groupBy(rows, (row) => `${row.post_id} ${row.comment_id}`);
      const groups = [...bySubject.values()].slice(0, most);
      const open: OpenReports[] = [];
      for (const group of groups) {
        const [first] = group;
        if (first === undefined) continue;
        const row = await findSubject({ postId: first.post_id, commentId: first.comment_id ?? undefined });
        // Deleted between the two reads, with the reports of it.
        if (row === undefined) continue;
        open.push({
          subject: reportableOf(row),
          isGone: isGone(row),
          reports: group.map((one) => ({
            reporterName: one.reporter_name,
            reason: one.reason,
            note: one.note,
            createdAt: one.created_at,
          })),
        });
      }
      return open;
    },
    async countOpenReports(most) {
      return Number((await database.first(countOpen({ most })))?.count ?? 0);
    },
    async removeReported({ subject, xp, weight, act }) {
      const { guard, effects } = removalOf(subject, { xp, weight, act });
      const outcome = await database.atomically({
        guard,
        effects: [...effects, closing(subject, 'removed', act.at, act.actorId)],
      });
      return outcome.happened;
    },
    async closeReports(subject, resolution, act) {
      const outcome = await database.atomically({
        guard: closing(subject, resolution, act.at, act.actorId),
        effects: noteOf(act, {
          action: resolution === 'kept' ? 'report.keep' : 'report.close',
          subjectKind: subject.commentId === undefined ? 'post' : 'comment',
          subjectId: subject.commentId ?? subject.postId,
        }),
      });
      return outcome.happened;
    },
  };
}

// Of the reports that have waited longest; the others come when these are decided.
const MOST_READ = 200;
// Enough to judge by; the whole is a link away.
const SHOWN_CHARACTERS = 2000;

const insertReport = statement((sql, p: Param<ReturnType<typeof reportRow>>) =>
  sql
    .insertInto('reports')
    .values({
      reporter_id: p('reporter_id'),
      post_id: p('post_id'),
      comment_id: p('comment_id'),
      reason: p('reason'),
      note: p('note'),
      created_at: p('created_at'),
    })
    .onConflict((conflict) => conflict.doNothing()),
);

const selectOpenReports = statement((sql, p: Param<{ limit: number }>) =>
  sql
    .selectFrom('reports')
    .innerJoin('users', 'users.id', 'reports.reporter_id')
    .selectAll('reports')
    .select('users.username as reporter_name')
    .where('reports.resolved_at', 'is', null)
    .orderBy('reports.created_at')
    .orderBy('reports.id')
    .limit(rowCount(p('limit'))),
);

const countOpen = statement((sql, p: Param<{ most: number }>) =>
  sql
    .selectFrom((of) =>
      of
        .selectFrom('reports')
        .select('reports.id')
        .where('reports.resolved_at', 'is', null)
        .limit(rowCount(p('most')))
        .as('some'),
    )
    .select((of) => of.fn.countAll<number>().as('count')),
);

const selectPost = statement((sql, p: Param<{ id: number }>) =>
  sql
    .selectFrom('posts')
    .innerJoin('users', 'users.id', 'posts.user_id')
    .select([
      ...(['posts.id as post_id', 'posts.status as post_status', 'posts.title', 'posts.user_id'] as const),
      'users.username',
      rawSql<number | null>`cast(null as bigint)`.as('comment_id'),
      rawSql<string>`posts.status`.as('own_status'),
      rawSql<string>`substr(posts.body, 1, ${rawSql.lit(SHOWN_CHARACTERS)})`.as('text'),
    ])
    .where('posts.id', '=', p('id')),
);

const selectComment = statement((sql, p: Param<{ id: number }>) =>
  sql
    .selectFrom('comments')
    .innerJoin('posts', 'posts.id', 'comments.post_id')
    .innerJoin('users', 'users.id', 'comments.user_id')
    .select([
      ...(['posts.id as post_id', 'posts.status as post_status', 'posts.title', 'comments.user_id'] as const),
      'users.username',
      rawSql<number | null>`comments.id`.as('comment_id'),
      rawSql<string>`comments.status`.as('own_status'),
      rawSql<string>`substr(comments.body, 1, ${rawSql.lit(SHOWN_CHARACTERS)})`.as('text'),
    ])
    .where('comments.id', '=', p('id')),
);

type SubjectRow = NonNullable<ReturnType<typeof selectPost>['rowType']>;

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

interface Closing {
  postId: number;
  at: Timestamp;
  by: number | null;
  resolution: 'removed' | 'kept';
}

function closing(
  { postId, commentId }: ReportSubject,
  resolution: 'removed' | 'kept',
  at: Timestamp,
  actorId: number | undefined,
): Bound<unknown> {
  const how = { postId, at, by: actorId ?? null, resolution };
  // With a post go its comments: nobody sees them any more.
  if (commentId === undefined && resolution === 'removed') return closeReportsBelow(how);
  return closeReportsOf({ ...how, commentKey: commentId ?? 0 });
}

const closeReportsBelow = statement((sql, p: Param<Closing>) =>
  sql
    .updateTable('reports')
    .set({ resolved_at: p('at'), resolved_by: p('by'), resolution: p('resolution') })
    .where('post_id', '=', p('postId'))
    .where('resolved_at', 'is', null),
);

const closeReportsOf = statement((sql, p: Param<Closing & { commentKey: number }>) =>
  sql
    .updateTable('reports')
    .set({ resolved_at: p('at'), resolved_by: p('by'), resolution: p('resolution') })
    .where('post_id', '=', p('postId'))
    // As in the index.
    .where(rawSql<number>`coalesce(comment_id, 0)`, '=', p('commentKey'))
    .where('resolved_at', 'is', null),
);

function reportRow(report: NewReport) {
  return {
    reporter_id: report.reporterId,
    post_id: report.postId,
    comment_id: report.commentId ?? null,
    reason: report.reason,
    note: report.note,
    created_at: report.at,
  };
}
