// Posts, as rows: what changes them. A removed one keeps its row and its number.

import { sql as rawSql } from 'kysely';
import type { CommunityStore, NewPost, PreparedText } from '../../community/store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { type Param, statement } from '../engine/statement.ts';
import { addWords, setWords } from './post-words.ts';
import { addXp, addXpIfPublished, takeXpBackIfPublished } from './xp.ts';

export function postRows(
  database: Database,
): Pick<
  CommunityStore,
  'addPost' | 'editPost' | 'saveDraft' | 'publishDraft' | 'removePost' | 'restorePost'
> {
  return {
    async addPost(post) {
      const { userId, xp, words } = post;
      const { rows } = await database.atomically({
        guard: insertPost(postRow(post)),
        effects: [addWords[database.dialect]({ words }), ...(xp > 0 ? [addXp({ userId, xp })] : [])],
      });
      const [row] = rows;
      if (row === undefined) throw new Error('The insertion of a post returned no number.');
      return row.id;
    },
    async editPost(id, userId, text, at, version = ANY_VERSION) {
      const { happened } = await database.atomically({
        guard: updatePost({ ...text, id, userId, at, version }),
        effects: [setWords({ id, words: text.words })],
      });
      return happened;
    },
    async saveDraft(id, userId, text, at, version = ANY_VERSION) {
      const { rows } = await database.atomically({
        guard: updateDraft({ ...text, id, userId, at, version }),
        effects: [setWords({ id, words: text.words })],
      });
      return rows[0]?.updated_at;
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
    async restorePost(id, userId, xp, since) {
      const outcome = await database.atomically({
        guard: restorePostOf({ id, userId, since }),
        effects: [addXpIfPublished({ id, userId, xp })],
      });
      return outcome.happened;
    },
  };
}

// No moment of change: whatever it is, it may be changed.
const ANY_VERSION = -1;

export const insertPost = statement((sql, p: Param<ReturnType<typeof postRow>>) =>
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
      heat: p('heat'),
    })
    .returning('id'),
);

const updatePost = updateText(['draft', 'published']);
const updateDraft = updateText(['draft']);

type ChangedText = PreparedText & { id: number; userId: number; at: Timestamp; version: Timestamp };

function updateText(statuses: readonly ('draft' | 'published')[]) {
  return statement((sql, p: Param<ChangedText>) =>
    sql
      .updateTable('posts')
      .set((of) => ({
        title: p('title'),
        body: p('body'),
        excerpt: p('excerpt'),
        category_id: p('categoryId'),
        // Never the same twice: two who changed it at once must be told apart.
        updated_at: of
          .case()
          .when('updated_at', '>=', p('at'))
          .then(of('updated_at', '+', 1))
          .else(p('at'))
          .end(),
      }))
      .where('id', '=', p('id'))
      .where('user_id', '=', p('userId'))
      .where('status', 'in', statuses)
      .where((of) =>
        of.or([
          of(rawSql<number>`cast(${p('version')} as bigint)`, '=', ANY_VERSION),
          of('updated_at', '=', p('version')),
        ]),
      )
      .returning('updated_at'),
  );
}

// What lacks its title or its text is not ready for anyone else.
const publishDraftOf = statement((sql, p: Param<{ id: number; userId: number; at: Timestamp }>) =>
  sql
    .updateTable('posts')
    .set({ status: 'published', published_at: p('at'), updated_at: p('at'), heat: p('at') })
    .where('id', '=', p('id'))
    .where('user_id', '=', p('userId'))
    .where('status', '=', 'draft')
    .where('title', '<>', '')
    .where('body', '<>', ''),
);

const removePostOf = statement((sql, p: Param<{ id: number; userId: number; at: Timestamp }>) =>
  sql
    .updateTable('posts')
    .set({ status: 'removed', removed_at: p('at'), removed_by: null })
    .where('id', '=', p('id'))
    .where('user_id', '=', p('userId'))
    .where('status', 'in', ['draft', 'published']),
);

// What it was is told by whether it ever was published.
const restorePostOf = statement((sql, p: Param<{ id: number; userId: number; since: Timestamp }>) =>
  sql
    .updateTable('posts')
    .set((of) => ({
      status: of
        .case()
        .when('published_at', 'is', null)
        .then('draft' as const)
        .else('published' as const)
        .end(),
      removed_at: null,
      removed_by: null,
    }))
    .where('id', '=', p('id'))
    .where('user_id', '=', p('userId'))
    .where('status', '=', 'removed')
    .where('removed_at', '>', p('since'))
    .where((of) => of.or([of('removed_by', 'is', null), of('removed_by', '=', of.ref('user_id'))])),
);

export function postRow(post: NewPost) {
  return {
    user_id: post.userId,
    category_id: post.categoryId,
    status: post.status,
    title: post.title,
    body: post.body,
    excerpt: post.excerpt,
    created_at: post.at,
    published_at: post.status === 'published' ? post.at : null,
    heat: post.status === 'published' ? post.at : 0,
  };
}
