// The email addresses of accounts: an address belongs to one account at most.

import type { SecurityEvent } from '../../audit/security-event.ts';
import type { EmailReads, EmailWrites } from '../../identity/email-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { entry, NO_ENTRY, ownAct } from '../audit/audit-trail.ts';
import { EVENT_ROW, INTO_EVENTS, recorded, securityEvent } from '../audit/security-events.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';
import { removeFactorsSince } from './disowned-factors.ts';
import { eventIfPasswordIs } from './ended-sessions.ts';
import {
  deleteConfirmAndResetTokensOf,
  deleteLinksOf,
  deleteUndoTokensFrom,
  ENDS_MAILS,
  insertTokenIfPasswordIs,
  rowOf,
  useMailToken,
  useOwnMailToken,
} from './mail-tokens.ts';
import {
  deleteAddressNoticesFrom,
  deleteAddressNoticesOf,
  deleteMailsWithLinks,
  insertMail,
  insertRemovalNotice,
  insertReplacementNotice,
} from './mails.ts';
import { endOldAccess } from './passwords.ts';
import { takeLock, USER_COLUMNS, type UserRow, userOf } from './users.ts';

export function emailRows(database: Database): EmailReads & EmailWrites {
  const { dialect } = database;
  return {
    async findUserByEmail(emailKey) {
      const row = await database.first(selectUserByEmail({ emailKey }));
      return row && userOf(row);
    },
    async confirmEmail(by, tokenKey, { email, emailKey }, { joinedSince, ...notice }) {
      const { userId, at, address } = by;
      const outcome = await database.atomically({
        audit: ownAct(by),
        guard: useOwnMailToken({ key: tokenKey, userId, now: at }),
        effects: {
          takeLock: takeLock({ name: 'email' }),
          // Before the update, which replaces the address that this mail goes to.
          insertNotice: insertReplacementNotice({
            ...notice,
            purpose: 'email_changed',
            userId,
            emailKey,
            at,
          }),
          updateEmail: updateEmail({ userId, email, emailKey, at, joinedSince }),
          deleteTokens: deleteTokensIfEmailIs({ userId, emailKey }),
          deleteMails: deleteMailsIfEmailIs({ userId, emailKey }),
        },
        events: [recorded(insertConfirmedEvent({ at, userId, emailKey, address }))],
      });
      if (!outcome.happened) return 'unusable';
      return outcome.changes.updateEmail === 1 ? 'confirmed' : 'taken';
    },
    async removeEmail(by, email, notice) {
      const { userId, at, address } = by;
      return runGuarded(database, {
        audit: ownAct(by),
        guard: clearEmail({ userId, email }),
        events: [securityEvent({ event: 'email_changed', at, userId, address, detail: 'removed' })],
        effects: [
          deleteConfirmAndResetTokensOf({ userId }),
          deleteMailsWithLinks({ userId }),
          insertRemovalNotice({ ...notice, userId, email, at }),
          // After the notice, which depends on the age of the address.
          noteRemoval({ userId, at }),
        ],
      });
    },
    async setEmail(by, { id: userId, email: previous }, next, { mayBeOperator, language }) {
      const { at } = by;
      const notice = (purpose: 'email_replaced' | 'email_added', email: string) =>
        insertMail({ purpose, userId, email, language, createdAt: at });
      return runGuarded(database, {
        audit: entry(by, {
          action: 'user.set_email',
          subject: { kind: 'user', id: String(userId) },
          detail: { address: next === undefined ? 'removed' : 'set' },
        }),
        guard: replaceEmail({
          userId,
          previous: previous ?? '',
          email: next?.email,
          emailKey: next?.emailKey,
          mayBeOperator: mayBeOperator ? 1 : 0,
        }),
        effects: [
          // Also those that would undo an earlier change: the operators have decided whose account it is.
          deleteLinksOf({ userId }),
          deleteMailsWithLinks({ userId }),
          deleteAddressNoticesOf({ userId }),
          ...(previous === undefined ? [] : [notice('email_replaced', previous)]),
          ...(next === undefined ? [] : [notice('email_added', next.email)]),
        ],
        events: [
          securityEvent({
            event: 'email_changed',
            at,
            userId,
            address: undefined,
            by: by.kind,
            detail: next === undefined ? 'removed' : 'set',
          }),
        ],
      });
    },
    async restoreEmail({ key, userId, email, expiresAt }, restoration) {
      const { emailKey, passwordHash, changedAt, factorsSince, reset, language, at, address } = restoration;
      // The hash has a unique salt, so the account has this hash only if this step has restored the address.
      const restored = { userId, hash: passwordHash };
      const outcome = await database.atomically({
        audit: NO_ENTRY,
        guard: useMailToken({ key, purpose: 'undo', now: at }),
        effects: {
          takeLock: takeLock({ name: 'email' }),
          // Before the update, which replaces the address that this mail goes to.
          insertNotice: insertReplacementNotice({
            purpose: 'email_restored',
            userId,
            emailKey,
            language,
            at,
            youngSince: at,
          }),
          restore: restoreAddress({ userId, email, emailKey, passwordHash }),
          endOldAccess: endOldAccess(dialect, { ...restored, at, detail: 'email_change_undone' }),
          removeFactors: removeFactorsSince({ ...restored, since: factorsSince, at, address }),
          deleteLaterTokens: deleteUndoTokensFrom({ ...restored, expiresAt }),
          deleteLaterNotices: deleteAddressNoticesFrom({ ...restored, changedAt }),
          insertReset: insertTokenIfPasswordIs({ ...rowOf(reset), hash: passwordHash }),
        },
        events: [eventIfPasswordIs({ event: 'email_change_undone', ...restored, at, address })],
      });
      if (!outcome.happened) return 'unusable';
      return outcome.changes.restore === 1 ? 'restored' : 'taken';
    },
  };
}

