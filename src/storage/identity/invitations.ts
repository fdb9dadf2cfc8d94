// Invitations, as rows. Which one an account was made with is set with the account itself (sign-ups.ts).

import type { Invitation, InvitationStore, NewInvitation } from '../../identity/invitation-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { noteOf } from '../audit/audit-events.ts';
import type { Database } from '../engine/database.ts';
import { type Param, rowCount, statement } from '../engine/statement.ts';
import { digestColumn, digestOfColumn } from '../oauth/digest-column.ts';

export function invitationRows(database: Database): InvitationStore {
  return {
    async addInvitation(invitation) {
      const { key, createdBy: actorId, createdAt: at } = invitation;
      await database.atomically({
        guard: insertInvitation(invitationRow(invitation)),
        effects: noteOf({ at, actorId }, noteOn(key, 'invitation.create')),
      });
    },
    async findInvitation(key) {
      const row = await database.first(selectInvitation({ key }));
      return row && invitationOf(row);
    },
    async invitationsBefore(key, most) {
      return (await database.rows(selectInvitationsBefore({ key, most }))).map(invitationOf);
    },
    async revokeInvitation(key, act) {
      const outcome = await database.atomically({
        guard: updateRevoked({ key, at: act.at }),
        effects: noteOf(act, noteOn(key, 'invitation.revoke')),
      });
      return outcome.happened;
    },
  };
}

const insertInvitation = statement((sql, p: Param<ReturnType<typeof invitationRow>>) =>
  sql.insertInto('invitations').values({
    key: p('key'),
    digest: p('digest'),
    note: p('note'),
    created_by: p('created_by'),
    created_at: p('created_at'),
    expires_at: p('expires_at'),
  }),
);

const selectInvitation = statement((sql, p: Param<{ key: string }>) =>
  sql
    .selectFrom('invitations')
    .leftJoin('users', 'users.id', 'invitations.used_by')
    .selectAll('invitations')
    .select('users.username')
    .where('invitations.key', '=', p('key')),
);

const selectInvitationsBefore = statement((sql, p: Param<{ key: string; most: number }>) =>
  sql
    .selectFrom('invitations')
    .leftJoin('users', 'users.id', 'invitations.used_by')
    .selectAll('invitations')
    .select('users.username')
    .where('invitations.key', '<', p('key'))
    .orderBy('invitations.key', 'desc')
    .limit(rowCount(p('most'))),
);

const updateRevoked = statement((sql, p: Param<{ key: string; at: Timestamp }>) =>
  sql
    .updateTable('invitations')
    .set({ revoked_at: p('at') })
    .where('key', '=', p('key'))
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null),
);

/** Locks the invitation's row if somebody can join with it, so that nobody else can meanwhile. */
export const lockInvitation = statement((sql, p: Param<{ key: string; now: Timestamp }>) =>
  sql
    .updateTable('invitations')
    .set((of) => ({ note: of.ref('note') }))
    .where('key', '=', p('key'))
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', p('now')),
);

/** The account is known by its hash, whose salt is like no other's: it says that this very sign-up made it. */
export const useInvitation = statement(
  (sql, p: Param<{ key: string; usernameKey: string; passwordHash: string; at: Timestamp }>) =>
    sql
      .updateTable('invitations')
      .from((of) =>
        of
          .selectFrom('users')
          .select('users.id as joined')
          .where('users.username_key', '=', p('usernameKey'))
          .where('users.password_hash', '=', p('passwordHash'))
          .as('member'),
      )
      .set((of) => ({ used_at: p('at'), used_by: of.ref('member.joined') }))
      .where('invitations.key', '=', p('key')),
);

function noteOn(key: string, action: 'invitation.create' | 'invitation.revoke') {
  return { action, subjectKind: 'invitation', subjectId: key } as const;
}

function invitationRow(invitation: NewInvitation) {
  return {
    key: invitation.key,
    digest: digestColumn(invitation.digest),
    note: invitation.note,
    created_by: invitation.createdBy ?? null,
    created_at: invitation.createdAt,
    expires_at: invitation.expiresAt,
  };
}

type InvitationRow = NonNullable<ReturnType<typeof selectInvitation>['rowType']>;

function invitationOf(row: InvitationRow): Invitation {
  return {
    key: row.key,
    digest: digestOfColumn(row.digest),
    note: row.note,
    createdBy: row.created_by ?? undefined,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    usedBy:
      row.used_by === null || row.username === null ? undefined : { id: row.used_by, username: row.username },
    usedAt: row.used_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
  };
}
