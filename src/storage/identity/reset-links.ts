// Links for a new password that operators pass on, as rows.

import type { MailWrites } from '../../identity/mail-store.ts';
import { entry } from '../audit/audit-trail.ts';
import { securityEvent } from '../audit/security-events.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';
import { digestColumn } from '../oauth/digest-column.ts';
import { deleteOtherResetTokens } from './mail-tokens.ts';
import { insertMail } from './mails.ts';

export function resetLinkRows(database: Database): Pick<MailWrites, 'addResetLink'> {
  return {
    async addResetLink(by, token, { mayBeOperator, language }) {
      const { key, userId, email, expiresAt } = token;
      const { at } = by;
      return runGuarded(database, {
        audit: entry(by, { action: 'user.reset_link', subject: { kind: 'user', id: String(userId) } }),
        guard: insertResetLink[database.dialect]({
          key,
          digest: digestColumn(token.digest),
          userId,
          email,
          expiresAt,
          mayBeOperator: mayBeOperator ? 1 : 0,
          makerId: by.kind === 'operator' ? by.userId : undefined,
        }),
        effects: [
          deleteOtherResetTokens({ userId, key }),
          ...(email === ''
            ? []
            : [insertMail({ purpose: 'reset_link_created', userId, email, language, createdAt: at })]),
        ],
        events: [
          securityEvent({ event: 'password_reset_asked', at, userId, address: undefined, by: by.kind }),
        ],
      });
    },
  };
}

interface ResetLink {
  key: string;
  digest: Uint8Array;
  userId: number;
  email: string;
  expiresAt: number;
  mayBeOperator: number;
  makerId: number | undefined;
}

const INSERT_RESET_LINK = fragment`
  INSERT INTO mail_tokens (key, digest, purpose, user_id, email, expires_at, maker_id)
  SELECT :key, :digest, 'reset', id, :email, :expiresAt, cast(:makerId AS bigint)
  FROM users
  WHERE id = :userId AND status <> 'closed' AND coalesce(email, '') = :email AND is_operator <= :mayBeOperator`;

// On PostgreSQL the lock waits for a new role, which then is seen, or makes it wait, so that it ends the link.
const insertResetLink = {
  sqlite: sql<ResetLink>`${INSERT_RESET_LINK}`,
  postgres: sql<ResetLink>`${INSERT_RESET_LINK} FOR NO KEY UPDATE`,
};
