// Accounts, as rows. They are never deleted: a closed account keeps its id and its username.

import type { Doer } from '../../audit/doer.ts';
import type { IdentityStore, NamedMember, NewUser } from '../../identity/store.ts';
import type { AccountStatus, User } from '../../identity/user.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { type Actor, entryBy, ownAct } from '../audit/audit-trail.ts';
import type { AuditTrail, Database } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';
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
  | 'findUserByAnyName'
  | 'membersByName'
  | 'findPasswordHash'
  | 'setBio'
> {
  async function hasOperator(): Promise<boolean> {
    return (await database.first(selectOperator())) !== undefined;
  }

  // Accounts are never deleted, so the account with the same username or address still exists.
  async function conflictOf({ usernameKey }: NewUser): Promise<'username_taken' | 'email_taken'> {
    const namesake = await database.first(selectUserByAnyName({ usernameKey }));
    return namesake === undefined ? 'email_taken' : 'username_taken';
  }

  return {
    async addUser(by, user) {
      const audit = creationEntry(by, user);
      const { rows } = await database.atomically({ audit, guard: insertUser(userRow(user)) });
      return rows[0]?.id ?? conflictOf(user);
    },
    async addFirstOperator(by, user, mail) {
      const { usernameKey } = user;
      const { changes } = await database.atomically({
        audit: creationEntry(by, { ...user, isOperator: true }),
        // Parallel calls wait for this lock, so the insertion sees an operator whom another call has added.
        guard: takeLock({ name: 'first-operator' }),
        effects: {
          insertUser: insertUserUnlessOperator(userRow({ ...user, isOperator: true })),
          mail: firstMail(user, mail),
        },
      });
      if (changes.insertUser === 1) {
        return (await database.first(selectUserByName({ usernameKey })))?.user_id;
      }
      return (await hasOperator()) ? undefined : conflictOf(user);
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
    async findUserByAnyName(usernameKey) {
      const row = await database.first(selectUserByAnyName({ usernameKey }));
      return row && userOf(row);
    },
    async membersByName(usernameKeys) {
      return database.rows(selectNamed[database.dialect]({ keys: JSON.stringify(usernameKeys) }));
    },
    async findPasswordHash(userId) {
      return (await database.first(selectPasswordHash({ userId })))?.passwordHash;
    },
    async setBio(by, bio) {
      await database.atomically({ audit: ownAct(by), guard: updateBio({ userId: by.userId, bio }) });
    },
  };
}

function creationEntry(by: Doer, { username, usernameKey, passwordHash, isOperator }: NewUser): AuditTrail {
  const detail = JSON.stringify(isOperator ? { username, operator: true } : { username });
  return entryBy(by, (actor) => insertCreationEvent({ ...actor, usernameKey, passwordHash, detail }));
}

// The salt of the hash is unique: no entry is added unless this step has added the account.
const insertCreationEvent = sql<Actor & { usernameKey: string; passwordHash: string; detail: string }>`
  INSERT INTO audit_events (at, actor_id, action, subject_kind, subject_id, detail)
  SELECT :at, :actorId, 'user.create', 'user', cast(id AS text), :detail
  FROM users WHERE username_key = :usernameKey AND password_hash = :passwordHash`;

type NewUserRow = Omit<NewUser, 'isOperator'> & { isOperator: number };

export interface UserRow {
  user_id: number;
  username: string;
  email: string | undefined;
  bio: string;
  account_status: AccountStatus;
  is_operator: number;
  is_moderator: number;
  has_factor: number;
  member_until: Timestamp | undefined;
  xp: number;
  avatar: string | undefined;
  keeps_diary: number;
  diary_since: Timestamp | undefined;
  joined_at: Timestamp;
}

/** The columns of an account, named so that reads of other tables can add them without a clash. */
export const USER_COLUMNS = fragment`
  users.id AS user_id, users.username, users.email, users.bio, users.status AS account_status,
  users.is_operator, users.is_moderator, users.has_factor, users.member_until,
  users.xp, users.avatar, users.keeps_diary, users.diary_since,
  users.created_at AS joined_at`;

// The earlier username of a renamed member is not free.
const INSERT_USER = fragment`
  INSERT INTO users (username, username_key, email, email_key, password_hash, bio, is_operator, created_at)
  SELECT :username, :usernameKey, :email, :emailKey, :passwordHash, :bio, :isOperator, :createdAt
  WHERE NOT EXISTS (SELECT 1 FROM earlier_usernames WHERE earlier_usernames.reserved_key = :usernameKey)`;

export const insertUser = sql<NewUserRow, { id: number }>`
  ${INSERT_USER}
  ON CONFLICT DO NOTHING
  RETURNING id`;

const insertUserUnlessOperator = sql<NewUserRow>`
  ${INSERT_USER} AND NOT EXISTS (SELECT 1 FROM users WHERE users.is_operator = 1)
  ON CONFLICT DO NOTHING`;

export const takeLock = sql<{ name: string }>`
  UPDATE locks SET taken = taken + 1 WHERE name = :name`;

const selectOperator = sql<void, { id: number }>`
  SELECT id FROM users WHERE is_operator = 1 LIMIT 1`;

const selectUser = sql<{ id: number }, UserRow>`
  SELECT ${USER_COLUMNS} FROM users WHERE id = :id`;

const selectUserByName = sql<{ usernameKey: string }, UserRow>`
  SELECT ${USER_COLUMNS} FROM users WHERE username_key = :usernameKey`;

const selectUserByAnyName = sql<{ usernameKey: string }, UserRow>`
  SELECT ${USER_COLUMNS} FROM users
  WHERE users.id = (
    SELECT id FROM users WHERE username_key = :usernameKey
    UNION ALL SELECT user_id FROM earlier_usernames WHERE reserved_key = :usernameKey
    LIMIT 1)`;

// The keys are a JSON array.
const selectNamed = {
  sqlite: sql<{ keys: string }, NamedMember>`
    SELECT id, username_key AS "usernameKey", status FROM users
    WHERE username_key IN (SELECT value FROM json_each(:keys))`,
  postgres: sql<{ keys: string }, NamedMember>`
    SELECT id, username_key AS "usernameKey", status FROM users
    WHERE username_key = ANY (ARRAY(SELECT json_array_elements_text(cast(:keys AS json))))`,
};

const selectPasswordHash = sql<{ userId: number }, { passwordHash: string }>`
  SELECT password_hash AS "passwordHash" FROM users WHERE id = :userId`;

const updateBio = sql<{ userId: number; bio: string }>`
  UPDATE users SET bio = :bio WHERE id = :userId AND status = 'active'`;

const ACTIVE_USER = fragment`
  SELECT users.id FROM users WHERE users.id = :userId AND users.status = 'active'`;

/**
 * For the guards of members' writes: the member is active. A request is checked when it arrives, and its text can
 * be ready only after a suspension.
 */
export const IS_ACTIVE = fragment`EXISTS (${ACTIVE_USER})`;

/** As `IS_ACTIVE` on PostgreSQL. It locks the account, so that the account can't be closed in between. */
export const IS_ACTIVE_LOCKED = fragment`EXISTS (${ACTIVE_USER} FOR NO KEY UPDATE)`;

/** Lock the account's row if the account is active, so that no change of its status can slip in between. */
export const lockActiveUser = sql<{ userId: number }>`
  UPDATE users SET status = status WHERE id = :userId AND status = 'active'`;

/** As `lockActiveUser`, also for a suspended account. */
export const lockOpenUser = sql<{ userId: number }>`
  UPDATE users SET status = status WHERE id = :userId AND status <> 'closed'`;

/**
 * As `lockActiveUser`, and only if the password still has this hash. With `mayHaveFactor` 0 also only if the
 * account has no second factor.
 */
export const lockUserWithPassword = sql<{ userId: number; passwordHash: string; mayHaveFactor: number }>`
  UPDATE users SET status = status
  WHERE id = :userId AND status = 'active' AND password_hash = :passwordHash AND has_factor <= :mayHaveFactor`;

export function userRow(user: NewUser): NewUserRow {
  return { ...user, isOperator: user.isOperator ? 1 : 0 };
}

/** The account in a row that has the `USER_COLUMNS`. */
export function userOf(row: UserRow): User {
  return {
    id: row.user_id,
    username: row.username,
    email: row.email,
    bio: row.bio,
    avatar: row.avatar,
    status: row.account_status,
    isOperator: row.is_operator === 1,
    isModerator: row.is_moderator === 1,
    hasFactor: row.has_factor === 1,
    memberUntil: row.member_until,
    xp: row.xp,
    keepsDiary: row.keeps_diary === 1,
    diarySince: row.diary_since,
    createdAt: row.joined_at,
  };
}
