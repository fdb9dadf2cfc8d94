// Comments, as rows: the reads. A list begins at a comment's id.

import type {
  Comment,
  CommentInFeed,
  CommentInPlace,
  CommentReads,
  CommentSize,
  ReplySize,
} from '../../community/comment-store.ts';
import type { Database } from '../engine/database.ts';
import { type Fragment, fragment, sql } from '../engine/sql.ts';
import { IS_LISTED } from './listed-ids.ts';
import { IS_OF_OPEN_ACCOUNT, IS_PUBLIC } from './visibility.ts';

export function commentLists(database: Database): CommentReads {
  return {
    findComment: async (id) => database.first(selectComment({ id })),
    findOwnComment: async (id, userId) => database.first(selectOwnComment({ id, userId })),
    findTopComment: async (id) => database.first(selectTopComment({ id })),
    topComments: async (postId, from, limit) => database.rows(selectTopComments({ postId, from, limit })),
    topCommentsBefore: async (postId, before, limit) =>
      database.rows(selectTopCommentsBefore({ postId, before, limit })),
    firstReplies: async (topIds, each) =>
      database.rows(selectFirstReplies[database.dialect]({ ids: JSON.stringify(topIds), each })),
    repliesTo: async (topId, from, limit) => database.rows(selectReplies({ topId, from, limit })),
    repliesBefore: async (topId, before, limit) =>
      database.rows(selectRepliesBefore({ topId, before, limit })),
    newestComments: async (limit) => database.rows(selectNewest({ limit })),
    newestCommentsOn: async (postId, limit) => database.rows(selectNewestOn({ postId, limit })),
    comments: async (ids) => database.rows(selectComments[database.dialect]({ ids: JSON.stringify(ids) })),
  };
}

// The row of a removed comment still has the text.
const COLUMNS = fragment`
  comments.id, comments.post_id AS "postId", comments.parent_id AS "parentId", comments.user_id AS "userId",
  users.username AS "authorName", users.avatar AS "authorAvatar", comments.status,
  CASE WHEN comments.status = 'removed' THEN '' ELSE comments.body END AS body,
  CASE WHEN comments.status = 'removed' THEN '' ELSE comments.html END AS html,
  comments.html_version AS "htmlVersion",
  comments.created_at AS "createdAt", comments.edited_at AS "editedAt"`;

const AUTHORS = fragment`
  JOIN users ON users.id = comments.user_id AND (users.status <> 'closed' OR comments.status = 'removed')`;

// Of published comments. Both databases know the length in bytes without reading the text.
const SIZE = fragment`
  comments.id, coalesce(octet_length(comments.html), octet_length(comments.body)) AS bytes`;

// A removed comment shows only above its replies. The subquery reads one value, because for EXISTS PostgreSQL
// may list all comments that have replies.
const HAS_REPLIES = fragment`
  (SELECT reply.id FROM comments AS reply
    WHERE reply.parent_id = comments.id AND reply.status = 'published' LIMIT 1) IS NOT NULL`;

const IS_VISIBLE_TOP = fragment`
  comments.parent_id IS NULL AND (comments.status = 'published' OR ${HAS_REPLIES})`;

const COMMENT_IN_PLACE = fragment`
  SELECT ${COLUMNS}, posts.title AS "postTitle", posts.user_id AS "postUserId", posts.locked_at AS "postLockedAt"
  FROM comments ${AUTHORS}
  JOIN posts ON posts.id = comments.post_id AND ${IS_PUBLIC}`;

const selectComment = sql<{ id: number }, CommentInPlace>`
  ${COMMENT_IN_PLACE}
  WHERE comments.id = :id AND comments.status = 'published'`;

// The texts are read only if the reader has an older feed.
const COMMENT_IN_FEED = fragment`
  SELECT ${SIZE}, users.username AS "authorName", posts.title AS "postTitle",
    comments.created_at AS "createdAt", comments.edited_at AS "editedAt"
  FROM comments ${AUTHORS}
  JOIN posts ON posts.id = comments.post_id AND ${IS_PUBLIC}`;

const selectNewest = sql<{ limit: number }, CommentInFeed>`
  ${COMMENT_IN_FEED}
  WHERE comments.status = 'published' AND ${IS_OF_OPEN_ACCOUNT}
  ORDER BY comments.id DESC LIMIT cast(:limit AS bigint)`;

const selectNewestOn = sql<{ postId: number; limit: number }, CommentInFeed>`
  ${COMMENT_IN_FEED}
  WHERE comments.post_id = :postId AND comments.status = 'published' AND ${IS_OF_OPEN_ACCOUNT}
  ORDER BY comments.id DESC LIMIT cast(:limit AS bigint)`;

const selectOwnComment = sql<{ id: number; userId: number }, CommentInPlace>`
  ${COMMENT_IN_PLACE}
  WHERE comments.id = :id AND comments.user_id = :userId AND comments.status IN ('published', 'waiting')`;

const selectTopComment = sql<{ id: number }, CommentInPlace>`
  ${COMMENT_IN_PLACE}
  WHERE comments.id = :id AND ${IS_VISIBLE_TOP}`;

interface TopList {
  postId: number;
  limit: number;
}

