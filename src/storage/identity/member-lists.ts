// Lists of members, for operators. Each page continues after the last row of the one before, along an index.

import type { MemberCursor, MemberListReads } from '../../identity/member-list-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { patternOf } from '../engine/like.ts';
import { fragment, sql } from '../engine/sql.ts';
import { USER_COLUMNS, type UserRow, userOf } from './users.ts';

export function memberLists(database: Database): MemberListReads {
  async function countWith(status: 'suspended' | 'closed', most: number): Promise<number> {
    return (await database.first(countUnusable({ status, most })))?.count ?? 0;
  }

  return {
    async newestMembers(filter, before, limit, now) {
      const page = { ...(before ?? THE_NEWEST), limit };
      const query =
        filter === 'membership' ? selectWithMembership({ ...page, now }) : selectNewest[filter](page);
      return (await database.rows(query)).map(userOf);
    },
    async membersNamed(prefixKey, after, limit) {
      const select = selectNamed[database.dialect];
      // U+10FFFF is the last character of Unicode, so every name with the prefix sorts before `to`.
      const page = { from: prefixKey, to: `${prefixKey}\u{10FFFF}`, after: after ?? '', limit };
      return (await database.rows(select(page))).map(userOf);
    },
    async membersMatching({ status, role, hasMembership, search }, after, limit, now) {
      const query = {
        status,
        role,
        hasMembership: hasMembership === undefined ? undefined : Number(hasMembership),
        pattern: search === undefined ? undefined : patternOf(search),
      };
      return (await database.rows(selectMatching({ ...query, after, limit, now }))).map(userOf);
    },
    async countActiveMembers(most) {
      return (await database.first(countActive({ most })))?.count ?? 0;
    },
    async countMembers(most) {
      return {
        // Accounts are never deleted, so the newest id is roughly their number: PostgreSQL skips a few ids.
        total: (await database.first(selectNewestId()))?.id ?? 0,
        suspended: await countWith('suspended', most),
        closed: await countWith('closed', most),
      };
    },
  };
}

const THE_NEWEST: MemberCursor = { at: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };

type PageOfNewest = MemberCursor & { limit: number };

// The index of members who are not active is partial, so queries must repeat its condition.
const selectNewest = {
  all: sql<PageOfNewest, UserRow>`
    SELECT ${USER_COLUMNS} FROM users
    WHERE (created_at, id) < (:at, :id)
    ORDER BY created_at DESC, id DESC LIMIT cast(:limit AS bigint)`,
  suspended: sql<PageOfNewest, UserRow>`
    SELECT ${USER_COLUMNS} FROM users
    WHERE (created_at, id) < (:at, :id) AND status = 'suspended' AND status <> 'active'
    ORDER BY created_at DESC, id DESC LIMIT cast(:limit AS bigint)`,
  closed: sql<PageOfNewest, UserRow>`
    SELECT ${USER_COLUMNS} FROM users
    WHERE (created_at, id) < (:at, :id) AND status = 'closed' AND status <> 'active'
    ORDER BY created_at DESC, id DESC LIMIT cast(:limit AS bigint)`,
  operators: sql<PageOfNewest, UserRow>`
    SELECT ${USER_COLUMNS} FROM users
    WHERE (created_at, id) < (:at, :id) AND is_operator = 1
    ORDER BY created_at DESC, id DESC LIMIT cast(:limit AS bigint)`,
  moderators: sql<PageOfNewest, UserRow>`
    SELECT ${USER_COLUMNS} FROM users
    WHERE (created_at, id) < (:at, :id) AND is_moderator = 1
    ORDER BY created_at DESC, id DESC LIMIT cast(:limit AS bigint)`,
};

const selectWithMembership = sql<PageOfNewest & { now: Timestamp }, UserRow>`
  SELECT ${USER_COLUMNS} FROM users
  WHERE (created_at, id) < (:at, :id) AND member_until IS NOT NULL AND member_until > :now
  ORDER BY created_at DESC, id DESC LIMIT cast(:limit AS bigint)`;

const selectMatching = sql<
  {
    status: string | undefined;
    role: string | undefined;
    hasMembership: number | undefined;
    pattern: string | undefined;
    after: number;
    limit: number;
    now: Timestamp;
  },
  UserRow
>`
  SELECT ${USER_COLUMNS} FROM users
  WHERE id > :after
    AND (cast(:status AS text) IS NULL OR status = :status)
    AND (cast(:role AS text) IS NULL OR :role =
      CASE WHEN is_operator = 1 THEN 'operator' WHEN is_moderator = 1 THEN 'moderator' ELSE 'member' END)
    AND (cast(:hasMembership AS integer) IS NULL
      OR CASE WHEN member_until > :now THEN 1 ELSE 0 END = :hasMembership)
    AND (cast(:pattern AS text) IS NULL
      OR username_key LIKE :pattern ESCAPE '!' OR email_key LIKE :pattern ESCAPE '!')
  ORDER BY id LIMIT cast(:limit AS bigint)`;

interface PageOfNamed {
  from: string;
  to: string;
  after: string;
  limit: number;
}

const NAME = {
  sqlite: fragment`username_key`,
  // In the order of code points, which the server's own collation may not follow.
  postgres: fragment`username_key COLLATE "C"`,
};

const selectNamed = {
  sqlite: sql<PageOfNamed, UserRow>`
    SELECT ${USER_COLUMNS} FROM users
    WHERE ${NAME.sqlite} >= :from AND ${NAME.sqlite} < :to AND ${NAME.sqlite} > :after
    ORDER BY ${NAME.sqlite} LIMIT cast(:limit AS bigint)`,
  postgres: sql<PageOfNamed, UserRow>`
    SELECT ${USER_COLUMNS} FROM users
    WHERE ${NAME.postgres} >= :from AND ${NAME.postgres} < :to AND ${NAME.postgres} > :after
    ORDER BY ${NAME.postgres} LIMIT cast(:limit AS bigint)`,
};

const selectNewestId = sql<void, { id: number }>`
  SELECT id FROM users ORDER BY id DESC LIMIT 1`;

const countUnusable = sql<{ status: 'suspended' | 'closed'; most: number }, { count: number }>`
  SELECT count(*) AS count FROM (
    SELECT id FROM users
    WHERE status = :status AND status <> 'active'
    LIMIT cast(:most AS bigint)
  ) AS unusable`;

const countActive = sql<{ most: number }, { count: number }>`
  SELECT count(*) AS count FROM (
    SELECT 1 FROM users WHERE status = 'active' LIMIT cast(:most AS bigint)
  ) AS active`;
