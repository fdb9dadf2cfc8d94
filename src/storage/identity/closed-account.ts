// Closing an account, in all tables but its own: personal data is deleted, and posts and comments begin to be removed.
// Points and likes that the account gave to other members stay.

import type { Doer } from '../../audit/doer.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { deleteBookmarksOf } from '../community/bookmarks.ts';
import { deleteFollowedMembers, deleteFollowedTags, deleteFollowers } from '../community/following.ts';
import { deleteAddressesOfMember } from '../community/old-addresses.ts';
import { noteTextsOfClosedAccount } from '../community/texts-of-closed-account.ts';
import { type Bound, sql } from '../engine/sql.ts';
import { diaryDeletion } from '../oauth/access-diary.ts';
import { closeClientsOf } from '../oauth/clients-of-account.ts';
import { deleteDrawingsOf } from '../site/drawings.ts';
import { deleteAvatar } from './avatars.ts';
import { deleteFactorsOf } from './factors.ts';
import { deleteUnusedInvitationsBy } from './invitations.ts';
import { deleteMailTokensOf, deleteResetTokensBy } from './mail-tokens.ts';
import { deleteForeignUsernamesOf } from './usernames.ts';

/** The effects of closing an account on everything but its own row and its sessions. */
export function closingEffects(by: Doer, userId: number): Bound<unknown>[] {
  const { at } = by;
  return [
    noteTextsOfClosedAccount(by, userId),
    deleteFollowedMembers({ userId }),
    deleteFollowedTags({ userId }),
    deleteFollowers({ userId }),
    deleteBookmarksOf({ userId }),
    deleteAvatar({ userId }),
    deleteDrawingsOf({ userId }),
    deleteAddressesOfMember({ userId }),
    deleteNotificationsFor({ userId }),
    deleteMailsTo({ userId }),
    deleteMailChoiceOf({ userId }),
    deleteMailTokensOf({ userId }),
    deleteResetTokensBy({ userId }),
    deleteForeignUsernamesOf({ userId }),
    ...deleteFactorsOf(userId),
    // Used invitations stay: they record who joined with them, and can't be used again.
    deleteUnusedInvitationsBy({ userId }),
    ...closeClientsOf(by, userId),
    // Closed accounts' tokens are refused anyway. Revoked ones are deleted in time, and withdrawn grants don't
    // count as users of an application.
    withdrawGrantsOf({ userId, at }),
    ...diaryDeletion(userId, at),
    revokeAllFamiliesOf({ userId, at }),
    revokePersonalTokensOf({ userId, at }),
  ];
}

interface OfUser {
  userId: number;
}

const deleteNotificationsFor = sql<OfUser>`
  DELETE FROM notifications WHERE user_id = :userId`;

const deleteMailsTo = sql<OfUser>`
  DELETE FROM mails WHERE user_id = :userId`;

const deleteMailChoiceOf = sql<OfUser>`
  DELETE FROM mail_choices WHERE user_id = :userId`;

export const revokeAllFamiliesOf = sql<OfUser & { at: Timestamp }>`
  UPDATE token_families SET revoked_at = :at WHERE user_id = :userId AND revoked_at IS NULL`;

const revokePersonalTokensOf = sql<OfUser & { at: Timestamp }>`
  UPDATE personal_tokens SET revoked_at = :at WHERE user_id = :userId AND revoked_at IS NULL`;

const withdrawGrantsOf = sql<OfUser & { at: Timestamp }>`
  UPDATE grants SET withdrawn_at = :at WHERE user_id = :userId AND withdrawn_at IS NULL`;
