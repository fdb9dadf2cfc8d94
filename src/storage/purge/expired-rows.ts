// Deleting the oldest expired rows of each table. Each statement reads an index from its beginning, stops at
// the limit, and returns the keys of the deleted rows.

import type { Timestamp } from '../../lib/clock.ts';
import { takingOut } from '../community/picture-uses.ts';
import { type Bound, type Fragment, fragment, sql } from '../engine/sql.ts';
import { IS_UNUSED } from '../oauth/added-clients.ts';

/** Rows that expired at this time or earlier. */
interface ExpiredBy {
  by: Timestamp;
  limit: number;
}

/** Rows whose time-ordered key is smaller. */
interface OlderKeys {
  before: string;
  limit: number;
}

export const deleteAccessTokens = sql<OlderKeys & ExpiredBy, { key: string }>`
  DELETE FROM access_tokens WHERE key IN (
    SELECT key FROM access_tokens WHERE key < :before AND expires_at <= :by
    ORDER BY key LIMIT cast(:limit AS bigint))
  RETURNING key`;

export const deleteUnredeemedCodes = sql<OlderKeys, { key: string }>`
  DELETE FROM authorization_codes WHERE key IN (
    SELECT key FROM authorization_codes WHERE key < :before AND redeemed_at IS NULL
    ORDER BY key LIMIT cast(:limit AS bigint))
  RETURNING key`;

export const deleteCodes = sql<OlderKeys, { key: string }>`
  DELETE FROM authorization_codes WHERE key IN (
    SELECT key FROM authorization_codes WHERE key < :before
    ORDER BY key LIMIT cast(:limit AS bigint))
  RETURNING key`;

// Looked up for each sign-in. With NOT EXISTS, PostgreSQL sometimes reads all tokens for every step, if it assumes that
// nearly every sign-in has one.
const HAS_NO_TOKEN = fragment`
  (SELECT 1 FROM access_tokens WHERE access_tokens.family_key = token_families.key LIMIT 1) IS NULL`;

export const deleteRevokedFamilies = sql<ExpiredBy, { key: string }>`
  DELETE FROM token_families WHERE key IN (
    SELECT key FROM token_families
    WHERE revoked_at <= :by
      AND ${HAS_NO_TOKEN}
    ORDER BY revoked_at LIMIT cast(:limit AS bigint))
  RETURNING key`;

// A sign-in expires with its refresh token, which never outlives it.
export const deleteExpiredFamilies = sql<ExpiredBy, { key: string }>`
  DELETE FROM token_families WHERE key IN (
    SELECT key FROM token_families
    WHERE refresh_expires_at <= :by
      AND ${HAS_NO_TOKEN}
    ORDER BY refresh_expires_at LIMIT cast(:limit AS bigint))
  RETURNING key`;

export const deleteExpiredSessions = sql<ExpiredBy, { key: string }>`
  DELETE FROM sessions WHERE key IN (
    SELECT key FROM sessions WHERE expires_at <= :by
    ORDER BY expires_at LIMIT cast(:limit AS bigint))
  RETURNING key`;

export const deleteIdleSessions = sql<ExpiredBy, { key: string }>`
  DELETE FROM sessions WHERE key IN (
    SELECT key FROM sessions WHERE last_seen_at <= :by
    ORDER BY last_seen_at LIMIT cast(:limit AS bigint))
  RETURNING key`;

export const deleteAttempts = sql<ExpiredBy, { subject: string }>`
  DELETE FROM attempts WHERE subject IN (
    SELECT subject FROM attempts WHERE closes_at <= :by
    ORDER BY closes_at LIMIT cast(:limit AS bigint))
  RETURNING subject`;

export const deleteRevokedPersonalTokens = sql<ExpiredBy, { id: number }>`
  DELETE FROM personal_tokens WHERE id IN (
    SELECT id FROM personal_tokens WHERE revoked_at <= :by
    ORDER BY revoked_at LIMIT cast(:limit AS bigint))
  RETURNING id`;

export const deleteExpiredPersonalTokens = sql<ExpiredBy, { id: number }>`
  DELETE FROM personal_tokens WHERE id IN (
    SELECT id FROM personal_tokens WHERE expires_at <= :by
    ORDER BY expires_at LIMIT cast(:limit AS bigint))
  RETURNING id`;

/** Delete API tokens that another replaced, and that then expired. */
export const deleteReplacedPersonalTokens = sql<ExpiredBy, { id: number }>`
  DELETE FROM personal_tokens WHERE id IN (
    SELECT id FROM personal_tokens WHERE replaced_at IS NOT NULL AND expires_at <= :by
    ORDER BY expires_at LIMIT cast(:limit AS bigint))
  RETURNING id`;

