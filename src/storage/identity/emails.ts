// The addresses of accounts: each belongs to one at most.

import type { OwnAccountStore } from '../../identity/own-account-store.ts';
import type { Database } from '../engine/database.ts';
import { type Param, statement } from '../engine/statement.ts';
import { deleteMailTokensOf, useMailToken } from './mail-tokens.ts';
import { insertAddressNotice, insertRemovalNotice } from './mails.ts';
import { accountWith, takeLock, userOf } from './users.ts';

export function emailRows(
  database: Database,
): Pick<OwnAccountStore, 'findUserByEmail' | 'confirmEmail' | 'removeEmail'> {
  return {
    async findUserByEmail(emailKey) {
      const row = await database.first(selectUserByEmail({ emailKey }));
      return row && userOf(row);
    },
    async confirmEmail(tokenKey, { userId, email, emailKey }, language, now) {
      const outcome = await database.atomically({
        guard: useMailToken({ key: tokenKey, purpose: 'confirm', now }),
        effects: [
          takeLock({ name: 'email' }),
          insertAddressNotice({ userId, emailKey, language, now }),
          updateEmail({ userId, email, emailKey }),
          deleteTokensIfEmailIs({ userId, emailKey }),
          deleteMailsIfEmailIs({ userId, emailKey }),
        ],
      });
      if (!outcome.happened) return 'unusable';
      return outcome.changes[2] === 1 ? 'confirmed' : 'taken';
    },
    async removeEmail(userId, email, language, now) {
      const outcome = await database.atomically({
        guard: clearEmail({ userId, email }),
        effects: [
          deleteMailTokensOf({ userId }),
          deleteMails({ userId }),
          insertRemovalNotice({ userId, email, language, now }),
        ],
      });
      return outcome.happened;
    },
  };
}

const selectUserByEmail = statement((sql, p: Param<{ emailKey: string }>) =>
  sql.selectFrom('users').selectAll().where('email_key', '=', p('emailKey')),
);

const updateEmail = statement((sql, p: Param<{ userId: number; email: string; emailKey: string }>) =>
  sql
    .updateTable('users')
    .set({ email: p('email'), email_key: p('emailKey') })
    .where('users.id', '=', p('userId'))
    .where('users.status', '<>', 'closed')
    .where((of) =>
      of.not(
        of.exists(
          of
            .selectFrom('users as other')
            .select('other.id')
            .where('other.email_key', '=', p('emailKey'))
            .whereRef('other.id', '<>', 'users.id'),
        ),
      ),
    ),
);

const clearEmail = statement((sql, p: Param<{ userId: number; email: string }>) =>
  sql
    .updateTable('users')
    .set({ email: null, email_key: null })
    .where('id', '=', p('userId'))
    .where('email', '=', p('email')),
);

const deleteTokensIfEmailIs = statement((sql, p: Param<{ userId: number; emailKey: string }>) =>
  sql.deleteFrom('mail_tokens').where('user_id', '=', accountWith('email_key', p('userId'), p('emailKey'))),
);

const deleteMailsIfEmailIs = statement((sql, p: Param<{ userId: number; emailKey: string }>) =>
  sql
    .deleteFrom('mails')
    .where('purpose', 'in', ['confirm', 'reset'])
    .where('user_id', '=', accountWith('email_key', p('userId'), p('emailKey'))),
);

// What only tells of something stays.
const deleteMails = statement((sql, p: Param<{ userId: number }>) =>
  sql.deleteFrom('mails').where('user_id', '=', p('userId')).where('purpose', 'in', ['confirm', 'reset']),
);