// Removed comments are found from their replies, so those without any cost nothing, however many there are. Each step
// goes to the next comment that has replies, and over all of its replies at once. The first of both lists are enough:
// no other comment comes before them. The join is a cross join, because SQLite would begin with the comments otherwise.
function topList(range: Fragment, order: Fragment, answered: Record<'first' | 'next', Fragment>): Fragment {
  return fragment`
    SELECT tops.id, tops.bytes FROM (
      SELECT * FROM (
        SELECT ${SIZE} FROM comments
        WHERE comments.post_id = :postId AND ${range} AND comments.parent_id IS NULL
          AND comments.status = 'published' AND ${IS_OF_OPEN_ACCOUNT}
        ORDER BY ${order} LIMIT cast(:limit AS bigint)) AS published_ones
      UNION ALL SELECT * FROM (
        WITH RECURSIVE answered (id, place) AS (
          SELECT ${answered.first}, 1
          UNION ALL SELECT ${answered.next}, answered.place + 1 FROM answered
          WHERE answered.id IS NOT NULL AND answered.place < cast(:limit AS bigint))
        SELECT comments.id, 0 AS bytes FROM answered CROSS JOIN comments
        WHERE comments.id = answered.id AND comments.parent_id IS NULL AND comments.status = 'removed'
      ) AS removed_ones
    ) AS tops`;
}

function answeredId(range: Fragment, order: Fragment): Fragment {
  return fragment`(
    SELECT reply.parent_id FROM comments AS reply
    WHERE reply.post_id = :postId AND ${range} AND reply.status = 'published'
    ORDER BY ${order} LIMIT 1)`;
}

const ONWARD = fragment`reply.parent_id`;
const BACK = fragment`reply.parent_id DESC`;

const selectTopComments = sql<TopList & { from: number }, CommentSize>`
  ${topList(fragment`comments.id >= :from`, fragment`comments.id`, {
    first: answeredId(fragment`reply.parent_id >= :from`, ONWARD),
    next: answeredId(fragment`reply.parent_id > answered.id`, ONWARD),
  })}
  ORDER BY tops.id LIMIT cast(:limit AS bigint)`;

const selectTopCommentsBefore = sql<TopList & { before: number }, CommentSize>`
  ${topList(fragment`comments.id < :before`, fragment`comments.id DESC`, {
    first: answeredId(fragment`reply.parent_id < :before`, BACK),
    next: answeredId(fragment`reply.parent_id < answered.id`, BACK),
  })}
  ORDER BY tops.id DESC LIMIT cast(:limit AS bigint)`;

// From each top comment to its first replies.
function firstReplies(replies: Fragment, areThese: Fragment): Fragment {
  return fragment`
    SELECT ${SIZE}, top.id AS "parentId"
    FROM comments AS top ${replies}
    WHERE top.id ${areThese} AND ${IS_OF_OPEN_ACCOUNT}
    ORDER BY comments.id`;
}

function earlyReplies(columns: Fragment): Fragment {
  return fragment`(
    SELECT ${columns} FROM comments AS early
    WHERE early.parent_id = top.id AND early.status = 'published'
    ORDER BY early.id LIMIT cast(:each AS bigint)
  )`;
}

// SQLite has no lateral joins. With its join, PostgreSQL may look at all replies.
const FIRST_REPLIES = {
  sqlite: fragment`
    JOIN comments ON comments.parent_id = top.id AND comments.id IN ${earlyReplies(fragment`early.id`)}`,
  postgres: fragment`CROSS JOIN LATERAL ${earlyReplies(fragment`early.*`)} AS comments`,
};

interface OfTops {
  ids: string;
  each: number;
}

const selectFirstReplies = {
  sqlite: sql<OfTops, ReplySize>`${firstReplies(FIRST_REPLIES.sqlite, IS_LISTED.sqlite)}`,
  postgres: sql<OfTops, ReplySize>`${firstReplies(FIRST_REPLIES.postgres, IS_LISTED.postgres)}`,
};

const selectReplies = sql<{ topId: number; from: number; limit: number }, CommentSize>`
  SELECT ${SIZE}
  FROM comments
  WHERE comments.parent_id = :topId AND comments.id >= :from AND comments.status = 'published'
    AND ${IS_OF_OPEN_ACCOUNT}
  ORDER BY comments.id LIMIT cast(:limit AS bigint)`;

const selectRepliesBefore = sql<{ topId: number; before: number; limit: number }, CommentSize>`
  SELECT ${SIZE}
  FROM comments
  WHERE comments.parent_id = :topId AND comments.id < :before AND comments.status = 'published'
    AND ${IS_OF_OPEN_ACCOUNT}
  ORDER BY comments.id DESC LIMIT cast(:limit AS bigint)`;

function comments(areThese: Fragment): Fragment {
  return fragment`
    SELECT ${COLUMNS}
    FROM comments ${AUTHORS}
    WHERE comments.id ${areThese}
    ORDER BY comments.id`;
}

const selectComments = {
  sqlite: sql<{ ids: string }, Comment>`${comments(IS_LISTED.sqlite)}`,
  postgres: sql<{ ids: string }, Comment>`${comments(IS_LISTED.postgres)}`,
};