/** Delete the words of posts that were removed since a time: those of a closed account still have some. */
export const deleteWordsOfRemovedPosts = sql<{ since: Timestamp; limit: number }, { post_id: number }>`
  DELETE FROM post_words WHERE post_id IN (
    SELECT id FROM posts
    WHERE status = 'removed' AND removed_at > :since
      AND EXISTS (SELECT 1 FROM post_words WHERE post_words.post_id = posts.id)
    ORDER BY removed_at DESC LIMIT cast(:limit AS bigint))
  RETURNING post_id`;

const EXPIRED_POSTS = fragment`
  SELECT id FROM posts WHERE status = 'removed' AND removed_at <= :by
  ORDER BY removed_at, id LIMIT cast(:limit AS bigint)`;

interface SomeUses extends ExpiredBy {
  uses: number;
}

/** Take some pictures out of the posts that `deleteRemovedPosts` deletes next, and out of their comments. */
export const takePicturesOutOfPosts = takeOut(fragment`post_id IN (${EXPIRED_POSTS})`);

/** Delete some comments on these posts, the newest first, so that none takes its replies with it. */
export const deleteCommentsOfRemovedPosts = sql<ExpiredBy & { comments: number }, { id: number }>`
  DELETE FROM comments WHERE id IN (
    SELECT id FROM comments WHERE post_id IN (${EXPIRED_POSTS})
    ORDER BY id DESC LIMIT cast(:comments AS bigint))
  RETURNING id`;

// The database deletes everything else that belongs to a post with it, also open reports: the text is gone for good.
export const deleteRemovedPosts = sql<ExpiredBy, { id: number }>`
  DELETE FROM posts WHERE id IN (${EXPIRED_POSTS})
  RETURNING id`;

/** Delete the tags that no published post has and nobody follows. */
export const deleteUnusedTags = sql<{ limit: number }, { id: number }>`
  DELETE FROM tags WHERE post_count = 0 AND id IN (
    SELECT id FROM tags
    WHERE post_count = 0 AND heir_id IS NULL AND hidden_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM tag_follows WHERE tag_follows.tag_id = tags.id)
      AND NOT EXISTS (SELECT 1 FROM tags AS earlier WHERE earlier.heir_id = tags.id)
    ORDER BY id LIMIT cast(:limit AS bigint))
  RETURNING id`;

function expiredComments(condition: Fragment): Fragment {
  return fragment`
    SELECT id FROM comments WHERE status = 'removed' AND body <> '' AND removed_at <= :by AND ${condition}
    ORDER BY removed_at, id LIMIT cast(:limit AS bigint)`;
}

const HAS_REPLIES = fragment`EXISTS (SELECT 1 FROM comments AS reply WHERE reply.parent_id = comments.id)`;
const UNANSWERED = expiredComments(fragment`NOT ${HAS_REPLIES}`);
const ANSWERED = expiredComments(HAS_REPLIES);

/** Take some pictures out of the comments that `deleteRemovedComments` deletes next. */
export const takePicturesOutOfComments = takeOut(fragment`comment_id IN (${UNANSWERED})`);

// As with posts, also open reports go with the text.
export const deleteRemovedComments = sql<ExpiredBy, { id: number }>`
  DELETE FROM comments WHERE id IN (${UNANSWERED})
  RETURNING id`;

/** Take some pictures out of the comments that `eraseRemovedComments` erases next. */
export const takePicturesOutOfErased = takeOut(fragment`comment_id IN (${ANSWERED})`);

// The row stays, for the replies to the comment.
export const eraseRemovedComments = sql<ExpiredBy, { id: number }>`
  UPDATE comments SET body = '', html = NULL WHERE id IN (${ANSWERED})
  RETURNING id`;

export const deleteInvitations = sql<OlderKeys & ExpiredBy, { key: string }>`
  DELETE FROM invitations WHERE key IN (
    SELECT key FROM invitations WHERE key < :before AND expires_at <= :by
    ORDER BY key LIMIT cast(:limit AS bigint))
  RETURNING key`;

export const deleteMailTokens = sql<ExpiredBy, { key: string }>`
  DELETE FROM mail_tokens WHERE key IN (
    SELECT key FROM mail_tokens WHERE expires_at <= :by
    ORDER BY expires_at LIMIT cast(:limit AS bigint))
  RETURNING key`;

