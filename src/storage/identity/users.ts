// Accounts, as rows. They are never deleted: a closed one keeps its number and its names.

import { expressionBuilder, type Kysely, type Selectable } from 'kysely';
import type { IdentityStore, NewUser } from '../../identity/store.ts';
import type { AccountStatus, User } from '../../identity/user.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import type { Schema } from '../engine/schema.ts';
import { type Param, statement } from '../engine/statement.ts';
import { firstMail } from './mails.ts';

export function userRows(
  database: Database,
): Pick<
  IdentityStore,
  | 'addUser'
  | 'addFirstOperator'
  | 'hasOperator'
  | 'findUser'
  | 'findUserByName'
  | 'findPasswordHash'
  | 'setBio'
> {
  async function hasOperator(): Promise<boolean> {
    return (await database.first(selectOperator({}))) !== undefined;
  }

  // No account is ever deleted, so what stood in the way is still there to be found.
  async function takenName({ usernameKey }: NewUser): Promise<'username_taken' | 'email_taken'> {
    const namesake = await database.first(selectUserByName({ usernameKey }));
    return namesake === undefined ? 'email_taken' : 'username_taken';
  }

  return {
    async addUser(user) {
      const { rows } = await database.atomically({ guard: insertUser(userRow(user)) });
      return rows[0]?.id ?? takenName(user);
    },
    async addFirstOperator(user, mail) {
      const outcome = await database.atomically({
        // Under the lock the insertion sees every operator who was made before, also by a parallel call.
        guard: takeLock({ name: 'first-operator' }),
        effects: [insertUserUnlessOperator(userRow({ ...user, isOperator: true })), ...firstMail(user, mail)],
      });
      const { usernameKey } = user;
      if (outcome.changes[0] === 1) return (await database.first(selectUserByName({ usernameKey })))?.id;
      return (await hasOperator()) ? undefined : takenName(user);
    },
    hasOperator,
    async findUser(id) {
      const row = await database.first(selectUser({ id }));
      return row && userOf(row);
    },
    async findUserByName(usernameKey) {
      const row = await database.first(selectUserByName({ usernameKey }));
      return row && userOf(row);
    },
    async findPasswordHash(userId) {
      return (await database.first(selectPasswordHash({ userId })))?.password_hash;
    },
    async setBio(userId, bio) {
      await database.atomically({ guard: updateBio({ userId, bio }) });
    },
  };
}

