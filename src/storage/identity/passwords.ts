// Replacing a password, and revoking everything that the old one opened.

import type { PasswordWrites } from '../../identity/password-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { NO_PERSON, ownAct } from '../audit/audit-trail.ts';
import { type Database, happens } from '../engine/database.ts';
import { type Bound, fragment, sql } from '../engine/sql.ts';
import { useMailToken } from './mail-tokens.ts';
import { insertPasswordNotice } from './mails.ts';

export function passwordRows(database: Database): PasswordWrites {
  return {
    async renewPasswordHash(userId, from, to) {
      return happens(database, { audit: NO_PERSON, guard: replacePassword({ userId, from, to }) });
    },
    async changePassword(by, { from, to, language }) {
      const { userId, at } = by;
      return happens(database, {
        audit: ownAct(by),
        guard: replacePassword({ userId, from, to }),
        effects: revokeOldAccess({ userId, hash: to, language, at }),
      });
    },
    async resetPassword({ key, userId, email }, to, language, at) {
      const { changes } = await database.atomically({
        audit: NO_PERSON,
        guard: useMailToken({ key, purpose: 'reset', now: at }),
        effects: {
          setPassword: setPasswordOfAddress({ userId, email, to }),
          revokeOldAccess: revokeOldAccess({ userId, hash: to, language, at }),
        },
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
}

/** The effects of a new password: they revoke what the old one opened, and mail a notice. */
function revokeOldAccess(password: NewPassword): Bound<unknown>[] {
  return [...endOldAccess(password), insertPasswordNotice(password)];
}

/** The effects of a new hash that end what was opened with the old one, if the account has the new hash. */
export function endOldAccess({
  userId,
  hash,
  at,
}: Pick<NewPassword, 'userId' | 'hash' | 'at'>): Bound<unknown>[] {
  return [
    deleteSessionsIfPasswordIs({ userId, hash }),
    deleteTokensIfPasswordIs({ userId, hash }),
    deleteMailsIfPasswordIs({ userId, hash }),
    voidCodesIfPasswordIs({ userId, hash, at }),
  ];
}

const replacePassword = sql<{ userId: number; from: string; to: string }>`
  UPDATE users SET password_hash = :to WHERE id = :userId AND password_hash = :from AND status = 'active'`;

const setPasswordOfAddress = sql<{ userId: number; email: string; to: string }>`
  UPDATE users SET password_hash = :to WHERE id = :userId AND email = :email AND status <> 'closed'`;

const ACCOUNT_WITH_PASSWORD = fragment`(SELECT id FROM users WHERE id = :userId AND password_hash = :hash)`;

const deleteSessionsIfPasswordIs = sql<{ userId: number; hash: string }>`
  DELETE FROM sessions WHERE user_id = ${ACCOUNT_WITH_PASSWORD}`;

// Whoever changes address and password must not take the undo link from the reader of the previous address.
const deleteTokensIfPasswordIs = sql<{ userId: number; hash: string }>`
  DELETE FROM mail_tokens WHERE purpose <> 'undo' AND user_id = ${ACCOUNT_WITH_PASSWORD}`;

// A code from before would start a sign-in that outlives the password.
const voidCodesIfPasswordIs = sql<{ userId: number; hash: string; at: Timestamp }>`
  UPDATE authorization_codes SET voided_at = :at
  WHERE redeemed_at IS NULL AND voided_at IS NULL AND user_id = ${ACCOUNT_WITH_PASSWORD}`;

// A link that waits to be sent would open the account as well as one that was sent.
const deleteMailsIfPasswordIs = sql<{ userId: number; hash: string }>`
  DELETE FROM mails WHERE purpose IN ('confirm', 'reset') AND user_id = ${ACCOUNT_WITH_PASSWORD}`;
