// The words of posts, as rows beside them. Each database keeps its own index of them in step.

import { sql as rawSql } from 'kysely';
import { type Dialect, type Param, statement } from '../engine/statement.ts';

/** Adds the words of the post that this very transaction has added, before it adds a row anywhere else. */
export const addWords: Record<Dialect, ReturnType<typeof wordsOfNewPost>> = {
  sqlite: wordsOfNewPost('last_insert_rowid()'),
  postgres: wordsOfNewPost("currval(pg_get_serial_sequence('posts', 'id'))"),
};

// The number that the connection itself gave last, whatever others have added in the meantime.
function wordsOfNewPost(lastNumber: string) {
  return statement((sql, p: Param<{ words: string }>) =>
    sql
      .insertInto('post_words')
      .values({ post_id: rawSql<number>`${rawSql.raw(lastNumber)}`, words: p('words') }),
  );
}

export const setWords = statement((sql, p: Param<{ id: number; words: string }>) =>
  sql
    .insertInto('post_words')
    .values({ post_id: p('id'), words: p('words') })
    .onConflict((conflict) =>
      conflict.column('post_id').doUpdateSet((of) => ({ words: of.ref('excluded.words') })),
    ),
);
