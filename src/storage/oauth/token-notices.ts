// The notices about personal tokens, as transactions: the token, the notification and the mail in one step.

import type { AboutCredential } from '../../audit/credential-notice.ts';
import { dailyLimit } from '../../lib/attempt.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type { NoticeStep, TokenNotices, WatchedToken } from '../../oauth/personal-token-store.ts';
import { NO_ENTRY } from '../audit/audit-trail.ts';
import { insertLimitedNotification } from '../community/notifications.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { sql } from '../engine/sql.ts';
import { upsertAttempt } from '../identity/attempts.ts';
import { insertLimitedMail } from '../identity/mails.ts';
import { tokenEvent } from './personal-tokens.ts';

export function tokenNotices(database: Database): TokenNotices {
  return {
    tokensToLookAt: async (now, most) => database.rows(selectTokensToLookAt({ now, most })),
    async settleToken(token, { tell, told, idleUntil, lookAt }, at) {
      const { id, userId, name } = token;
      const isRevoked = tell === 'unused';
      const step = { told, idleUntil, lookAt, revokedAt: isRevoked ? at : undefined };
      const values = {
        id,
        lookAtBefore: token.lookAt,
        toldBefore: token.told,
        usedBefore: token.lastUsedAt,
        expiresBefore: token.expiresAt,
        ...step,
      };
      const endsAt = idleUntil ?? token.expiresAt ?? at;
      const about = JSON.stringify({
        token: { notice: tell ?? 'ended', name, endsAt },
      } satisfies AboutCredential);
      // Its member can edit the end of a token again and again.
      const limit = dailyLimit(at, 1, 'API token', id, tell ?? '');
      const { subject, most } = limit;
      return runGuarded(database, {
        audit: NO_ENTRY,
        guard: updateWatched(values),
        effects:
          tell === undefined
            ? []
            : [
                upsertAttempt({ ...limit, most: limit.most + 1 }),
                insertLimitedNotification({ kind: 'api_token', userId, about, at, subject, most }),
                insertLimitedMail({ purpose: 'api_token', userId, about, at, subject, most }),
              ],
        events: isRevoked ? [tokenEvent({ kind: 'server', at }, 'api_token_revoked', 'unused', { id })] : [],
      });
    },
  };
}

const selectTokensToLookAt = sql<{ now: Timestamp; most: number }, WatchedToken>`
  SELECT id, user_id AS "userId", name, created_at AS "createdAt", expires_at AS "expiresAt",
    last_used_at AS "lastUsedAt", told, idle_until AS "idleUntil", coalesce(look_at, 0) AS "lookAt"
  FROM personal_tokens
  WHERE revoked_at IS NULL AND look_at IS NOT NULL AND look_at <= :now
  ORDER BY look_at LIMIT cast(:most AS bigint)`;

// Nothing that the step was decided by has changed: so a token that is used at this moment is not revoked.
const updateWatched = sql<
  NoticeValues & {
    id: number;
    lookAtBefore: Timestamp;
    toldBefore: string | undefined;
    usedBefore: Timestamp | undefined;
    expiresBefore: Timestamp | undefined;
  }
>`
  UPDATE personal_tokens
  SET told = :told, idle_until = :idleUntil, look_at = :lookAt, revoked_at = :revokedAt
  WHERE id = :id AND revoked_at IS NULL AND look_at = :lookAtBefore
    AND coalesce(told, '') = coalesce(cast(:toldBefore AS text), '')
    AND coalesce(last_used_at, 0) = coalesce(cast(:usedBefore AS bigint), 0)
    AND coalesce(expires_at, 0) = coalesce(cast(:expiresBefore AS bigint), 0)`;

interface NoticeValues {
  told: NoticeStep['told'];
  idleUntil: Timestamp | undefined;
  lookAt: Timestamp | undefined;
  revokedAt: Timestamp | undefined;
}
