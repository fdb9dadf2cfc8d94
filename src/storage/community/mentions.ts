// Notifications of mentions, as rows. The transaction that publishes or changes a text writes them, after those of
// comments and replies: a member hears of a comment once.

import type { NewComment } from '../../community/comment-store.ts';
import type { NewPost } from '../../community/post-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { type Bound, type Dialect, fragment, sql } from '../engine/sql.ts';
import { NEW_POST_ID } from './new-row.ts';

interface Mentioning {
  /** The author of the text. */
  actorId: number;
  at: Timestamp;
}

/** Tell members of a post that mentions them, if it is published. */
export function mentionsInPost(
  userIds: readonly number[] = [],
  post: Mentioning & { postId: number },
): Bound<unknown>[] {
  return userIds.map((userId) => insertForPost({ ...post, userId }));
}

/** Tell members of the post that the same transaction has just inserted. */
export function mentionsInNewPost(
  dialect: Dialect,
  { userId: actorId, mentioned = [] }: Pick<NewPost, 'userId' | 'mentioned'>,
  at: Timestamp,
): Bound<unknown>[] {
  return mentioned.map((userId) => insertForNewPost[dialect]({ actorId, userId, at }));
}

/** Tell members of a comment that mentions them, if it is published. */
export function mentionsInComment(
  userIds: readonly number[] = [],
  comment: Mentioning & { commentId: number },
): Bound<unknown>[] {
  return userIds.map((userId) => insertForComment({ ...comment, userId }));
}

/** Tell members of the comment that the same transaction has just inserted. */
export function mentionsInNewComment(
  { postId, mentioned = [] }: Pick<NewComment, 'postId' | 'mentioned'>,
  { userId: actorId, at }: { userId: number; at: Timestamp },
): Bound<unknown>[] {
  return mentioned.map((userId) => insertForNewComment({ postId, actorId, userId, at }));
}

type Mention = Mentioning & { userId: number };

const FOR_POST = fragment`
  INSERT INTO notifications (user_id, kind, actor_id, post_id, created_at)
  SELECT users.id, 'mention', :actorId, posts.id, :at
  FROM users JOIN posts ON posts.status = 'published'
  WHERE users.id = :userId AND users.id <> :actorId AND users.status = 'active'`;

const insertForPost = sql<Mention & { postId: number }>`
  ${FOR_POST} AND posts.id = :postId
  ON CONFLICT DO NOTHING`;

const insertForNewPost = {
  sqlite: sql<Mention>`
    ${FOR_POST} AND posts.id = ${NEW_POST_ID.sqlite}
    ON CONFLICT DO NOTHING`,
  postgres: sql<Mention>`
    ${FOR_POST} AND posts.id = ${NEW_POST_ID.postgres}
    ON CONFLICT DO NOTHING`,
};

const FOR_COMMENT = fragment`
  INSERT INTO notifications (user_id, kind, actor_id, post_id, comment_id, created_at)
  SELECT users.id, 'mention', :actorId, comments.post_id, comments.id, :at
  FROM users JOIN comments ON comments.status = 'published'
  WHERE users.id = :userId AND users.id <> :actorId AND users.status = 'active'
    AND NOT EXISTS (
      SELECT 1 FROM notifications AS other
      WHERE other.comment_id = comments.id AND other.user_id = users.id)`;

const insertForComment = sql<Mention & { commentId: number }>`
  ${FOR_COMMENT} AND comments.id = :commentId
  ON CONFLICT DO NOTHING`;

// The comment is the author's newest on the post, because the lock on the post makes other comments wait.
const insertForNewComment = sql<Mention & { postId: number }>`
  ${FOR_COMMENT} AND comments.id = (
    SELECT own.id FROM comments AS own
    WHERE own.user_id = :actorId AND own.post_id = :postId ORDER BY own.id DESC LIMIT 1)
  ON CONFLICT DO NOTHING`;
