// Replacing a password, and revoking everything that the old one opened.

import type { PasswordWrites } from '../../identity/password-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { NO_ENTRY, ownAct } from '../audit/audit-trail.ts';
import { securityEvent } from '../audit/security-events.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { type Bound, type Dialect, sql } from '../engine/sql.ts';
import {
  ACCOUNT_WITH_PASSWORD,
  endPublicSignInsIfPasswordIs,
  endSessionsIfPasswordIs,
  eventIfPasswordIs,
} from './ended-sessions.ts';
import { ENDS_MAILS, useMailToken } from './mail-tokens.ts';
import { insertPasswordNotice } from './mails.ts';

export function passwordRows(database: Database): PasswordWrites {
  const { dialect } = database;
  return {
    async renewPasswordHash(userId, from, to) {
      return runGuarded(database, { audit: NO_ENTRY, guard: replacePassword({ userId, from, to }) });
    },
    async changePassword(by, { from, to, language }) {
      const { userId, at, address } = by;
      return runGuarded(database, {
        audit: ownAct(by),
        guard: replacePassword({ userId, from, to }),
        effects: revokeOldAccess(dialect, { userId, hash: to, language, at, detail: 'password_changed' }),
        events: [securityEvent({ event: 'password_changed', at, userId, address })],
      });
    },
    async resetPassword({ key, userId, email }, to, language, at, address) {
      const { changes } = await database.atomically({
        audit: NO_ENTRY,
        guard: useMailToken({ key, purpose: 'reset', now: at }),
        effects: {
          setPassword: setPasswordOfAddress({ userId, email, to }),
          revokeOldAccess: revokeOldAccess(dialect, {
            userId,
            hash: to,
            language,
            at,
            detail: 'password_reset',
          }),
        },
        events: [eventIfPasswordIs({ event: 'password_reset', at, userId, hash: to, address })],
      });
      return changes.setPassword === 1;
    },
  };
}

interface NewPassword {
  userId: number;
  /** Its salt is unique, so an account that has this hash got it in this step. */
  hash: string;
  language: string;
  at: Timestamp;
  detail: 'password_changed' | 'password_reset' | 'email_change_undone' | 'activity_disowned';
}

/** The effects of a new password: they revoke what the old one opened, and mail a notice. */
function revokeOldAccess(dialect: Dialect, password: NewPassword): Bound<unknown>[] {
  return [...endOldAccess(dialect, password), insertPasswordNotice(password)];
}

/** The effects of a new hash that end what was opened with the old one, if the account has the new hash. */
export function endOldAccess(dialect: Dialect, password: Omit<NewPassword, 'language'>): Bound<unknown>[] {
  const { userId, hash, at } = password;
  return [
    ...endSessionsIfPasswordIs(dialect, password),
    deleteTokensIfPasswordIs({ userId, hash }),
    deleteMailsIfPasswordIs({ userId, hash }),
    voidCodesIfPasswordIs({ userId, hash, at }),
    endPublicSignInsIfPasswordIs({ userId, hash, at }),
  ];
}

const replacePassword = sql<{ userId: number; from: string; to: string }>`
  UPDATE users SET password_hash = :to WHERE id = :userId AND password_hash = :from AND status = 'active'`;

export const setPasswordOfAddress = sql<{ userId: number; email: string; to: string }>`
  UPDATE users SET password_hash = :to WHERE id = :userId AND coalesce(email, '') = :email AND status <> 'closed'`;

// Whoever changes address and password must not take the undo link from the reader of the previous address, nor the
// link "This wasn't me" from the member.
const deleteTokensIfPasswordIs = sql<{ userId: number; hash: string }>`
  DELETE FROM mail_tokens
  WHERE purpose NOT IN ('undo', 'keep_factors', 'disown') AND NOT (${ENDS_MAILS})
    AND user_id = ${ACCOUNT_WITH_PASSWORD}`;

// A code from before would start a sign-in that outlives the password.
const voidCodesIfPasswordIs = sql<{ userId: number; hash: string; at: Timestamp }>`
  UPDATE authorization_codes SET voided_at = :at
  WHERE redeemed_at IS NULL AND voided_at IS NULL AND user_id = ${ACCOUNT_WITH_PASSWORD}`;

// A link that waits to be sent would open the account as well as one that was sent.
const deleteMailsIfPasswordIs = sql<{ userId: number; hash: string }>`
  DELETE FROM mails WHERE purpose IN ('confirm', 'reset') AND user_id = ${ACCOUNT_WITH_PASSWORD}`;
