// Posts and comments that wait for approval, as rows. A waiting post is a draft with a time; a waiting comment has
// a status of its own, which no list reads.

import type { Moderating } from '../../audit/doer.ts';
import type {
  ApprovalReads,
  ApprovalWrites,
  ApprovedComment,
  DraftReview,
  WaitingComment,
  WaitingText,
} from '../../community/approval-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { entry, ownAct } from '../audit/audit-trail.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';
import { IS_ACTIVE, IS_ACTIVE_LOCKED } from '../identity/users.ts';
import { countComment } from './comments.ts';
import { mentionsInComment, mentionsInPost } from './mentions.ts';
import {
  deleteVerdicts,
  insertApprovedCommentNotification,
  insertApprovedReplyNotification,
  insertVerdict,
} from './notifications.ts';
import { updatePopularity } from './popularity.ts';
import { IS_ACTIVE_LOCKED_AFTER_POST, LOCKED_POST } from './post-lock.ts';
import { setWordsIfPublished } from './post-words.ts';
import { setTagsOf } from './tags.ts';
import { addXp } from './xp.ts';

export function approvalRows(database: Database): ApprovalReads & ApprovalWrites {
  const { dialect } = database;

  async function findWaitingText(
    of: { postId: number } | { commentId: number },
  ): Promise<WaitingText | undefined> {
    return 'commentId' in of
      ? database.first(selectWaitingComment(of))
      : database.first(selectWaitingPost(of));
  }

  return {
    isNewcomer: async (userId, most) =>
      (await database.first(selectNewcomer({ userId, most }))) !== undefined,
    async waitingTexts(most) {
      const waiting = await database.rows(selectWaiting({ most }));
      const texts = await Promise.all(
        waiting.map(async ({ postId, commentId }) =>
          findWaitingText(commentId === undefined ? { postId } : { commentId }),
        ),
      );
      // Some may have been decided on between the reads.
      return texts.filter((text) => text !== undefined);
    },
    findWaitingText,
    countWaitingTexts: async (most) => (await database.first(countWaiting({ most })))?.count ?? 0,
    async draftReviewsOf(userId) {
      const rows = await database.rows(selectReviews({ userId }));
      return rows.map(({ since, ...row }) => ({ ...row, isWaiting: since !== undefined }));
    },
    waitingCommentsOf: async (userId, postId, most) =>
      database.rows(selectCommentsOf({ userId, postId, most })),
    countWaitingCommentsOf: async (userId, most) =>
      (await database.first(countCommentsOf({ userId, most })))?.count ?? 0,

    async submitPost(by, id, version) {
      const { userId, at } = by;
      const guard = markWaiting[dialect]({ id, userId, at, version });
      return runGuarded(database, { audit: ownAct(by), guard });
    },
    async approvePost(by, id, authorId, { version, words, xp, mentioned }) {
      const { at } = by;
      return runGuarded(database, {
        audit: entry(by, { action: 'post.approve', subject: { kind: 'post', id: String(id) } }),
        guard: publishWaiting[dialect]({ id, userId: authorId, at, version }),
        effects: [
          setWordsIfPublished({ id, words }),
          ...setTagsOf(dialect, id),
          addXp({ userId: authorId, xp }),
          ...mentionsInPost(mentioned, { postId: id, actorId: authorId, at }),
          deleteVerdicts({ postId: id }),
          insertVerdict({ kind: 'approval', postId: id, commentId: undefined, at }),
        ],
      });
    },
    async returnPost(by, id, note) {
      return runGuarded(database, {
        audit: refusal(by, 'post', id, note),
        guard: markReturned({ id, note }),
        effects: [
          deleteVerdicts({ postId: id }),
          insertVerdict({ kind: 'refusal', postId: id, commentId: undefined, at: by.at }),
        ],
      });
    },
    async approveComment(by, { id, postId, authorId, version, xp, weight, mentioned }: ApprovedComment) {
      const { at } = by;
      const event = { commentId: id, actorId: authorId, at };
      return runGuarded(database, {
        audit: entry(by, { action: 'comment.approve', subject: { kind: 'comment', id: String(id) } }),
        guard: publishWaitingComment[dialect]({ id, postId, userId: authorId, version }),
        effects: [
          countComment({ postId }),
          addXp({ userId: authorId, xp }),
          insertApprovedReplyNotification(event),
          insertApprovedCommentNotification(event),
          ...mentionsInComment(mentioned, event),
          insertVerdict({ kind: 'approval', postId, commentId: id, at }),
          ...updatePopularity({ postId, weight }),
        ],
      });
    },
    async refuseComment(by, { postId, commentId: id }, note) {
      const { userId: moderatorId, at } = by;
      return runGuarded(database, {
        audit: refusal(by, 'comment', id, note),
        guard: removeWaitingComment({ id, note, moderatorId, at }),
        effects: [insertVerdict({ kind: 'refusal', postId, commentId: id, at })],
      });
    },
  };
}

