// Comments, as rows: the writes. A removed comment keeps its row for its replies, and for reports of it.

import type { MemberDoer } from '../../audit/doer.ts';
import type { CommentText, CommentWrites, NewComment } from '../../community/comment-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { ownAct } from '../audit/audit-trail.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { type Bound, type Dialect, fragment, sql } from '../engine/sql.ts';
import { IS_ACTIVE } from '../identity/users.ts';
import { mentionsInComment, mentionsInNewComment } from './mentions.ts';
import {
  deleteNotificationsOfComment,
  insertCommentNotification,
  insertReplyNotification,
} from './notifications.ts';
import { markingUnused, usesInChangedComment, usesInNewComment } from './picture-uses.ts';
import { updatePopularity } from './popularity.ts';
import { LOCKED_POST } from './post-lock.ts';
import { addXp, takeXpBack } from './xp.ts';

export function commentRows(database: Database): CommentWrites {
  return {
    async addComment(by, comment) {
      const { postId, xp, weight, isWaiting } = comment;
      const uses = usesInNewComment(database.dialect, { ...by, postId }, comment.pictures);
      const { rows } = await database.atomically({
        audit: ownAct(by),
        guard: insertComment(by, comment, database.dialect),
        effects: isWaiting
          ? uses
          : [
              ...uses,
              countComment({ postId }),
              addXp({ userId: by.userId, xp }),
              ...insertNotifications(by, comment),
              ...mentionsInNewComment(comment, by),
              ...updatePopularity({ postId, weight }),
            ],
      });
      return rows[0]?.id;
    },
    async editComment(by, id, text) {
      const { userId, at } = by;
      const { mentioned, ...row } = text;
      return runGuarded(database, {
        audit: ownAct(by),
        guard: updateText({ ...row, id, userId, at }),
        effects: [
          ...usesInChangedComment(database.dialect, { userId, at, commentId: id }, text.pictures),
          ...mentionsInComment(mentioned, { commentId: id, actorId: userId, at }),
        ],
      });
    },
    async removeComment(by, { id, postId, parentId, xp, weight }) {
      const { userId, at } = by;
      return runGuarded(database, {
        audit: ownAct(by),
        guard: markRemoved[database.dialect]({ id, postId, userId, at }),
        effects: [
          uncountComment({ postId }),
          takeXpBack({ userId, xp }),
          deleteNotificationsOfComment({ commentId: id }),
          ...deletionIfUnneeded({ id, at }),
          ...(parentId === undefined ? [] : deletionIfUnneeded({ id: parentId, at })),
          ...updatePopularity({ postId, weight }),
        ],
      });
    },
    async withdrawComment(by, id) {
      const { userId, at } = by;
      const effects = deletionIfUnneeded({ id, at });
      return runGuarded(database, { audit: ownAct(by), guard: markWithdrawn({ id, userId, at }), effects });
    },
  };
}

function insertComment(
  { userId, at }: MemberDoer,
  comment: NewComment,
  dialect: Dialect,
): Bound<{ id: number }> {
  const { postId, replyTo, body, html, htmlVersion } = comment;
  const status: CommentRow['status'] = comment.isWaiting ? 'waiting' : 'published';
  const row = { postId, userId, status, body, html, htmlVersion, at };
  if (replyTo === undefined) return insertTopComment[dialect](row);
  return insertReply[dialect]({ ...row, answeredId: replyTo.id });
}

function insertNotifications({ userId, at }: MemberDoer, { postId, replyTo }: NewComment): Bound<unknown>[] {
  const event = { postId, actorId: userId, at };
  const toPostAuthor = insertCommentNotification({ ...event, answeredAuthorId: replyTo?.userId ?? 0 });
  if (replyTo === undefined) return [toPostAuthor];
  return [insertReplyNotification({ ...event, answeredId: replyTo.id }), toPostAuthor];
}

interface CommentRow extends Omit<CommentText, 'pictures'> {
  postId: number;
  userId: number;
  status: 'published' | 'waiting';
  at: Timestamp;
}

const INSERT_TOP_COMMENT = fragment`
  INSERT INTO comments (post_id, user_id, status, body, html, html_version, created_at)
  SELECT posts.id, :userId, :status, :body, :html, coalesce(cast(:htmlVersion AS integer), 0), :at
  FROM posts JOIN users ON users.id = :userId AND users.status = 'active'
  WHERE posts.id = :postId AND posts.status = 'published' AND posts.locked_at IS NULL`;

