// Likes, as rows. The counts at the post and the points of its author change in the same step.

import type { LikeStore } from '../../community/like-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { ownAct } from '../audit/audit-trail.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';
import { IS_ACTIVE } from '../identity/users.ts';
import { insertLikeNotification } from './notifications.ts';
import { updatePopularity } from './popularity.ts';
import { LOCKED_POST } from './post-lock.ts';
import { addXpToAuthor, takeXpBackFromAuthor } from './xp.ts';

export function likeRows(database: Database): LikeStore {
  return {
    async addLike(by, { postId, xp, weight }) {
      const { userId, at } = by;
      return runGuarded(database, {
        audit: ownAct(by),
        guard: insertLike[database.dialect]({ postId, userId, at }),
        effects: [
          countLike({ postId }),
          addXpToAuthor({ postId, xp }),
          insertLikeNotification({ postId, actorId: userId, at }),
          ...updatePopularity({ postId, weight }),
        ],
      });
    },
    async removeLike(by, { postId, xp, weight }) {
      return runGuarded(database, {
        audit: ownAct(by),
        guard: deleteLike[database.dialect]({ postId, userId: by.userId }),
        effects: [
          uncountLike({ postId }),
          takeXpBackFromAuthor({ postId, xp }),
          ...updatePopularity({ postId, weight }),
        ],
      });
    },
    async hasLiked(postId, userId) {
      return (await database.first(selectLike({ postId, userId }))) !== undefined;
    },
  };
}

interface NewLike {
  postId: number;
  userId: number;
  at: Timestamp;
}

const INSERT_LIKE = fragment`
  INSERT INTO likes (post_id, user_id, created_at)
  SELECT posts.id, :userId, :at
  FROM posts WHERE posts.id = :postId AND posts.status = 'published' AND posts.user_id <> :userId
    AND ${IS_ACTIVE}`;

// PostgreSQL locks the post before it checks the status. Otherwise another transaction could remove the post
// in between.
const insertLike = {
  sqlite: sql<NewLike>`
    ${INSERT_LIKE}
    ON CONFLICT DO NOTHING`,
  postgres: sql<NewLike>`
    ${INSERT_LIKE}
    FOR NO KEY UPDATE OF posts
    ON CONFLICT DO NOTHING`,
};

const deleteLike = {
  sqlite: sql<{ postId: number; userId: number }>`
    DELETE FROM likes WHERE post_id = :postId AND user_id = :userId`,
  postgres: sql<{ postId: number; userId: number }>`
    ${LOCKED_POST}
    DELETE FROM likes USING post WHERE post_id = locked_id AND user_id = :userId`,
};

const selectLike = sql<{ postId: number; userId: number }, { post_id: number }>`
  SELECT post_id FROM likes WHERE post_id = :postId AND user_id = :userId`;

export const countLike = sql<{ postId: number }>`
  UPDATE posts SET like_count = like_count + 1 WHERE id = :postId`;

const uncountLike = sql<{ postId: number }>`
  UPDATE posts SET like_count = like_count - 1 WHERE id = :postId`;
