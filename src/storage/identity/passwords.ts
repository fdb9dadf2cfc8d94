// Replacing a password, and with it everything that the old one opened.

import type { OwnAccountStore } from '../../identity/own-account-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { type Bound, type Param, statement } from '../engine/statement.ts';
import { useMailToken } from './mail-tokens.ts';
import { insertPasswordNotice } from './mails.ts';
import { accountWith } from './users.ts';

export function passwordRows(database: Database): Pick<OwnAccountStore, 'changePassword' | 'resetPassword'> {
  return {
    async changePassword(userId, from, to, language, now) {
      const outcome = await database.atomically({
        guard: replacePassword({ userId, from, to }),
        effects: aftermath({ userId, hash: to, language, now }),
      });
      return outcome.happened;
    },
    async resetPassword({ key, userId, email }, to, language, now) {
      const outcome = await database.atomically({
        guard: useMailToken({ key, purpose: 'reset', now }),
        effects: [
          setPasswordOfAddress({ userId, email, to }),
          ...aftermath({ userId, hash: to, language, now }),
        ],
      });
      return outcome.happened && outcome.changes[0] === 1;
    },
  };
}

interface NewPassword {
  userId: number;
  /** Its salt is like no other's: an account that has it was changed by this very step. */
  hash: string;
  language: string;
  now: Timestamp;
}

function aftermath(password: NewPassword): Bound<unknown>[] {
  const { userId, hash } = password;
  return [
    deleteSessionsIfPasswordIs({ userId, hash }),
    deleteTokensIfPasswordIs({ userId, hash }),
    deleteMailsIfPasswordIs({ userId, hash }),
    insertPasswordNotice(password),
  ];
}

const replacePassword = statement((sql, p: Param<{ userId: number; from: string; to: string }>) =>
  sql
    .updateTable('users')
    .set({ password_hash: p('to') })
    .where('id', '=', p('userId'))
    .where('password_hash', '=', p('from'))
    .where('status', '=', 'active'),
);

const setPasswordOfAddress = statement((sql, p: Param<{ userId: number; email: string; to: string }>) =>
  sql
    .updateTable('users')
    .set({ password_hash: p('to') })
    .where('id', '=', p('userId'))
    .where('email', '=', p('email'))
    .where('status', '<>', 'closed'),
);

const deleteSessionsIfPasswordIs = statement((sql, p: Param<{ userId: number; hash: string }>) =>
  sql.deleteFrom('sessions').where('user_id', '=', accountWith('password_hash', p('userId'), p('hash'))),
);

const deleteTokensIfPasswordIs = statement((sql, p: Param<{ userId: number; hash: string }>) =>
  sql.deleteFrom('mail_tokens').where('user_id', '=', accountWith('password_hash', p('userId'), p('hash'))),
);

// A link that is not sent yet would open the account as one that is.
const deleteMailsIfPasswordIs = statement((sql, p: Param<{ userId: number; hash: string }>) =>
  sql
    .deleteFrom('mails')
    .where('purpose', 'in', ['confirm', 'reset'])
    .where('user_id', '=', accountWith('password_hash', p('userId'), p('hash'))),
);