function refusal(by: Moderating, kind: 'post' | 'comment', id: number, note: string) {
  return entry(by, { action: `${kind}.refuse`, subject: { kind, id: String(id) }, detail: { reason: note } });
}

// Counting stops at `:most`, since prolific members have thousands of posts.
const selectNewcomer = sql<{ userId: number; most: number }, { id: number }>`
  SELECT users.id FROM users
  WHERE users.id = :userId AND users.is_operator = 0 AND users.is_moderator = 0 AND (
    SELECT count(*) FROM (
      SELECT posts.id FROM posts
      WHERE posts.user_id = :userId AND posts.status = 'published' LIMIT cast(:most AS bigint)) AS published_posts
  ) + (
    SELECT count(*) FROM (
      SELECT comments.id FROM comments
      WHERE comments.user_id = :userId AND comments.status = 'published'
      LIMIT cast(:most AS bigint)) AS published_comments
  ) < cast(:most AS bigint)`;

const WAITING_POSTS = fragment`
  posts JOIN users ON users.id = posts.user_id AND users.status = 'active'
  JOIN categories ON categories.id = posts.category_id
  WHERE posts.waiting_since IS NOT NULL AND posts.status = 'draft'`;
const POST_SINCE = fragment`coalesce(posts.waiting_since, 0) AS since`;

// The post can be removed while the comment waits.
const WAITING_COMMENTS = fragment`
  comments
  JOIN users ON users.id = comments.user_id AND users.status = 'active'
  JOIN posts ON posts.id = comments.post_id AND posts.status = 'published'
  WHERE comments.status = 'waiting'`;
const COMMENT_SINCE = fragment`comments.created_at AS since`;

// Thousands can wait. Each part follows its index, and reads no text.
const WAITING = fragment`
  SELECT * FROM (
    SELECT posts.id AS "postId", cast(NULL AS bigint) AS "commentId", ${POST_SINCE} FROM ${WAITING_POSTS}
    ORDER BY posts.waiting_since LIMIT cast(:most AS bigint)) AS waiting_posts
  UNION ALL
  SELECT * FROM (
    SELECT posts.id AS "postId", comments.id AS "commentId", ${COMMENT_SINCE} FROM ${WAITING_COMMENTS}
    ORDER BY comments.created_at LIMIT cast(:most AS bigint)) AS waiting_comments`;

const selectWaiting = sql<{ most: number }, Pick<WaitingText, 'postId' | 'commentId'>>`
  SELECT "postId", "commentId" FROM (${WAITING}) AS waiting
  ORDER BY since, "postId" LIMIT cast(:most AS bigint)`;

const selectWaitingPost = sql<{ postId: number }, WaitingText & { categoryName: string }>`
  SELECT posts.id AS "postId", cast(NULL AS bigint) AS "commentId", posts.title AS "postTitle",
    posts.tags, categories.name AS "categoryName",
    users.id AS "authorId", users.username AS "authorName", posts.body,
    posts.updated_at AS version, ${POST_SINCE}
  FROM ${WAITING_POSTS} AND posts.id = :postId`;

const selectWaitingComment = sql<{ commentId: number }, WaitingText & { commentId: number }>`
  SELECT posts.id AS "postId", comments.id AS "commentId", posts.title AS "postTitle",
    '[]' AS tags, cast(NULL AS text) AS "categoryName",
    users.id AS "authorId", users.username AS "authorName", comments.body,
    coalesce(comments.edited_at, comments.created_at) AS version, ${COMMENT_SINCE}
  FROM ${WAITING_COMMENTS} AND comments.id = :commentId`;

