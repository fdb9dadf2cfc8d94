// The tokens in mailed links, as rows. Using a token deletes it.

import type { MailReads, MailToken, MailWrites } from '../../identity/mail-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { NO_ENTRY } from '../audit/audit-trail.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';
import { digestColumn, digestOfColumn } from '../oauth/digest-column.ts';

export function mailTokenRows(
  database: Database,
): Pick<MailReads, 'findMailToken' | 'emailToConfirm'> & Pick<MailWrites, 'addMailToken'> {
  return {
    async addMailToken(token, mailId) {
      const row = rowOf(token);
      if (mailId === undefined) {
        return runGuarded(database, { audit: NO_ENTRY, guard: insertMailToken(row) });
      }
      const { changes } = await database.atomically({
        audit: NO_ENTRY,
        // Waits for a change of the account in progress, which may delete the mail.
        guard: lockUser({ userId: token.userId }),
        effects: { insert: insertTokenOfMail({ ...row, mailId }) },
      });
      return changes.insert === 1;
    },
    async findMailToken(key) {
      const row = await database.first(selectMailToken({ key }));
      if (row === undefined) return undefined;
      const { about, ...token } = row;
      const disowned = about === '{}' ? {} : { disowned: JSON.parse(about) };
      return { ...token, digest: digestOfColumn(row.digest), ...disowned };
    },
    async emailToConfirm(userId, now) {
      const mail = await database.first(selectWaitingConfirmation({ userId }));
      if (mail !== undefined) return mail.email;
      return (await database.first(selectOpenConfirmation({ userId, now })))?.email;
    },
  };
}

type MailTokenRow = Omit<MailToken, 'digest' | 'disowned'> & { digest: Uint8Array; about: string };

export function rowOf({ disowned = {}, ...token }: MailToken): MailTokenRow {
  return { ...token, digest: digestColumn(token.digest), about: JSON.stringify(disowned) };
}

const lockUser = sql<{ userId: number }>`UPDATE users SET status = status WHERE id = :userId`;

const insertMailToken = sql<MailTokenRow>`
  INSERT INTO mail_tokens (key, digest, purpose, user_id, email, about, expires_at)
  VALUES (:key, :digest, :purpose, :userId, :email, :about, :expiresAt)`;

// A new password or address deletes the mails that wait. The token of a deleted mail must not become valid.
const insertTokenOfMail = sql<MailTokenRow & { mailId: number }>`
  INSERT INTO mail_tokens (key, digest, purpose, user_id, email, about, expires_at)
  SELECT :key, :digest, :purpose, :userId, :email, :about, :expiresAt
  FROM mails WHERE id = :mailId`;

const selectMailToken = sql<{ key: string }, MailTokenRow>`
  SELECT key, digest, purpose, user_id AS "userId", email, about, expires_at AS "expiresAt"
  FROM mail_tokens WHERE key = :key`;

const selectWaitingConfirmation = sql<{ userId: number }, { email: string }>`
  SELECT email FROM mails
  WHERE user_id = :userId AND purpose = 'confirm'
  ORDER BY id DESC LIMIT 1`;

const selectOpenConfirmation = sql<{ userId: number; now: Timestamp }, { email: string }>`
  SELECT email FROM mail_tokens
  WHERE user_id = :userId AND purpose = 'confirm' AND expires_at > :now
  ORDER BY key DESC LIMIT 1`;

/** Use up the confirmation token of a member: of parallel calls only one deletes it. */
export const useOwnMailToken = sql<{ key: string; userId: number; now: Timestamp }>`
  DELETE FROM mail_tokens
  WHERE key = :key AND user_id = :userId AND purpose = 'confirm' AND expires_at > :now`;

/** Use up a token: of parallel calls only one deletes it. */
export const useMailToken = sql<{ key: string; purpose: MailToken['purpose']; now: Timestamp }>`
  DELETE FROM mail_tokens WHERE key = :key AND purpose = :purpose AND expires_at > :now`;

/** A link that ends mails gives access to nothing, so it survives every change of the account. */
export const ENDS_MAILS = fragment`purpose IN ('stop_answers', 'stop_digest')`;

/** Delete a member's links, except those that undo somebody else's changes: they must survive later changes. */
export const deleteConfirmAndResetTokensOf = sql<{ userId: number }>`
  DELETE FROM mail_tokens
  WHERE user_id = :userId AND purpose NOT IN ('undo', 'keep_factors') AND NOT (${ENDS_MAILS})`;

/** Delete a member's reset links except this one. */
export const deleteOtherResetTokens = sql<{ userId: number; key: string }>`
  DELETE FROM mail_tokens WHERE user_id = :userId AND purpose = 'reset' AND key <> :key`;

export const deleteResetTokensOf = sql<{ userId: number }>`
  DELETE FROM mail_tokens WHERE user_id = :userId AND purpose = 'reset'`;

/** Delete the reset links that an operator made for members. */
export const deleteResetTokensBy = sql<{ userId: number }>`
  DELETE FROM mail_tokens WHERE maker_id = :userId`;

export const deleteConfirmTokensOf = sql<{ userId: number }>`
  DELETE FROM mail_tokens WHERE user_id = :userId AND purpose = 'confirm'`;

/** Delete the undo links of this change of address and of later ones, if the account has this hash. */
export const deleteUndoTokensFrom = sql<{ userId: number; hash: string; expiresAt: Timestamp }>`
  DELETE FROM mail_tokens
  WHERE purpose = 'undo' AND expires_at >= :expiresAt
    AND user_id = (SELECT id FROM users WHERE id = :userId AND password_hash = :hash)`;

/** Add a link, if the account has this hash. */
export const insertTokenIfPasswordIs = sql<MailTokenRow & { hash: string }>`
  INSERT INTO mail_tokens (key, digest, purpose, user_id, email, about, expires_at)
  SELECT :key, :digest, :purpose, id, :email, :about, :expiresAt
  FROM users WHERE id = :userId AND password_hash = :hash`;

/** Delete a member's links, except those that keep the second factor. */
export const deleteLinksOf = sql<{ userId: number }>`
  DELETE FROM mail_tokens WHERE user_id = :userId AND purpose <> 'keep_factors' AND NOT (${ENDS_MAILS})`;

/** Use up a link "This wasn't me", if the account still has the address that it was mailed to. */
export const useDisowningToken = sql<{ key: string; now: Timestamp }>`
  DELETE FROM mail_tokens
  WHERE key = :key AND purpose = 'disown' AND expires_at > :now AND EXISTS (
    SELECT 1 FROM users
    WHERE users.id = mail_tokens.user_id AND users.email = mail_tokens.email AND users.status <> 'closed')`;

export const deleteMailTokensOf = sql<{ userId: number }>`
  DELETE FROM mail_tokens WHERE user_id = :userId`;