// A reply to a reply goes below the same top comment.
const INSERT_REPLY = fragment`
  INSERT INTO comments (post_id, parent_id, user_id, status, body, html, html_version, created_at)
  SELECT posts.id, coalesce(answered.parent_id, answered.id), :userId, :status, :body, :html,
    coalesce(cast(:htmlVersion AS integer), 0), :at
  FROM posts
  JOIN users ON users.id = :userId AND users.status = 'active'
  JOIN comments AS answered ON answered.post_id = posts.id
  WHERE posts.id = :postId AND posts.status = 'published' AND posts.locked_at IS NULL
    AND answered.id = :answeredId AND answered.status = 'published'`;

// PostgreSQL locks the post and the account before it checks their status. Otherwise another transaction could
// remove the post or close the account in between. The notifications rely on this lock too, when they look up the
// new comment.
const insertTopComment = {
  sqlite: sql<CommentRow, { id: number }>`
    ${INSERT_TOP_COMMENT}
    RETURNING id`,
  postgres: sql<CommentRow, { id: number }>`
    ${INSERT_TOP_COMMENT}
    FOR NO KEY UPDATE OF posts, users
    RETURNING id`,
};

const insertReply = {
  sqlite: sql<CommentRow & { answeredId: number }, { id: number }>`
    ${INSERT_REPLY}
    RETURNING id`,
  postgres: sql<CommentRow & { answeredId: number }, { id: number }>`
    ${INSERT_REPLY}
    FOR NO KEY UPDATE OF posts, answered, users
    RETURNING id`,
};

// A waiting comment gets a later time in any case, so that no moderator approves a text that they haven't seen.
const updateText = sql<Omit<CommentText, 'pictures'> & { id: number; userId: number; at: Timestamp }>`
  UPDATE comments SET body = :body, html = :html, html_version = coalesce(cast(:htmlVersion AS integer), 0),
    edited_at = CASE WHEN status = 'waiting' AND coalesce(edited_at, created_at) >= :at
      THEN coalesce(edited_at, created_at) + 1 ELSE :at END
  WHERE id = :id AND user_id = :userId AND status IN ('published', 'waiting') AND ${IS_ACTIVE}
    AND EXISTS (SELECT posts.id FROM posts WHERE posts.id = comments.post_id AND posts.status = 'published')`;

interface OfAuthor {
  id: number;
  postId: number;
  userId: number;
  at: Timestamp;
}

const MARK_REMOVED = fragment`UPDATE comments SET status = 'removed', removed_at = :at, html = NULL`;
const IS_AUTHORS = fragment`id = :id AND user_id = :userId AND status = 'published'`;

const markRemoved = {
  sqlite: sql<OfAuthor>`
    ${MARK_REMOVED} WHERE ${IS_AUTHORS} AND post_id = :postId`,
  postgres: sql<OfAuthor>`
    ${LOCKED_POST}
    ${MARK_REMOVED} FROM post WHERE ${IS_AUTHORS} AND post_id = locked_id`,
};

const markWithdrawn = sql<{ id: number; userId: number; at: Timestamp }>`
  UPDATE comments SET status = 'removed', removed_at = :at, html = NULL
  WHERE id = :id AND user_id = :userId AND status = 'waiting'`;

/** For comments: nothing refers to it that would go with its row, and its pictures are marked for the purge. */
export const IS_UNNEEDED = fragment`
  NOT EXISTS (SELECT 1 FROM comments AS reply WHERE reply.parent_id = comments.id)
  AND NOT EXISTS (SELECT 1 FROM reports WHERE reports.comment_id = comments.id)
  AND NOT EXISTS (
    SELECT 1 FROM picture_uses LEFT JOIN unused_pictures ON unused_pictures.picture_id = picture_uses.picture_id
    WHERE picture_uses.comment_id = comments.id AND unused_pictures.since IS NULL)`;

// What moderators removed stays for 30 days, unless its text was erased with the account.
const IS_GONE = fragment`
  comments.id = :id AND comments.status = 'removed'
  AND (comments.removed_by IS NULL OR comments.removed_by = comments.user_id OR comments.body = '')`;

// The pictures stay until the purge finds them in no text: the author may be moving one to another text.
function deletionIfUnneeded({ id, at }: { id: number; at: Timestamp }): Bound<unknown>[] {
  return [markPicturesLeft({ id, at }), deleteIfUnneeded({ id })];
}

// Marking a picture that is still in a text does no harm.
const markPicturesLeft = sql<{ id: number; at: Timestamp }>`
  ${markingUnused(fragment`JOIN comments ON comments.id = uses.comment_id WHERE ${IS_GONE}`)}`;

const deleteIfUnneeded = sql<{ id: number }>`
  DELETE FROM comments WHERE ${IS_GONE} AND ${IS_UNNEEDED}`;

export const countComment = sql<{ postId: number }>`
  UPDATE posts SET comment_count = comment_count + 1 WHERE id = :postId`;

const uncountComment = sql<{ postId: number }>`
  UPDATE posts SET comment_count = comment_count - 1 WHERE id = :postId`;