// A mail that waited while no server ran is tried first.
export const deleteMails = sql<ExpiredBy, { id: number }>`
  DELETE FROM mails WHERE id IN (
    SELECT id FROM mails WHERE next_attempt_at <= :by AND attempts > 0
    ORDER BY next_attempt_at LIMIT cast(:limit AS bigint))
  RETURNING id`;

export const deleteGivenUpEvents = sql<ExpiredBy, { id: number }>`
  DELETE FROM application_events WHERE id IN (
    SELECT id FROM application_events WHERE given_up_at <= :by
    ORDER BY given_up_at LIMIT cast(:limit AS bigint))
  RETURNING id`;

export const deleteNotifications = sql<ExpiredBy, { id: number }>`
  DELETE FROM notifications WHERE id IN (
    SELECT id FROM notifications WHERE created_at <= :by
    ORDER BY created_at LIMIT cast(:limit AS bigint))
  RETURNING id`;

export const deleteSecurityEvents = sql<ExpiredBy, { id: number }>`
  DELETE FROM security_events WHERE id IN (
    SELECT id FROM security_events WHERE at <= :by
    ORDER BY at LIMIT cast(:limit AS bigint))
  RETURNING id`;

export const deleteDiaryLines = sql<{ before: Timestamp; limit: number }, { hour: Timestamp }>`
  DELETE FROM access_diary
  WHERE (hour, user_id, client_id, source, reading, status, network, program) IN (
    SELECT hour, user_id, client_id, source, reading, status, network, program FROM access_diary
    WHERE hour < :before ORDER BY hour LIMIT cast(:limit AS bigint))
  RETURNING hour`;

export const deleteDiaryHours = sql<{ before: Timestamp; limit: number }, { hour: Timestamp }>`
  DELETE FROM diary_hours
  WHERE (hour, user_id, client_id) IN (
    SELECT hour, user_id, client_id FROM diary_hours
    WHERE hour < :before ORDER BY hour LIMIT cast(:limit AS bigint))
  RETURNING hour`;

export const deleteClientHours = sql<{ before: Timestamp; limit: number }, { hour: Timestamp }>`
  DELETE FROM client_hours
  WHERE (client_id, hour, what) IN (
    SELECT client_id, hour, what FROM client_hours WHERE hour < :before ORDER BY hour LIMIT cast(:limit AS bigint))
  RETURNING hour`;

export const deleteClientUses = sql<{ before: Timestamp; limit: number }, { name: string }>`
  DELETE FROM client_uses
  WHERE (client_id, name) IN (
    SELECT client_id, name FROM client_uses WHERE last_hour < :before
    ORDER BY last_hour LIMIT cast(:limit AS bigint))
  RETURNING name`;

export const deleteRequestLines = sql<{ before: Timestamp; limit: number }, { id: string }>`
  DELETE FROM request_lines WHERE (client_id, minute, id) IN (
    SELECT client_id, minute, id FROM request_lines WHERE minute < :before
    ORDER BY minute LIMIT cast(:limit AS bigint))
  RETURNING id`;

/**
 * Delete applications that described themselves, and that no member ever allowed, or that made room for others. What
 * operators decided stays.
 */
export const deleteUnusedDocumentClients = sql<ExpiredBy, { id: string }>`
  DELETE FROM clients WHERE id IN (
    SELECT id FROM clients
    WHERE claimed_name IS NOT NULL
      AND CASE WHEN document_url IS NULL THEN deactivation = 'deleted'
        ELSE document_fresh_until <= :by AND (deactivation IS NULL OR deactivation = 'approval') END
      AND ${IS_UNUSED}
    ORDER BY id LIMIT cast(:limit AS bigint))
  RETURNING id`;

// The posts keep their counts. The rows only tell visitors of the same day apart.
export const deleteViews = sql<{ beforeDay: number; limit: number }, { post_id: number }>`
  DELETE FROM views WHERE (post_id, day, visitor) IN (
    SELECT post_id, day, visitor FROM views WHERE day < :beforeDay
    ORDER BY day LIMIT cast(:limit AS bigint))
  RETURNING post_id`;

/** What is done in one transaction. The effects follow if the guard finds rows. */
export interface Step {
  guard: Bound<unknown>;
  effects?: Bound<unknown>[];
}

function takeOut(texts: Fragment): (values: SomeUses & { at: Timestamp }) => Step {
  const { mark, deletion } = takingOut(texts);
  const markNext = sql<SomeUses & { at: Timestamp }, { picture_id: number }>`${mark}`;
  const deleteNext = sql<SomeUses>`${deletion}`;
  return ({ at, ...next }) => ({ guard: markNext({ at, ...next }), effects: [deleteNext(next)] });
}
