// Invitations, as rows. A sign-up marks its invitation as used in the step that adds the account
// (`sign-ups.ts`).

import type { AuditAction } from '../../audit/audit-log.ts';
import type { Doer } from '../../audit/doer.ts';
import type {
  Invitation,
  InvitationReads,
  InvitationWrites,
  NewInvitation,
} from '../../identity/invitation-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { entry } from '../audit/audit-trail.ts';
import { type AuditTrail, type Database, runGuarded } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';
import { digestColumn, digestOfColumn } from '../oauth/digest-column.ts';

export function invitationRows(database: Database): InvitationReads & InvitationWrites {
  return {
    async addInvitation(by, invitation) {
      await database.atomically({
        audit: entryOf(by, invitation.key, 'invitation.create'),
        guard: insertInvitation({
          ...invitation,
          digest: digestColumn(invitation.digest),
          createdBy: by.kind === 'operator' ? by.userId : undefined,
          createdAt: by.at,
        }),
      });
    },
    async findInvitation(key) {
      const row = await database.first(selectInvitation({ key }));
      return row && invitationOf(row);
    },
    async invitationsBefore(key, most) {
      return (await database.rows(selectInvitationsBefore({ key, most }))).map(invitationOf);
    },
    async revokeInvitation(by, key) {
      return runGuarded(database, {
        audit: entryOf(by, key, 'invitation.revoke'),
        guard: updateRevoked({ key, at: by.at }),
      });
    },
  };
}

function entryOf(by: Doer, key: string, action: AuditAction): AuditTrail {
  return entry(by, { action, subject: { kind: 'invitation', id: key } });
}

type NewInvitationRow = Omit<NewInvitation, 'digest'> &
  Pick<Invitation, 'createdBy' | 'createdAt'> & { digest: Uint8Array };

interface InvitationRow extends Omit<Invitation, 'digest' | 'usedBy'> {
  digest: Uint8Array;
  /** The id of the member who joined with it; `username` is theirs too. */
  userId: number | undefined;
  username: string | undefined;
}

const insertInvitation = sql<NewInvitationRow>`
  INSERT INTO invitations (key, digest, note, created_by, created_at, expires_at)
  VALUES (:key, :digest, :note, :createdBy, :createdAt, :expiresAt)`;

const SELECT_INVITATIONS = fragment`
  SELECT invitations.key, invitations.digest, invitations.note, invitations.created_by AS "createdBy",
    invitations.created_at AS "createdAt", invitations.expires_at AS "expiresAt",
    invitations.used_at AS "usedAt", invitations.revoked_at AS "revokedAt",
    invitations.used_by AS "userId", users.username
  FROM invitations LEFT JOIN users ON users.id = invitations.used_by`;

const selectInvitation = sql<{ key: string }, InvitationRow>`
  ${SELECT_INVITATIONS}
  WHERE invitations.key = :key`;

const selectInvitationsBefore = sql<{ key: string; most: number }, InvitationRow>`
  ${SELECT_INVITATIONS}
  WHERE invitations.key < :key
  ORDER BY invitations.key DESC LIMIT cast(:most AS bigint)`;

/** Delete the invitations of someone who may make none any more. */
export const deleteUnusedInvitationsBy = sql<{ userId: number }>`
  DELETE FROM invitations WHERE created_by = :userId AND used_by IS NULL`;

const updateRevoked = sql<{ key: string; at: Timestamp }>`
  UPDATE invitations SET revoked_at = :at WHERE key = :key AND used_at IS NULL AND revoked_at IS NULL`;

/** Lock the invitation's row if the invitation can be used, so that a parallel sign-up with it waits. */
export const lockInvitation = sql<{ key: string; now: Timestamp }>`
  UPDATE invitations SET note = note
  WHERE key = :key AND used_at IS NULL AND revoked_at IS NULL AND expires_at > :now`;

/**
 * Mark an invitation as used by a new account. The salt of the hash is unique, so an account that has this
 * hash is the one that this sign-up has added.
 */
export const useInvitation = sql<{ key: string; usernameKey: string; passwordHash: string; at: Timestamp }>`
  UPDATE invitations SET used_at = :at, used_by = users.id
  FROM users
  WHERE invitations.key = :key AND users.username_key = :usernameKey AND users.password_hash = :passwordHash`;

function invitationOf({ userId: id, username, ...row }: InvitationRow): Invitation {
  const usedBy = id === undefined || username === undefined ? undefined : { id, username };
  return { ...row, digest: digestOfColumn(row.digest), usedBy };
}
