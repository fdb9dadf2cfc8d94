// The rows that remember what an import brought, and from where.

import { sql as rawSql } from 'kysely';
import type { ImportedKind } from '../../community/import-store.ts';
import { type Param, statement } from '../engine/statement.ts';

/** What a record is at its source. */
export interface Origin {
  source: string;
  kind: ImportedKind;
  externalId: string;
}

export const selectImported = {
  sqlite: importedAmong('select value from json_each', ''),
  postgres: importedAmong('select json_array_elements_text', '::json'),
};

function importedAmong(unfold: string, type: string) {
  return statement((sql, p: Param<{ source: string; kind: ImportedKind; ids: string }>) =>
    sql
      .selectFrom('imported_records')
      .select(['external_id', 'local_id'])
      .where('source', '=', p('source'))
      .where('kind', '=', p('kind'))
      .where('external_id', 'in', rawSql<string>`(${rawSql.raw(unfold)}(${p('ids')}${rawSql.raw(type)}))`),
  );
}

// Each of these does nothing if the record was brought before. The number here is not known yet: another statement of the
// same transaction sets it.

export const remember = statement((sql, p: Param<Origin>) =>
  sql
    .insertInto('imported_records')
    .values({ source: p('source'), kind: p('kind'), external_id: p('externalId'), local_id: 0 })
    .onConflict((conflict) => conflict.doNothing()),
);

export const selectImportedMember = statement((sql, p: Param<{ source: string; userId: number }>) =>
  sql
    .selectFrom('imported_records')
    .select('external_id')
    .where('kind', '=', 'member')
    .where('local_id', '=', p('userId'))
    .where('source', '=', p('source'))
    .limit(1),
);

/** Unless the member's account is closed. */
export const rememberOfMember = statement((sql, p: Param<Origin & { userId: number }>) =>
  sql
    .insertInto('imported_records')
    .columns(['source', 'kind', 'external_id', 'local_id'])
    .expression(
      sql
        .selectFrom('users')
        .select((of) => [
          of.val(p('source')).as('source'),
          of.val(p('kind')).as('kind'),
          of.val(p('externalId')).as('external_id'),
          of.lit(0).as('local_id'),
        ])
        .where('users.id', '=', p('userId'))
        .where('users.status', '<>', 'closed'),
    )
    .onConflict((conflict) => conflict.doNothing()),
);

/** Unless the member's account is closed, or the post is not published. */
export const rememberOnPost = { sqlite: rememberIfPost(false), postgres: rememberIfPost(true) };

// On PostgreSQL the post is locked before its state is judged: else it could be removed between the two.
function rememberIfPost(locking: boolean) {
  return statement((sql, p: Param<Origin & { postId: number; userId: number }>) =>
    sql
      .insertInto('imported_records')
      .columns(['source', 'kind', 'external_id', 'local_id'])
      .expression(
        sql
          .selectFrom('posts')
          .innerJoin('users', (join) => join.on('users.id', '=', p('userId')))
          .select((of) => [
            of.val(p('source')).as('source'),
            of.val(p('kind')).as('kind'),
            of.val(p('externalId')).as('external_id'),
            of.lit(0).as('local_id'),
          ])
          .where('posts.id', '=', p('postId'))
          .where('posts.status', '=', 'published')
          .where('users.status', '<>', 'closed')
          .$if(locking, (query) => query.forNoKeyUpdate('posts')),
      )
      .onConflict((conflict) => conflict.doNothing()),
  );
}

export const setMember = statement((sql, p: Param<Origin & { usernameKey: string; passwordHash: string }>) =>
  sql
    .updateTable('imported_records')
    .set((of) => ({
      // Its random part tells a new account from one that has the name already.
      local_id: of.fn.coalesce(
        of
          .selectFrom('users')
          .select('users.id')
          .where('users.username_key', '=', p('usernameKey'))
          .where('users.password_hash', '=', p('passwordHash')),
        of.lit(0),
      ),
    }))
    .where('source', '=', p('source'))
    .where('kind', '=', p('kind'))
    .where('external_id', '=', p('externalId')),
);

export const forgetWithoutMember = statement((sql, p: Param<Origin>) =>
  sql
    .deleteFrom('imported_records')
    .where('source', '=', p('source'))
    .where('kind', '=', p('kind'))
    .where('external_id', '=', p('externalId'))
    .where('local_id', '=', 0),
);

export const setNumber = { posts: numberedIn('posts'), comments: numberedIn('comments') };

// The number that the connection itself gave last, whatever others have added in the meantime.
function numberedIn(table: 'posts' | 'comments') {
  const setTo = (last: string) =>
    statement((sql, p: Param<Origin>) =>
      sql
        .updateTable('imported_records')
        .set({ local_id: rawSql<number>`${rawSql.raw(last)}` })
        .where('source', '=', p('source'))
        .where('kind', '=', p('kind'))
        .where('external_id', '=', p('externalId')),
    );
  return {
    sqlite: setTo('last_insert_rowid()'),
    postgres: setTo(`currval(pg_get_serial_sequence('${table}', 'id'))`),
  };
}

/** Of what has its number already. */
export const rememberAs = statement((sql, p: Param<Origin & { localId: number }>) =>
  sql
    .insertInto('imported_records')
    .values({ source: p('source'), kind: p('kind'), external_id: p('externalId'), local_id: p('localId') })
    .onConflict((conflict) => conflict.doNothing()),
);