const countWaiting = sql<{ most: number }, { count: number }>`
  SELECT count(*) AS count
  FROM (SELECT since FROM (${WAITING}) AS waiting LIMIT cast(:most AS bigint)) AS counted`;

const selectReviews = sql<
  { userId: number },
  Omit<DraftReview, 'isWaiting'> & { since: Timestamp | undefined }
>`
  SELECT id AS "postId", waiting_since AS since, review_note AS note
  FROM posts
  WHERE user_id = :userId AND status = 'draft' AND (waiting_since IS NOT NULL OR review_note IS NOT NULL)`;

const selectCommentsOf = sql<{ userId: number; postId: number; most: number }, WaitingComment>`
  SELECT id, body FROM comments
  WHERE user_id = :userId AND post_id = :postId AND status = 'waiting'
  ORDER BY id DESC LIMIT cast(:most AS bigint)`;

const countCommentsOf = sql<{ userId: number; most: number }, { count: number }>`
  SELECT count(*) AS count
  FROM (SELECT id FROM comments WHERE user_id = :userId AND status = 'waiting'
    LIMIT cast(:most AS bigint)) AS counted`;

interface WaitingPost {
  id: number;
  /** The author. */
  userId: number;
  at: Timestamp;
  version: Timestamp;
}

const OF_VERSION = fragment`
  id = :id AND user_id = :userId AND status = 'draft' AND updated_at = :version AND title <> '' AND body <> ''`;

// Sent again, a text keeps its place in the queue.
const MARK_WAITING = fragment`
  UPDATE posts SET waiting_since = coalesce(waiting_since, :at), review_note = NULL WHERE ${OF_VERSION}`;

const markWaiting = {
  sqlite: sql<WaitingPost>`${MARK_WAITING} AND ${IS_ACTIVE}`,
  postgres: sql<WaitingPost>`${MARK_WAITING} AND ${IS_ACTIVE_LOCKED}`,
};

// The draft has no HTML: it is rendered when it is first read.
const PUBLISH_WAITING = fragment`
  UPDATE posts SET status = 'published', published_at = :at, updated_at = :at, heat = :at, html_version = 0,
    waiting_since = NULL, review_note = NULL
  WHERE waiting_since IS NOT NULL AND ${OF_VERSION}`;

const publishWaiting = {
  sqlite: sql<WaitingPost>`${PUBLISH_WAITING} AND ${IS_ACTIVE}`,
  postgres: sql<WaitingPost>`${PUBLISH_WAITING} AND ${IS_ACTIVE_LOCKED}`,
};

const markReturned = sql<{ id: number; note: string }>`
  UPDATE posts SET waiting_since = NULL, review_note = :note
  WHERE id = :id AND status = 'draft' AND waiting_since IS NOT NULL`;

interface WaitingCommentRow {
  id: number;
  postId: number;
  /** The author. */
  userId: number;
  version: Timestamp;
}

// Also on a post that was locked since: the comment was written before. Readers don't know of edits before they could
// read it.
const PUBLISH_COMMENT = fragment`
  UPDATE comments SET status = 'published', edited_at = NULL`;
const IS_OF_VERSION = fragment`
  id = :id AND user_id = :userId AND status = 'waiting'
    AND coalesce(edited_at, created_at) = :version
    AND EXISTS (SELECT posts.id FROM posts WHERE posts.id = comments.post_id AND posts.status = 'published')`;

const publishWaitingComment = {
  sqlite: sql<WaitingCommentRow>`
    ${PUBLISH_COMMENT} WHERE ${IS_OF_VERSION} AND post_id = :postId AND ${IS_ACTIVE}`,
  postgres: sql<WaitingCommentRow>`
    ${LOCKED_POST} ${PUBLISH_COMMENT} FROM post
    WHERE ${IS_OF_VERSION} AND post_id = locked_id AND ${IS_ACTIVE_LOCKED_AFTER_POST}`,
};

const removeWaitingComment = sql<{ id: number; note: string; moderatorId: number; at: Timestamp }>`
  UPDATE comments SET status = 'removed', removed_at = :at, removed_by = :moderatorId, review_note = :note
  WHERE id = :id AND status = 'waiting'`;