const selectUserByEmail = sql<{ emailKey: string }, UserRow>`
  SELECT ${USER_COLUMNS} FROM users WHERE email_key = :emailKey`;

// An address belongs to one account, and a closed account gets none.
const MAY_HAVE_EMAIL = fragment`status <> 'closed' AND NOT EXISTS (
  SELECT 1 FROM users AS other WHERE other.email_key = :emailKey AND other.id <> users.id)`;

// The first address of an account that has just joined is not younger than the account. After a removal, none is first.
const updateEmail = sql<{
  userId: number;
  email: string;
  emailKey: string;
  at: Timestamp;
  joinedSince: Timestamp;
}>`
  UPDATE users SET email = :email, email_key = :emailKey,
    email_since = CASE
      WHEN email IS NOT NULL OR email_since IS NOT NULL OR created_at <= :joinedSince THEN cast(:at AS bigint) END
  WHERE id = :userId AND ${MAY_HAVE_EMAIL}`;

const replaceEmail = sql<{
  userId: number;
  previous: string;
  email: string | undefined;
  emailKey: string | undefined;
  mayBeOperator: number;
}>`
  UPDATE users SET email = :email, email_key = :emailKey, email_since = NULL
  WHERE id = :userId AND coalesce(email, '') = :previous AND is_operator <= :mayBeOperator AND ${MAY_HAVE_EMAIL}`;

const restoreAddress = sql<{ userId: number; email: string; emailKey: string; passwordHash: string }>`
  UPDATE users SET email = :email, email_key = :emailKey, email_since = NULL, password_hash = :passwordHash
  WHERE id = :userId AND ${MAY_HAVE_EMAIL}`;

const clearEmail = sql<{ userId: number; email: string }>`
  UPDATE users SET email = NULL, email_key = NULL WHERE id = :userId AND email = :email`;

const noteRemoval = sql<{ userId: number; at: Timestamp }>`
  UPDATE users SET email_since = :at WHERE id = :userId`;

interface ConfirmedEmail {
  userId: number;
  emailKey: string;
}

// Selects no account if the address was refused because another account has it.
const ACCOUNT_WITH_EMAIL = fragment`(SELECT id FROM users WHERE id = :userId AND email_key = :emailKey)`;

const insertConfirmedEvent = sql<
  ConfirmedEmail & { at: Timestamp; address: string | undefined },
  SecurityEvent
>`
  ${INTO_EVENTS}
  SELECT :at, 'email_changed', id, NULL, :address, NULL, 'confirmed', NULL
  FROM users WHERE id = :userId AND email_key = :emailKey
  ${EVENT_ROW}`;

const deleteTokensIfEmailIs = sql<ConfirmedEmail>`
  DELETE FROM mail_tokens
  WHERE purpose NOT IN ('undo', 'keep_factors') AND NOT (${ENDS_MAILS}) AND user_id = ${ACCOUNT_WITH_EMAIL}`;

const deleteMailsIfEmailIs = sql<ConfirmedEmail>`
  DELETE FROM mails WHERE purpose IN ('confirm', 'reset') AND user_id = ${ACCOUNT_WITH_EMAIL}`;
