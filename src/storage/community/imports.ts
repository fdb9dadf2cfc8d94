// What an import brings, as rows: each record with the row that remembers it, in one transaction.

import type { Kysely } from 'kysely';
import type { Brought, ImportedComment, ImportedKind, ImportStore } from '../../community/import-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type { Database, Transaction } from '../engine/database.ts';
import type { Schema } from '../engine/schema.ts';
import { type Dialect, type Param, statement } from '../engine/statement.ts';
import { insertUser, userRow } from '../identity/users.ts';
import { countComment } from './comments.ts';
import {
  forgetWithoutMember,
  type Origin,
  remember,
  rememberAs,
  rememberOfMember,
  rememberOnPost,
  selectImported,
  selectImportedMember,
  setMember,
  setNumber,
} from './imported-records.ts';
import { countLike } from './likes.ts';
import { reheat } from './popularity.ts';
import { addWords } from './post-words.ts';
import { insertPost, postRow } from './posts.ts';
import { addXp, addXpToAuthor } from './xp.ts';

export function importRows(database: Database): ImportStore {
  const { dialect } = database;

  async function importedRecords(source: string, kind: ImportedKind, externalIds: readonly string[]) {
    const ids = JSON.stringify(externalIds);
    const rows = await database.rows(selectImported[dialect]({ source, kind, ids }));
    return new Map(rows.map(({ external_id, local_id }) => [external_id, local_id]));
  }

  /** Runs the transactions, those of one lane one after another, and tells what was there before from what is gone. */
  async function bring<T extends { externalId: string }>(
    source: string,
    kind: ImportedKind,
    records: readonly T[],
    laneOf: (record: T) => unknown,
    transactionFor: (record: T, origin: Origin) => Transaction,
  ): Promise<Brought[]> {
    const happened = await inLanes(dialect, records, laneOf, async (record) => {
      const origin = { source, kind, externalId: record.externalId };
      return (await database.atomically(transactionFor(record, origin))).happened;
    });
    if (!happened.includes(false)) return happened.map(() => 'added');
    const ids = records.filter((_, index) => !happened[index]).map(({ externalId }) => externalId);
    const known = await importedRecords(source, kind, ids);
    return records.map(({ externalId }, index) => {
      if (happened[index]) return 'added';
      return known.has(externalId) ? 'there' : 'gone';
    });
  }

  return {
    importedRecords,
    async isImportedMember(source, userId) {
      return (await database.first(selectImportedMember({ source, userId }))) !== undefined;
    },
    async rememberImportedMember(source, externalId, localId) {
      await database.atomically({ guard: rememberAs({ source, kind: 'member', externalId, localId }) });
    },
    addImportedMembers(source, members) {
      return inLanes(
        dialect,
        members,
        ({ user }) => user.usernameKey,
        async ({ externalId, user }): Promise<Brought> => {
          const origin = { source, kind: 'member' as const, externalId };
          const { usernameKey, passwordHash, emailKey } = user;
          const { happened, changes } = await database.atomically({
            guard: remember(origin),
            effects: [
              insertUser(userRow(user)),
              setMember({ ...origin, usernameKey, passwordHash }),
              // A name was taken: then nothing is remembered.
              forgetWithoutMember(origin),
            ],
          });
          if (!happened) return 'there';
          const [inserted, , forgotten] = changes;
          if (inserted === 1) return 'added';
          if (forgotten === 0) return 'there';
          const namesake = await database.first(selectNamesake({ usernameKey }));
          return namesake === undefined && emailKey !== undefined ? 'email_taken' : 'username_taken';
        },
      );
    },
    addImportedPosts(source, posts) {
      return bring(
        source,
        'post',
        posts,
        ({ userId }) => userId,
        (post, origin) => ({
          guard: rememberOfMember({ ...origin, userId: post.userId }),
          effects: [
            insertPost(postRow(post)),
            setNumber.posts[dialect](origin),
            addWords[dialect]({ words: post.words }),
            ...(post.views > 0 ? [setViews({ ...origin, views: post.views })] : []),
            ...(post.xp > 0 ? [addXp({ userId: post.userId, xp: post.xp })] : []),
          ],
        }),
      );
    },
    addImportedComments(source, comments) {
      return bring(
        source,
        'comment',
        comments,
        ({ postId }) => postId,
        (comment, origin) => ({
          guard: rememberOnPost[dialect]({ ...origin, postId: comment.postId, userId: comment.userId }),
          effects: [
            insertComment({ ...comment, answeredId: comment.answeredId ?? 0 }),
            setNumber.comments[dialect](origin),
            countComment({ postId: comment.postId }),
            addXp({ userId: comment.userId, xp: comment.xp }),
            reheat({ postId: comment.postId, weight: comment.weight }),
          ],
        }),
      );
    },
    addImportedLikes(source, likes) {
      return inLanes(
        dialect,
        likes,
        ({ postId }) => postId,
        async ({ externalId, postId, userId, xp, weight, at }): Promise<Brought> => {
          const origin = { source, kind: 'like' as const, externalId };
          const { happened } = await database.atomically({
            guard: insertLike[dialect]({ ...origin, postId, userId, at }),
            effects: [
              rememberAs({ ...origin, localId: postId }),
              countLike({ postId }),
              addXpToAuthor({ postId, xp }),
              reheat({ postId, weight }),
            ],
          });
          if (happened) return 'added';
          const open = await database.first(selectLikeable({ postId, userId }));
          return open === undefined ? 'gone' : 'there';
        },
      );
    },
  };
}

