// Likes, as rows: a member's for a post is there or is not, and the counts follow in the same step.

import type { LikeRecord, LikeStore } from '../../community/like.ts';
import type { Database } from '../engine/database.ts';
import { type Param, statement } from '../engine/statement.ts';
import { insertLikeNotification } from './notifications.ts';
import { reheat } from './popularity.ts';
import { addXpToAuthor, takeXpBackFromAuthor } from './xp.ts';

export function likeRows(database: Database): LikeStore {
  return {
    async addLike(like) {
      const { postId, userId, xp, weight, at } = like;
      const outcome = await database.atomically({
        guard: insertLike[database.dialect](like),
        effects: [
          countLike({ postId }),
          addXpToAuthor({ postId, xp }),
          insertLikeNotification({ postId, actorId: userId, at }),
          reheat({ postId, weight }),
        ],
      });
      return outcome.happened;
    },
    async takeLikeBack({ postId, userId, xp, weight }) {
      const outcome = await database.atomically({
        guard: deleteLike({ postId, userId }),
        effects: [uncountLike({ postId }), takeXpBackFromAuthor({ postId, xp }), reheat({ postId, weight })],
      });
      return outcome.happened;
    },
    async hasLiked(postId, userId) {
      return (await database.first(selectLike({ postId, userId }))) !== undefined;
    },
  };
}

// On PostgreSQL the post is locked before its state is judged: else it could be removed between the two.
const insertLike = { sqlite: insertionOfLike(false), postgres: insertionOfLike(true) };

function insertionOfLike(locking: boolean) {
  return statement((sql, p: Param<LikeRecord>) =>
    sql
      .insertInto('likes')
      .columns(['post_id', 'user_id', 'created_at'])
      .expression(
        sql
          .selectFrom('posts')
          .select((of) => ['posts.id', of.val(p('userId')).as('user_id'), of.val(p('at')).as('created_at')])
          .where('posts.id', '=', p('postId'))
          .where('posts.status', '=', 'published')
          .where('posts.user_id', '<>', p('userId'))
          .$if(locking, (query) => query.forNoKeyUpdate('posts')),
      )
      .onConflict((conflict) => conflict.doNothing()),
  );
}

const deleteLike = statement((sql, p: Param<{ postId: number; userId: number }>) =>
  sql.deleteFrom('likes').where('post_id', '=', p('postId')).where('user_id', '=', p('userId')),
);

const selectLike = statement((sql, p: Param<{ postId: number; userId: number }>) =>
  sql
    .selectFrom('likes')
    .select('post_id')
    .where('post_id', '=', p('postId'))
    .where('user_id', '=', p('userId')),
);

export const countLike = statement((sql, p: Param<{ postId: number }>) =>
  sql
    .updateTable('posts')
    .set((of) => ({ like_count: of('like_count', '+', 1) }))
    .where('id', '=', p('postId')),
);

const uncountLike = statement((sql, p: Param<{ postId: number }>) =>
  sql
    .updateTable('posts')
    .set((of) => ({ like_count: of('like_count', '-', 1) }))
    .where('id', '=', p('postId')),
);