export const insertUser = statement((sql, p: Param<ReturnType<typeof userRow>>) =>
  sql
    .insertInto('users')
    .values({
      username: p('username'),
      username_key: p('username_key'),
      email: p('email'),
      email_key: p('email_key'),
      password_hash: p('password_hash'),
      bio: p('bio'),
      is_operator: p('is_operator'),
      created_at: p('created_at'),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id'),
);

export const takeLock = statement((sql, p: Param<{ name: string }>) =>
  sql
    .updateTable('locks')
    .set((of) => ({ taken: of('taken', '+', 1) }))
    .where('name', '=', p('name')),
);

const insertUserUnlessOperator = statement((sql, p: Param<ReturnType<typeof userRow>>) =>
  sql
    .insertInto('users')
    .columns([
      ...(['username', 'username_key', 'email', 'email_key'] as const),
      ...(['password_hash', 'bio', 'is_operator', 'created_at'] as const),
    ])
    .expression(
      sql
        .selectNoFrom((of) => [
          of.val(p('username')).as('username'),
          of.val(p('username_key')).as('username_key'),
          of.val(p('email')).as('email'),
          of.val(p('email_key')).as('email_key'),
          of.val(p('password_hash')).as('password_hash'),
          of.val(p('bio')).as('bio'),
          of.val(p('is_operator')).as('is_operator'),
          of.val(p('created_at')).as('created_at'),
        ])
        .where((of) =>
          of.not(of.exists(of.selectFrom('users').select('users.id').where('users.is_operator', '=', 1))),
        ),
    )
    .onConflict((conflict) => conflict.doNothing()),
);

const selectOperator = statement((sql, _: Param<Record<never, never>>) =>
  sql.selectFrom('users').select('id').where('is_operator', '=', 1).limit(1),
);

const selectUser = statement((sql, p: Param<{ id: number }>) =>
  sql.selectFrom('users').selectAll().where('id', '=', p('id')),
);

const selectUserByName = statement((sql, p: Param<{ usernameKey: string }>) =>
  sql.selectFrom('users').selectAll().where('username_key', '=', p('usernameKey')),
);

const selectPasswordHash = statement((sql, p: Param<{ userId: number }>) =>
  sql.selectFrom('users').select('password_hash').where('id', '=', p('userId')),
);

const updateBio = statement((sql, p: Param<{ userId: number; bio: string }>) =>
  sql
    .updateTable('users')
    .set({ bio: p('bio') })
    .where('id', '=', p('userId')),
);

/** The number of this account, if its address or password is now this one: for what follows from a change of it. */
export function accountWith(column: 'email_key' | 'password_hash', userId: number, value: string) {
  return expressionBuilder<Schema, never>()
    .selectFrom('users')
    .select('users.id')
    .where('users.id', '=', userId)
    .where(`users.${column}`, '=', value);
}

/** Locks the account's row if the account is active, so that no change of its state can slip in between. */
export const lockActiveUser = statement((sql, p: Param<{ userId: number }>) =>
  lockingActiveUser(sql, p('userId')),
);

/** The same, and only if the password is still the one with this hash. */
export const lockUserWithPassword = statement((sql, p: Param<{ userId: number; passwordHash: string }>) =>
  lockingActiveUser(sql, p('userId')).where('password_hash', '=', p('passwordHash')),
);

function lockingActiveUser(sql: Kysely<Schema>, userId: number) {
  return sql
    .updateTable('users')
    .set((of) => ({ status: of.ref('status') }))
    .where('id', '=', userId)
    .where('status', '=', 'active');
}

export function userRow(user: NewUser) {
  return {
    username: user.username,
    username_key: user.usernameKey,
    email: user.email ?? null,
    email_key: user.emailKey ?? null,
    password_hash: user.passwordHash,
    bio: user.bio,
    is_operator: user.isOperator ? 1 : 0,
    created_at: user.createdAt,
  };
}

/** The columns of an account, for reads of what belongs to it: joined under names that are no other table's. */
export const JOINED_USER = [
  'users.id as user_id',
  'users.username',
  'users.email',
  'users.bio',
  'users.status as account_status',
  'users.is_operator',
  'users.member_until',
  'users.xp',
  'users.avatar',
  'users.created_at as joined_at',
] as const;

interface JoinedUserRow {
  user_id: number;
  username: string;
  email: string | null;
  bio: string;
  account_status: AccountStatus;
  is_operator: number;
  member_until: Timestamp | null;
  xp: number;
  avatar: string | null;
  joined_at: Timestamp;
}

const ACCOUNT_STATUS = { active: 'active', suspended: 'suspended', closed: 'closed' } as const;

/** The account in a row that was joined with `JOINED_USER`. */
export function joinedUserOf(row: JoinedUserRow): User {
  return {
    id: row.user_id,
    username: row.username,
    email: row.email ?? undefined,
    bio: row.bio,
    avatar: row.avatar ?? undefined,
    // Shared: the row's own text would be kept with each account.
    status: ACCOUNT_STATUS[row.account_status],
    isOperator: row.is_operator === 1,
    memberUntil: row.member_until ?? undefined,
    xp: row.xp,
    createdAt: row.joined_at,
  };
}

export function userOf(row: Selectable<Schema['users']>): User {
  return {
    id: row.id,
    username: row.username,
    email: row.email ?? undefined,
    bio: row.bio,
    avatar: row.avatar ?? undefined,
    status: row.status,
    isOperator: row.is_operator === 1,
    memberUntil: row.member_until ?? undefined,
    xp: row.xp,
    createdAt: row.created_at,
  };
}