// Some connections are left to whoever else uses the server.
const LANES = 6;

// On the embedded database all of them share one commit, in their order. On PostgreSQL they run side by side, but for
// those whose order must stay.
async function inLanes<T, R>(
  dialect: Dialect,
  records: readonly T[],
  laneOf: (record: T) => unknown,
  run: (record: T) => Promise<R>,
): Promise<R[]> {
  if (dialect === 'sqlite') return Promise.all(records.map(run));
  const answers: R[] = [];
  const lanes = [...Map.groupBy(records.entries(), ([, record]) => laneOf(record)).values()];
  const next = lanes.values();
  const work = async () => {
    for (const lane of next) for (const [index, record] of lane) answers[index] = await run(record);
  };
  await Promise.all(Array.from({ length: LANES }, work));
  return answers;
}

const selectNamesake = statement((sql, p: Param<{ usernameKey: string }>) =>
  sql.selectFrom('users').select('id').where('username_key', '=', p('usernameKey')),
);

const setViews = statement((sql, p: Param<Origin & { views: number }>) =>
  sql
    .updateTable('posts')
    .set({ view_count: p('views') })
    .where('id', '=', (of) =>
      of
        .selectFrom('imported_records')
        .select('local_id')
        .where('source', '=', p('source'))
        .where('kind', '=', p('kind'))
        .where('external_id', '=', p('externalId')),
    ),
);

// Who answers an answer stands beside it. What is answered and is not on this post is as if it were not there.
const insertComment = statement(
  (sql, p: Param<Omit<ImportedComment, 'answeredId'> & { answeredId: number }>) =>
    sql.insertInto('comments').values((of) => ({
      post_id: p('postId'),
      user_id: p('userId'),
      body: p('body'),
      created_at: p('at'),
      parent_id: of
        .selectFrom('comments')
        .select(of.fn.coalesce('comments.parent_id', 'comments.id').as('id'))
        .where('comments.id', '=', p('answeredId'))
        .where('comments.post_id', '=', p('postId')),
    })),
);

type LikeRow = Origin & { postId: number; userId: number; at: Timestamp };

const insertLike = { sqlite: insertionOfLike(false), postgres: insertionOfLike(true) };

function insertionOfLike(locking: boolean) {
  return statement((sql, p: Param<LikeRow>) =>
    sql
      .insertInto('likes')
      .columns(['post_id', 'user_id', 'created_at'])
      .expression(
        likeable(sql, p)
          .select((of) => ['posts.id', 'users.id as user_id', of.val(p('at')).as('created_at')])
          .where((of) =>
            of.not(
              of.exists(
                of
                  .selectFrom('imported_records')
                  .select('local_id')
                  .where('source', '=', p('source'))
                  .where('kind', '=', p('kind'))
                  .where('external_id', '=', p('externalId')),
              ),
            ),
          )
          .$if(locking, (query) => query.forNoKeyUpdate('posts')),
      )
      .onConflict((conflict) => conflict.doNothing()),
  );
}

const selectLikeable = statement((sql, p: Param<{ postId: number; userId: number }>) =>
  likeable(sql, p).select('posts.id'),
);

// A post that the member may like: it is published, and somebody else's.
function likeable(sql: Kysely<Schema>, p: Param<{ postId: number; userId: number }>) {
  return sql
    .selectFrom('posts')
    .innerJoin('users', (join) => join.on('users.id', '=', p('userId')))
    .where('posts.id', '=', p('postId'))
    .where('posts.status', '=', 'published')
    .where('posts.user_id', '<>', p('userId'))
    .where('users.status', '<>', 'closed');
}
