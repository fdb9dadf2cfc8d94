// Browsers' sign-ins, as rows. One that was ended is gone.

import type { IdentityStore, NewSession } from '../../identity/store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { type Param, statement } from '../engine/statement.ts';
import { digestColumn, digestOfColumn } from '../oauth/digest-column.ts';
import { JOINED_USER, joinedUserOf, lockActiveUser, lockUserWithPassword } from './users.ts';

export function sessionRows(
  database: Database,
): Pick<IdentityStore, 'addSession' | 'findSession' | 'touchSession' | 'endSession'> {
  return {
    async addSession(session, passwordHash) {
      const { userId } = session;
      const outcome = await database.atomically({
        // What ends every session, such as a suspension or another password, may be under way: none may be added behind
        // its back.
        guard:
          passwordHash === undefined
            ? lockActiveUser({ userId })
            : lockUserWithPassword({ userId, passwordHash }),
        effects: [insertSession(sessionRow(session))],
      });
      return outcome.happened;
    },
    async findSession(key) {
      const row = await database.first(selectSession({ key }));
      return (
        row && {
          session: {
            key: row.key,
            digest: digestOfColumn(row.digest),
            userId: row.user_id,
            authenticatedAt: row.authenticated_at,
            lastSeenAt: row.last_seen_at,
            expiresAt: row.expires_at,
          },
          user: joinedUserOf(row),
        }
      );
    },
    async touchSession(key, at) {
      await database.atomically({ guard: touchSessionByKey({ key, at }) });
    },
    async endSession(key) {
      await database.atomically({ guard: deleteSession({ key }) });
    },
  };
}

const insertSession = statement((sql, p: Param<ReturnType<typeof sessionRow>>) =>
  sql.insertInto('sessions').values({
    key: p('key'),
    digest: p('digest'),
    user_id: p('user_id'),
    authenticated_at: p('authenticated_at'),
    last_seen_at: p('last_seen_at'),
    expires_at: p('expires_at'),
  }),
);

const selectSession = statement((sql, p: Param<{ key: string }>) =>
  sql
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('sessions')
    .select(JOINED_USER)
    .where('sessions.key', '=', p('key')),
);

const touchSessionByKey = statement((sql, p: Param<{ key: string; at: Timestamp }>) =>
  sql
    .updateTable('sessions')
    .set({ last_seen_at: p('at') })
    .where('key', '=', p('key'))
    .where('last_seen_at', '<', p('at')),
);

const deleteSession = statement((sql, p: Param<{ key: string }>) =>
  sql.deleteFrom('sessions').where('key', '=', p('key')),
);

function sessionRow(session: NewSession) {
  return {
    key: session.key,
    digest: digestColumn(session.digest),
    user_id: session.userId,
    authenticated_at: session.authenticatedAt,
    last_seen_at: session.lastSeenAt,
    expires_at: session.expiresAt,
  };
}
