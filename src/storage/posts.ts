// Posts, as rows: what changes them. A removed one keeps its row and its number.

import type { CommunityStore, NewPost, PreparedText } from '../community/store.ts';
import type { Timestamp } from '../lib/clock.ts';
import type { Database } from './database.ts';
import { type Param, statement } from './statement.ts';

export function postRows(
  database: Database,
): Pick<CommunityStore, 'addPost' | 'editPost' | 'publishDraft' | 'removePost'> {
  return {
    async addPost(post) {
      const { userId, xp } = post;
      const { rows } = await database.atomically({
        guard: insertPost(postRow(post)),
        effects: xp > 0 ? [addXp({ userId, xp })] : [],
      });
      const [row] = rows;
      if (row === undefined) throw new Error('The insertion of a post returned no number.');
      return row.id;
    },
    async editPost(id, userId, text, at) {
      return (await database.atomically({ guard: updateText({ ...text, id, userId, at }) })).happened;
    },
    async publishDraft(id, userId, xp, at) {
      const outcome = await database.atomically({
        guard: publishDraftOf({ id, userId, at }),
        effects: [addXp({ userId, xp })],
      });
      return outcome.happened;
    },
    async removePost(id, userId, xp, at) {
      const outcome = await database.atomically({
        guard: removePostOf({ id, userId, at }),
        effects: [takeXpBackIfPublished({ id, userId, xp })],
      });
      return outcome.happened;
    },
  };
}

const insertPost = statement((sql, p: Param<ReturnType<typeof postRow>>) =>
  sql
    .insertInto('posts')
    .values({
      user_id: p('user_id'),
      category_id: p('category_id'),
      status: p('status'),
      title: p('title'),
      body: p('body'),
      excerpt: p('excerpt'),
      created_at: p('created_at'),
      updated_at: p('created_at'),
      published_at: p('published_at'),
    })
    .returning('id'),
);

const updateText = statement((sql, p: Param<PreparedText & { id: number; userId: number; at: Timestamp }>) =>
  sql
    .updateTable('posts')
    .set({
      title: p('title'),
      body: p('body'),
      excerpt: p('excerpt'),
      category_id: p('categoryId'),
      updated_at: p('at'),
    })
    .where('id', '=', p('id'))
    .where('user_id', '=', p('userId'))
    .where('status', 'in', ['draft', 'published']),
);

const publishDraftOf = statement((sql, p: Param<{ id: number; userId: number; at: Timestamp }>) =>
  sql
    .updateTable('posts')
    .set({ status: 'published', published_at: p('at'), updated_at: p('at') })
    .where('id', '=', p('id'))
    .where('user_id', '=', p('userId'))
    .where('status', '=', 'draft'),
);

const removePostOf = statement((sql, p: Param<{ id: number; userId: number; at: Timestamp }>) =>
  sql
    .updateTable('posts')
    .set({ status: 'removed', removed_at: p('at') })
    .where('id', '=', p('id'))
    .where('user_id', '=', p('userId'))
    .where('status', 'in', ['draft', 'published']),
);

const addXp = statement((sql, p: Param<{ userId: number; xp: number }>) =>
  sql
    .updateTable('users')
    .set((of) => ({ xp: of('xp', '+', p('xp')) }))
    .where('id', '=', p('userId')),
);

// Whether the post that has just been removed ever was published is told by its moment of publication.
const takeXpBackIfPublished = statement((sql, p: Param<{ id: number; userId: number; xp: number }>) =>
  sql
    .updateTable('users')
    .set((of) => ({
      xp: of
        .case()
        .when('xp', '>', p('xp'))
        .then(of('xp', '-', p('xp')))
        .else(0)
        .end(),
    }))
    .where('id', '=', p('userId'))
    .where((of) =>
      of.exists(
        of
          .selectFrom('posts')
          .select('posts.id')
          .where('posts.id', '=', p('id'))
          .where('posts.published_at', 'is not', null),
      ),
    ),
);

function postRow(post: NewPost) {
  return {
    user_id: post.userId,
    category_id: post.categoryId,
    status: post.status,
    title: post.title,
    body: post.body,
    excerpt: post.excerpt,
    created_at: post.at,
    published_at: post.status === 'published' ? post.at : null,
  };
}
