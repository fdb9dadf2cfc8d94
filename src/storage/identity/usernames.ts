// The earlier usernames of members, as rows. A name that a member had here stays reserved, also after the account
// is closed.

import type { EarlierUsername, UsernameReads, UsernameWrites } from '../../identity/username-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { entry, NO_ENTRY } from '../audit/audit-trail.ts';
import { securityEvent } from '../audit/security-events.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { sql } from '../engine/sql.ts';
import { insertMail } from './mails.ts';

export function usernameRows(database: Database): UsernameReads & UsernameWrites {
  return {
    async earlierUsernames(userId) {
      const rows = await database.rows(selectEarlier({ userId }));
      return rows.map(({ isReserved, ...row }) => ({ ...row, isReserved: isReserved === 1 }));
    },
    async untoldUsername(userId) {
      return (await database.first(selectUntold({ userId })))?.username;
    },
    async renameUser(by, { id: userId, username: from, email }, renaming) {
      const { username: to, usernameKey, earlierKey, language } = renaming;
      const { at } = by;
      const reservedKey = earlierKey === usernameKey ? undefined : earlierKey;
      return runGuarded(database, {
        audit: entry(by, {
          action: 'user.rename',
          subject: { kind: 'user', id: String(userId) },
          detail: { from, to },
        }),
        guard: updateUsername({ userId, from, to, usernameKey }),
        effects: [
          deleteReservation({ userId, usernameKey }),
          insertEarlier({ userId, username: from, reservedKey, at }),
          ...(email === undefined
            ? []
            : [insertMail({ purpose: 'renamed', userId, email, language, createdAt: at })]),
        ],
        events: [securityEvent({ event: 'username_changed', at, userId, by: by.kind })],
      });
    },
    async markRenameTold(userId, at) {
      return runGuarded(database, { audit: NO_ENTRY, guard: updateTold({ userId, at }) });
    },
  };
}

const updateUsername = sql<{ userId: number; from: string; to: string; usernameKey: string }>`
  UPDATE users SET username = :to, username_key = :usernameKey
  WHERE id = :userId AND username = :from AND status <> 'closed'
    AND NOT EXISTS (SELECT 1 FROM users AS other WHERE other.username_key = :usernameKey AND other.id <> users.id)
    AND NOT EXISTS (
      SELECT 1 FROM earlier_usernames AS earlier
      WHERE earlier.reserved_key = :usernameKey AND earlier.user_id <> users.id)`;

// The member gets an earlier name back.
const deleteReservation = sql<{ userId: number; usernameKey: string }>`
  DELETE FROM earlier_usernames WHERE user_id = :userId AND reserved_key = :usernameKey`;

const insertEarlier = sql<{
  userId: number;
  username: string;
  reservedKey: string | undefined;
  at: Timestamp;
}>`
  INSERT INTO earlier_usernames (user_id, username, reserved_key, renamed_at)
  VALUES (:userId, :username, :reservedKey, :at)`;

/** Remember the username of an imported member in the other community, if this step has added the account. */
export const insertForeignUsername = sql<{
  usernameKey: string;
  passwordHash: string;
  foreignName: string;
  at: Timestamp;
}>`
  INSERT INTO earlier_usernames (user_id, username, renamed_at)
  SELECT id, :foreignName, :at
  FROM users WHERE username_key = :usernameKey AND password_hash = :passwordHash`;

/** Delete the member's usernames in other communities. */
export const deleteForeignUsernamesOf = sql<{ userId: number }>`
  DELETE FROM earlier_usernames WHERE user_id = :userId AND reserved_key IS NULL`;

type EarlierRow = Omit<EarlierUsername, 'isReserved'> & { isReserved: number };

const selectEarlier = sql<{ userId: number }, EarlierRow>`
  SELECT username, CASE WHEN reserved_key IS NULL THEN 0 ELSE 1 END AS "isReserved", renamed_at AS "renamedAt"
  FROM earlier_usernames
  WHERE user_id = :userId
  ORDER BY id DESC LIMIT 100`;

const selectUntold = sql<{ userId: number }, { username: string }>`
  SELECT username FROM earlier_usernames
  WHERE user_id = :userId AND told_at IS NULL
  ORDER BY id LIMIT 1`;

const updateTold = sql<{ userId: number; at: Timestamp }>`
  UPDATE earlier_usernames SET told_at = :at WHERE user_id = :userId AND told_at IS NULL`;
