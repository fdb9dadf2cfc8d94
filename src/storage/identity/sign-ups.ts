// Signing up, as rows: the account, the invitation that it uses, and its first mail, in one step.

import type { IdentityStore } from '../../identity/store.ts';
import { NO_ENTRY } from '../audit/audit-trail.ts';
import type { Database } from '../engine/database.ts';
import { sql } from '../engine/sql.ts';
import { lockInvitation, useInvitation } from './invitations.ts';
import { firstMail } from './mails.ts';
import { insertUser, userRow } from './users.ts';

export function signUpRows(database: Database): Pick<IdentityStore, 'register'> {
  return {
    async register(user, { invitation: key, mail }) {
      if (key === undefined) {
        const { rows } = await database.atomically({
          audit: NO_ENTRY,
          guard: insertUser(userRow(user)),
          effects: firstMail(user, mail),
        });
        return rows[0]?.id ?? 'username_taken';
      }
      const { usernameKey, passwordHash, createdAt } = user;
      const outcome = await database.atomically({
        audit: NO_ENTRY,
        guard: lockInvitation({ key, now: createdAt }),
        effects: [
          insertUser(userRow(user)),
          useInvitation({ key, usernameKey, passwordHash, at: createdAt }),
          ...firstMail(user, mail),
        ],
      });
      if (!outcome.happened) return 'invitation_unusable';
      const account = await database.first(selectNewAccount({ usernameKey, passwordHash }));
      return account?.id ?? 'username_taken';
    },
  };
}

// The salt of the hash is unique: an account that has it is the one that this sign-up has added.
const selectNewAccount = sql<{ usernameKey: string; passwordHash: string }, { id: number }>`
  SELECT id FROM users WHERE username_key = :usernameKey AND password_hash = :passwordHash`;
