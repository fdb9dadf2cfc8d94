// Points, given and taken back: by whose they are, by whose post earned them, or by a post that may never have.

import type { ExpressionBuilder } from 'kysely';
import type { Schema } from '../engine/schema.ts';
import { type Param, statement } from '../engine/statement.ts';

export const addXp = statement((sql, p: Param<{ userId: number; xp: number }>) =>
  sql
    .updateTable('users')
    .set((of) => ({ xp: of('xp', '+', p('xp')) }))
    .where('id', '=', p('userId')),
);

export const takeXpBack = statement((sql, p: Param<{ userId: number; xp: number }>) =>
  sql
    .updateTable('users')
    .set((of) => ({ xp: xpWithout(of, p('xp')) }))
    .where('id', '=', p('userId')),
);

export const addXpToAuthor = statement((sql, p: Param<{ postId: number; xp: number }>) =>
  sql
    .updateTable('users')
    .set((of) => ({ xp: of('xp', '+', p('xp')) }))
    .where('id', '=', (of) => authorOf(of, p('postId'))),
);

export const takeXpBackFromAuthor = statement((sql, p: Param<{ postId: number; xp: number }>) =>
  sql
    .updateTable('users')
    .set((of) => ({ xp: xpWithout(of, p('xp')) }))
    .where('id', '=', (of) => authorOf(of, p('postId'))),
);

export const addXpIfPublished = statement((sql, p: Param<{ id: number; userId: number; xp: number }>) =>
  sql
    .updateTable('users')
    .set((of) => ({ xp: of('xp', '+', p('xp')) }))
    .where('id', '=', p('userId'))
    .where((of) => of.exists(wasPublished(of, p('id')))),
);

/** Whether the post that has just been removed ever was published is told by its moment of publication. */
export const takeXpBackIfPublished = statement((sql, p: Param<{ id: number; userId: number; xp: number }>) =>
  sql
    .updateTable('users')
    .set((of) => ({ xp: xpWithout(of, p('xp')) }))
    .where('id', '=', p('userId'))
    .where((of) => of.exists(wasPublished(of, p('id')))),
);

type OfUsers = ExpressionBuilder<Schema, 'users'>;

// Never below 0.
function xpWithout(of: OfUsers, xp: number) {
  return of
    .case()
    .when('xp', '>', xp)
    .then(of('xp', '-', xp))
    .else(0)
    .end();
}

function authorOf(of: OfUsers, postId: number) {
  return of.selectFrom('posts').select('posts.user_id').where('posts.id', '=', postId);
}

function wasPublished(of: OfUsers, id: number) {
  return of
    .selectFrom('posts')
    .select('posts.id')
    .where('posts.id', '=', id)
    .where('posts.published_at', 'is not', null);
}
