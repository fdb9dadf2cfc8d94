// The email addresses of accounts: an address belongs to one account at most.

import type { SecurityEvent } from '../../audit/security-event.ts';
import type { EmailReads, EmailWrites } from '../../identity/email-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { NO_PERSON, ownAct } from '../audit/audit-trail.ts';
import { EVENT_ROW, INTO_EVENTS, recorded, securityEvent } from '../audit/security-events.ts';
import { type Database, happens } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';
import { deleteMailTokensOf, useMailToken } from './mail-tokens.ts';
import { insertAddressNotice, insertRemovalNotice } from './mails.ts';
import { takeLock, USER_COLUMNS, type UserRow, userOf } from './users.ts';

export function emailRows(database: Database): EmailReads & EmailWrites {
  return {
    async findUserByEmail(emailKey) {
      const row = await database.first(selectUserByEmail({ emailKey }));
      return row && userOf(row);
    },
    async confirmEmail(tokenKey, { userId, email, emailKey }, language, at) {
      const outcome = await database.atomically({
        audit: NO_PERSON,
        guard: useMailToken({ key: tokenKey, purpose: 'confirm', now: at }),
        effects: {
          takeLock: takeLock({ name: 'email' }),
          // Before the update, which replaces the address that this mail goes to.
          insertNotice: insertAddressNotice({ userId, emailKey, language, at }),
          updateEmail: updateEmail({ userId, email, emailKey }),
          deleteTokens: deleteTokensIfEmailIs({ userId, emailKey }),
          deleteMails: deleteMailsIfEmailIs({ userId, emailKey }),
        },
        events: [recorded(insertConfirmedEvent({ at, userId, emailKey }))],
      });
      if (!outcome.happened) return 'unusable';
      return outcome.changes.updateEmail === 1 ? 'confirmed' : 'taken';
    },
    async removeEmail(by, email, language) {
      const { userId, at, address } = by;
      return happens(database, {
        audit: ownAct(by),
        guard: clearEmail({ userId, email }),
        events: [securityEvent({ event: 'email_changed', at, userId, address, detail: 'removed' })],
        effects: [
          deleteMailTokensOf({ userId }),
          deleteMailsWithLinks({ userId }),
          insertRemovalNotice({ userId, email, language, at }),
        ],
      });
    },
  };
}

const selectUserByEmail = sql<{ emailKey: string }, UserRow>`
  SELECT ${USER_COLUMNS} FROM users WHERE email_key = :emailKey`;

const updateEmail = sql<{ userId: number; email: string; emailKey: string }>`
  UPDATE users SET email = :email, email_key = :emailKey
  WHERE id = :userId AND status <> 'closed' AND NOT EXISTS (
    SELECT 1 FROM users AS other WHERE other.email_key = :emailKey AND other.id <> users.id)`;

const clearEmail = sql<{ userId: number; email: string }>`
  UPDATE users SET email = NULL, email_key = NULL WHERE id = :userId AND email = :email`;

interface ConfirmedEmail {
  userId: number;
  emailKey: string;
}

// No account if the address was refused because another account has it.
const ACCOUNT_WITH_EMAIL = fragment`(SELECT id FROM users WHERE id = :userId AND email_key = :emailKey)`;

const insertConfirmedEvent = sql<ConfirmedEmail & { at: Timestamp }, SecurityEvent>`
  ${INTO_EVENTS}
  SELECT :at, 'email_changed', id, NULL, NULL, NULL, 'confirmed', NULL
  FROM users WHERE id = :userId AND email_key = :emailKey
  ${EVENT_ROW}`;

const deleteTokensIfEmailIs = sql<ConfirmedEmail>`
  DELETE FROM mail_tokens WHERE user_id = ${ACCOUNT_WITH_EMAIL}`;

const deleteMailsIfEmailIs = sql<ConfirmedEmail>`
  DELETE FROM mails WHERE purpose IN ('confirm', 'reset') AND user_id = ${ACCOUNT_WITH_EMAIL}`;

// Notices, which have no link, are still sent.
const deleteMailsWithLinks = sql<{ userId: number }>`
  DELETE FROM mails WHERE purpose IN ('confirm', 'reset') AND user_id = :userId`;
