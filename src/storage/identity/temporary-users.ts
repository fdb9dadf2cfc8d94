// Accounts that exist for one check of `doctor`, as rows. All other accounts are never deleted.

import type { TemporaryUserReads, TemporaryUserWrites } from '../../identity/store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { NO_ENTRY } from '../audit/audit-trail.ts';
import type { Database } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';
import { insertUser, userRow } from './users.ts';

export function temporaryUserRows(database: Database): TemporaryUserReads & TemporaryUserWrites {
  return {
    async temporaryUsers(before) {
      return (await database.rows(selectTemporaryUsers({ before }))).map(({ id }) => id);
    },
    async addTemporaryUser(user) {
      const { rows } = await database.atomically({ audit: NO_ENTRY, guard: insertUser(userRow(user)) });
      return rows[0]?.id ?? 0;
    },
    async deleteTemporaryUser(userId) {
      await database.atomically({
        audit: NO_ENTRY,
        // Caches learn of a changed account, and not of a deleted one.
        guard: closeTemporaryUser({ userId }),
        effects: [
          deleteSessions({ userId }),
          deleteEvents({ userId }),
          deleteAccessTokens({ userId }),
          deleteFamilies({ userId }),
          deleteCodes({ userId }),
          deleteGrants({ userId }),
          deleteUser({ userId }),
        ],
      });
    },
  };
}

interface OfUser {
  userId: number;
}

// The second part finds those of version 0.1.0. Its doctor closed each within a minute.
const IS_TEMPORARY = fragment`(username LIKE 'doctor~%' OR (
  username LIKE 'doctor-____________' AND status = 'closed' AND EXISTS (
    SELECT 1 FROM audit_events
    WHERE audit_events.subject_kind = 'user' AND audit_events.subject_id = cast(users.id AS text)
      AND audit_events.action = 'user.close' AND audit_events.actor_id IS NULL
      AND audit_events.at < users.created_at + 60000)
  AND NOT EXISTS (SELECT 1 FROM posts WHERE posts.user_id = users.id)
  AND NOT EXISTS (SELECT 1 FROM comments WHERE comments.user_id = users.id)))`;

const selectTemporaryUsers = sql<{ before: Timestamp }, { id: number }>`
  SELECT id FROM users WHERE ${IS_TEMPORARY} AND created_at < :before ORDER BY id`;

const closeTemporaryUser = sql<OfUser>`
  UPDATE users SET status = 'closed' WHERE id = :userId AND ${IS_TEMPORARY}`;

const deleteSessions = sql<OfUser>`
  DELETE FROM sessions WHERE user_id = :userId`;

const deleteEvents = sql<OfUser>`
  DELETE FROM security_events WHERE user_id = :userId`;

const deleteAccessTokens = sql<OfUser>`
  DELETE FROM access_tokens
  WHERE family_key IN (SELECT key FROM token_families WHERE token_families.user_id = :userId)`;

const deleteFamilies = sql<OfUser>`
  DELETE FROM token_families WHERE user_id = :userId`;

const deleteCodes = sql<OfUser>`
  DELETE FROM authorization_codes WHERE user_id = :userId`;

const deleteGrants = sql<OfUser>`
  DELETE FROM grants WHERE user_id = :userId`;

const deleteUser = sql<OfUser>`
  DELETE FROM users WHERE id = :userId`;
