// Deleting the rows of each table that are over, oldest first and never more than a few at once: each statement walks
// an index from its beginning and answers with the keys of what went.

import type { Timestamp } from '../../lib/clock.ts';
import { type Param, rowCount, statement } from '../engine/statement.ts';

export const deleteAccessTokens = statement(
  (sql, p: Param<{ before: string; expiredBy: Timestamp; most: number }>) =>
    sql
      .deleteFrom('access_tokens')
      .where('key', 'in', (of) =>
        of
          .selectFrom('access_tokens')
          .select('key')
          .where('key', '<', p('before'))
          .where('expires_at', '<=', p('expiredBy'))
          .orderBy('key')
          .limit(rowCount(p('most'))),
      )
      .returning('key'),
);

export const deleteUnredeemedCodes = statement((sql, p: Param<{ before: string; most: number }>) =>
  sql
    .deleteFrom('authorization_codes')
    .where('key', 'in', (of) =>
      of
        .selectFrom('authorization_codes')
        .select('key')
        .where('key', '<', p('before'))
        .where('redeemed_at', 'is', null)
        .orderBy('key')
        .limit(rowCount(p('most'))),
    )
    .returning('key'),
);

export const deleteCodes = statement((sql, p: Param<{ before: string; most: number }>) =>
  sql
    .deleteFrom('authorization_codes')
    .where('key', 'in', (of) =>
      of
        .selectFrom('authorization_codes')
        .select('key')
        .where('key', '<', p('before'))
        .orderBy('key')
        .limit(rowCount(p('most'))),
    )
    .returning('key'),
);

export const deleteRevokedFamilies = statement((sql, p: Param<{ by: Timestamp; most: number }>) =>
  sql
    .deleteFrom('token_families')
    .where('key', 'in', (of) =>
      of
        .selectFrom('token_families')
        .select('token_families.key')
        .where('token_families.revoked_at', '<=', p('by'))
        .where((not) =>
          not.not(
            not.exists(
              not
                .selectFrom('access_tokens')
                .select('access_tokens.key')
                .whereRef('access_tokens.family_key', '=', 'token_families.key'),
            ),
          ),
        )
        .orderBy('token_families.revoked_at')
        .limit(rowCount(p('most'))),
    )
    .returning('key'),
);

// A refresh token never outlives its sign-in, so its end is the end of both.
export const deleteExpiredFamilies = statement((sql, p: Param<{ by: Timestamp; most: number }>) =>
  sql
    .deleteFrom('token_families')
    .where('key', 'in', (of) =>
      of
        .selectFrom('token_families')
        .select('token_families.key')
        .where('token_families.refresh_expires_at', '<=', p('by'))
        .where((not) =>
          not.not(
            not.exists(
              not
                .selectFrom('access_tokens')
                .select('access_tokens.key')
                .whereRef('access_tokens.family_key', '=', 'token_families.key'),
            ),
          ),
        )
        .orderBy('token_families.refresh_expires_at')
        .limit(rowCount(p('most'))),
    )
    .returning('key'),
);

export const deleteExpiredSessions = statement((sql, p: Param<{ by: Timestamp; most: number }>) =>
  sql
    .deleteFrom('sessions')
    .where('key', 'in', (of) =>
      of
        .selectFrom('sessions')
        .select('key')
        .where('expires_at', '<=', p('by'))
        .orderBy('expires_at')
        .limit(rowCount(p('most'))),
    )
    .returning('key'),
);

export const deleteIdleSessions = statement((sql, p: Param<{ by: Timestamp; most: number }>) =>
  sql
    .deleteFrom('sessions')
    .where('key', 'in', (of) =>
      of
        .selectFrom('sessions')
        .select('key')
        .where('last_seen_at', '<=', p('by'))
        .orderBy('last_seen_at')
        .limit(rowCount(p('most'))),
    )
    .returning('key'),
);

export const deleteAttempts = statement((sql, p: Param<{ by: Timestamp; most: number }>) =>
  sql
    .deleteFrom('attempts')
    .where('subject', 'in', (of) =>
      of
        .selectFrom('attempts')
        .select('subject')
        .where('closes_at', '<=', p('by'))
        .orderBy('closes_at')
        .limit(rowCount(p('most'))),
    )
    .returning('subject'),
);

export const deletePersonalTokens = statement((sql, p: Param<{ by: Timestamp; most: number }>) =>
  sql
    .deleteFrom('personal_tokens')
    .where('id', 'in', (of) =>
      of
        .selectFrom('personal_tokens')
        .select('id')
        .where('revoked_at', '<=', p('by'))
        .orderBy('revoked_at')
        .limit(rowCount(p('most'))),
    )
    .returning('id'),
);

// What belongs to a post goes with it.
export const deleteRemovedPosts = statement((sql, p: Param<{ by: Timestamp; most: number }>) =>
  sql
    .deleteFrom('posts')
    .where('id', 'in', (of) =>
      of
        .selectFrom('posts')
        .select('id')
        .where('status', '=', 'removed')
        .where('removed_at', '<=', p('by'))
        .orderBy('removed_at')
        .limit(rowCount(p('most'))),
    )
    .returning('id'),
);

export const deleteOldInvitations = statement(
  (sql, p: Param<{ before: string; by: Timestamp; most: number }>) =>
    sql
      .deleteFrom('invitations')
      .where('key', 'in', (of) =>
        of
          .selectFrom('invitations')
          .select('key')
          .where('key', '<', p('before'))
          .where('expires_at', '<=', p('by'))
          .orderBy('key')
          .limit(rowCount(p('most'))),
      )
      .returning('key'),
);

export const deleteExpiredMailTokens = statement((sql, p: Param<{ by: Timestamp; most: number }>) =>
  sql
    .deleteFrom('mail_tokens')
    .where('key', 'in', (of) =>
      of
        .selectFrom('mail_tokens')
        .select('key')
        .where('expires_at', '<=', p('by'))
        .orderBy('expires_at')
        .limit(rowCount(p('most'))),
    )
    .returning('key'),
);

export const deleteForgottenMails = statement((sql, p: Param<{ by: Timestamp; most: number }>) =>
  sql
    .deleteFrom('mails')
    .where('id', 'in', (of) =>
      of
        .selectFrom('mails')
        .select('id')
        .where('next_attempt_at', '<=', p('by'))
        .orderBy('next_attempt_at')
        .limit(rowCount(p('most'))),
    )
    .returning('id'),
);

export const deleteNotifications = statement((sql, p: Param<{ by: Timestamp; most: number }>) =>
  sql
    .deleteFrom('notifications')
    .where('id', 'in', (of) =>
      of
        .selectFrom('notifications')
        .select('id')
        .where('created_at', '<=', p('by'))
        .orderBy('created_at')
        .limit(rowCount(p('most'))),
    )
    .returning('id'),
);

/** The counts stay; who looked on a day that is over is nobody's concern. */
export const deleteViews = statement((sql, p: Param<{ before: number; most: number }>) =>
  sql
    .deleteFrom('views')
    .where(({ refTuple, selectFrom, eb }) =>
      eb(
        refTuple('post_id', 'day', 'visitor'),
        'in',
        selectFrom('views')
          .select(['post_id', 'day', 'visitor'])
          .where('day', '<', p('before'))
          .orderBy('day')
          .limit(rowCount(p('most')))
          .$asTuple('post_id', 'day', 'visitor'),
      ),
    )
    .returning('post_id'),
);
