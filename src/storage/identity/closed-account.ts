// Closing an account, in all tables but its own: posts and comments are hidden and personal data is deleted.
// Points and likes that the account gave to other members stay.

import type { Doer } from '../../audit/doer.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { deleteBookmarksOf } from '../community/bookmarks.ts';
import { deleteFollowedMembers, deleteFollowedTags, deleteFollowers } from '../community/following.ts';
import { deleteAddressesOfMember } from '../community/old-addresses.ts';
import {
  deletePicturesInCommentsOf,
  deletePictureUsesInCommentsOf,
  deleteUnusedPicturesOf,
} from '../community/pictures.ts';
import { deleteTagsOfMember, uncountTagsOfMember } from '../community/tags.ts';
import { type Bound, sql } from '../engine/sql.ts';
import { diaryDeletion } from '../oauth/access-diary.ts';
import { closeClientsOf } from '../oauth/clients-of-account.ts';
import { deleteDrawingsOf } from '../site/drawings.ts';
import { deleteAvatar } from './avatars.ts';
import { deleteFactorsOf } from './factors.ts';
import { deleteMailTokensOf } from './mail-tokens.ts';
import { deleteForeignUsernamesOf } from './usernames.ts';

/** The effects of closing an account on everything but its own row and its sessions. */
export function closingEffects(by: Doer, userId: number): Bound<unknown>[] {
  const { at } = by;
  const removal = { userId, at, operatorId: by.kind === 'operator' ? by.userId : undefined };
  return [
    // Runs before the comments change, because the status tells which ones were visible. The posts' words are
    // deleted later, in small steps: search finds published posts only, and the words of many posts take seconds.
    uncountComments({ userId }),
    uncountTagsOfMember({ userId }),
    deleteTagsOfMember({ userId }),
    removePublishedPosts(removal),
    removeDrafts(removal),
    removeComments(removal),
    deletePicturesInCommentsOf({ userId }),
    deletePictureUsesInCommentsOf({ userId }),
    deleteUnusedPicturesOf({ userId }),
    eraseComments({ userId }),
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

interface Removal extends OfUser {
  at: Timestamp;
  /** Undefined: the member, or the command line. */
  operatorId: number | undefined;
}

const uncountComments = sql<OfUser>`
  UPDATE posts SET comment_count = comment_count - (
    SELECT count(*) FROM comments
    WHERE comments.post_id = posts.id AND comments.user_id = :userId AND comments.status = 'published')
  WHERE id IN (SELECT post_id FROM comments WHERE user_id = :userId AND status = 'published')`;

// Drafts and published posts are updated separately, because each has a partial index of its own.
const removePublishedPosts = sql<Removal>`
  UPDATE posts SET status = 'removed', removed_at = :at, removed_by = :operatorId, pinned_at = NULL
  WHERE user_id = :userId AND status = 'published'`;

const removeDrafts = sql<Removal>`
  UPDATE posts SET status = 'removed', removed_at = :at, removed_by = :operatorId
  WHERE user_id = :userId AND status = 'draft'`;

const removeComments = sql<Removal>`
  UPDATE comments SET status = 'removed', removed_at = :at, removed_by = :operatorId
  WHERE user_id = :userId AND status IN ('published', 'waiting')`;

const eraseComments = sql<OfUser>`
  UPDATE comments SET body = '', html = NULL WHERE user_id = :userId`;

const deleteNotificationsFor = sql<OfUser>`
  DELETE FROM notifications WHERE user_id = :userId`;

const deleteMailsTo = sql<OfUser>`
  DELETE FROM mails WHERE user_id = :userId`;

const deleteMailChoiceOf = sql<OfUser>`
  DELETE FROM mail_choices WHERE user_id = :userId`;

const deleteUnusedInvitationsBy = sql<OfUser>`
  DELETE FROM invitations WHERE created_by = :userId AND used_by IS NULL`;

export const revokeAllFamiliesOf = sql<OfUser & { at: Timestamp }>`
  UPDATE token_families SET revoked_at = :at WHERE user_id = :userId AND revoked_at IS NULL`;

const revokePersonalTokensOf = sql<OfUser & { at: Timestamp }>`
  UPDATE personal_tokens SET revoked_at = :at WHERE user_id = :userId AND revoked_at IS NULL`;

const withdrawGrantsOf = sql<OfUser & { at: Timestamp }>`
  UPDATE grants SET withdrawn_at = :at WHERE user_id = :userId AND withdrawn_at IS NULL`;
