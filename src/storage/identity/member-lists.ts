// Members in lists, for operators. Each list goes on after the last one that was seen, along an index.

import { type Kysely, sql as rawSql } from 'kysely';
import type { CareStore, MemberFilter } from '../../identity/care.ts';
import type { Database } from '../engine/database.ts';
import type { Schema } from '../engine/schema.ts';
import { type Dialect, type Param, rowCount, statement } from '../engine/statement.ts';
import { userOf } from './users.ts';

export function memberLists(
  database: Database,
): Pick<CareStore, 'newestMembers' | 'membersNamed' | 'countMembers'> {
  async function countWith(status: 'suspended' | 'closed', most: number): Promise<number> {
    return Number((await database.first(countUnusable({ status, most })))?.count ?? 0);
  }

  return {
    async newestMembers(filter, before, limit) {
      const page = { before: before ?? Number.MAX_SAFE_INTEGER, limit };
      return (await database.rows(NEWEST[filter](page))).map(userOf);
    },
    async membersNamed(prefixKey, after, limit) {
      const select = selectNamed[database.dialect];
      // The last character of all: no name that begins so comes after it.
      const page = { from: prefixKey, to: `${prefixKey}\u{10FFFF}`, after: after ?? '', limit };
      return (await database.rows(select(page))).map(userOf);
    },
    async countMembers(most) {
      const [newest, suspended, closed] = [
        await database.first(selectNewestNumber({})),
        await countWith('suspended', most),
        await countWith('closed', most),
      ];
      return { made: Number(newest?.id ?? 0), suspended, closed };
    },
  };
}

interface PageParameters {
  before: number;
  limit: number;
}

const newest = (sql: Kysely<Schema>, p: Param<PageParameters>) =>
  sql
    .selectFrom('users')
    .selectAll()
    .where('id', '<', p('before'))
    .orderBy('id', 'desc')
    .limit(rowCount(p('limit')));

// The second condition is the one of the index.
const withStatus = (status: 'suspended' | 'closed') =>
  statement((sql, p: Param<PageParameters>) =>
    newest(sql, p).where('status', '=', status).where('status', '<>', 'active'),
  );

const NEWEST = {
  all: statement((sql, p: Param<PageParameters>) => newest(sql, p)),
  suspended: withStatus('suspended'),
  closed: withStatus('closed'),
  operators: statement((sql, p: Param<PageParameters>) => newest(sql, p).where('is_operator', '=', 1)),
} satisfies Record<MemberFilter, unknown>;

interface NamedParameters {
  from: string;
  to: string;
  after: string;
  limit: number;
}

// In the order of characters, which a server's own index of names does not have.
const selectNamed: Record<Dialect, (values: NamedParameters) => ReturnType<typeof selectNamedBy>> = {
  sqlite: (values) => selectNamedBy(values),
  postgres: (values) => selectNamedAtServer(values),
};

const selectNamedBy = named(() => rawSql<string>`username_key`);
const selectNamedAtServer = named(() => rawSql<string>`username_key COLLATE "C"`);

function named(key: () => ReturnType<typeof rawSql<string>>) {
  return statement((sql, p: Param<NamedParameters>) =>
    sql
      .selectFrom('users')
      .selectAll()
      .where(key(), '>=', p('from'))
      .where(key(), '<', p('to'))
      .where(key(), '>', p('after'))
      .orderBy(key())
      .limit(rowCount(p('limit'))),
  );
}

const selectNewestNumber = statement((sql, _: Param<Record<never, never>>) =>
  sql.selectFrom('users').select('id').orderBy('id', 'desc').limit(1),
);

const countUnusable = statement((sql, p: Param<{ status: 'suspended' | 'closed'; most: number }>) =>
  sql
    .selectFrom((of) =>
      of
        .selectFrom('users')
        .select('users.id')
        .where('users.status', '=', p('status'))
        .where('users.status', '<>', 'active')
        .limit(rowCount(p('most')))
        .as('some'),
    )
    .select((of) => of.fn.countAll<number>().as('count')),
);
