// What the links in mails prove, as rows. One that was used is gone.

import type { MailStore, MailToken } from '../../identity/mail-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { type Param, statement } from '../engine/statement.ts';
import { digestColumn, digestOfColumn } from '../oauth/digest-column.ts';

export function mailTokenRows(
  database: Database,
): Pick<MailStore, 'addMailToken' | 'findMailToken' | 'emailToConfirm'> {
  return {
    async addMailToken(token, mailId) {
      const row = mailTokenRow(token);
      const guard = mailId === undefined ? insertMailToken(row) : insertTokenOfMail({ ...row, mailId });
      return (await database.atomically({ guard })).happened;
    },
    async findMailToken(key) {
      const row = await database.first(selectMailToken({ key }));
      return (
        row && {
          key: row.key,
          digest: digestOfColumn(row.digest),
          purpose: row.purpose as MailToken['purpose'],
          userId: row.user_id,
          email: row.email,
          expiresAt: row.expires_at,
        }
      );
    },
    async emailToConfirm(userId, now) {
      const waiting = await database.first(selectWaitingConfirmation({ userId }));
      return (waiting ?? (await database.first(selectOpenConfirmation({ userId, now }))))?.email;
    },
  };
}

const insertMailToken = statement((sql, p: Param<ReturnType<typeof mailTokenRow>>) =>
  sql.insertInto('mail_tokens').values({
    key: p('key'),
    digest: p('digest'),
    purpose: p('purpose'),
    user_id: p('user_id'),
    email: p('email'),
    expires_at: p('expires_at'),
  }),
);

// The mail's row is gone once another password or address was set: then nothing may be proved by it.
const insertTokenOfMail = statement((sql, p: Param<ReturnType<typeof mailTokenRow> & { mailId: number }>) =>
  sql
    .insertInto('mail_tokens')
    .columns(['key', 'digest', 'purpose', 'user_id', 'email', 'expires_at'])
    .expression(
      sql
        .selectFrom('mails')
        .select((of) => [
          of.val(p('key')).as('key'),
          of.val(p('digest')).as('digest'),
          of.val(p('purpose')).as('purpose'),
          of.val(p('user_id')).as('user_id'),
          of.val(p('email')).as('email'),
          of.val(p('expires_at')).as('expires_at'),
        ])
        .where('id', '=', p('mailId')),
    ),
);

const selectMailToken = statement((sql, p: Param<{ key: string }>) =>
  sql.selectFrom('mail_tokens').selectAll().where('key', '=', p('key')),
);

const selectWaitingConfirmation = statement((sql, p: Param<{ userId: number }>) =>
  sql
    .selectFrom('mails')
    .select('email')
    .where('user_id', '=', p('userId'))
    .where('purpose', '=', 'confirm')
    .orderBy('id', 'desc')
    .limit(1),
);

const selectOpenConfirmation = statement((sql, p: Param<{ userId: number; now: Timestamp }>) =>
  sql
    .selectFrom('mail_tokens')
    .select('email')
    .where('user_id', '=', p('userId'))
    .where('purpose', '=', 'confirm')
    .where('expires_at', '>', p('now'))
    .orderBy('key', 'desc')
    .limit(1),
);

/** Uses a token up; nobody can do it twice. */
export const useMailToken = statement(
  (sql, p: Param<{ key: string; purpose: MailToken['purpose']; now: Timestamp }>) =>
    sql
      .deleteFrom('mail_tokens')
      .where('key', '=', p('key'))
      .where('purpose', '=', p('purpose'))
      .where('expires_at', '>', p('now')),
);

/** All of an account. */
export const deleteMailTokensOf = statement((sql, p: Param<{ userId: number }>) =>
  sql.deleteFrom('mail_tokens').where('user_id', '=', p('userId')),
);

function mailTokenRow(token: MailToken) {
  return {
    key: token.key,
    digest: digestColumn(token.digest),
    purpose: token.purpose as string,
    user_id: token.userId,
    email: token.email,
    expires_at: token.expiresAt,
  };
}
