// Joining, as rows: the account, the invitation that it uses up, and the mail that it causes, in one step.

import type { OwnAccountStore } from '../../identity/own-account-store.ts';
import type { NewUser } from '../../identity/store.ts';
import type { Database } from '../engine/database.ts';
import { type Bound, type Param, statement } from '../engine/statement.ts';
import { lockInvitation, useInvitation } from './invitations.ts';
import { firstMail } from './mails.ts';
import { insertUser, userRow } from './users.ts';

export function signUpRows(database: Database): Pick<OwnAccountStore, 'register'> {
  async function madeNow(user: NewUser): Promise<number | undefined> {
    const { usernameKey, passwordHash } = user;
    return (await database.first(selectJustMade({ usernameKey, passwordHash })))?.id;
  }

  return {
    async register(user, { invitation: key, mail }) {
      const { usernameKey, passwordHash, createdAt } = user;
      if (key === undefined) {
        const { rows } = await database.atomically({
          guard: insertUser(userRow(user)),
          effects: firstMail(user, mail),
        });
        return rows[0]?.id ?? 'username_taken';
      }
      const effects: Bound<unknown>[] = [
        insertUser(userRow(user)),
        useInvitation({ key, usernameKey, passwordHash, at: createdAt }),
        ...firstMail(user, mail),
      ];
      const outcome = await database.atomically({ guard: lockInvitation({ key, now: createdAt }), effects });
      if (!outcome.happened) return 'invitation_unusable';
      return (await madeNow(user)) ?? 'username_taken';
    },
  };
}

const selectJustMade = statement((sql, p: Param<{ usernameKey: string; passwordHash: string }>) =>
  sql
    .selectFrom('users')
    .select('id')
    .where('username_key', '=', p('usernameKey'))
    .where('password_hash', '=', p('passwordHash')),
);
