// Notices about API tokens: 7 days and 1 day before a token ends and at its end, and 30 and 7 days before a token is
// revoked because it was not used for a year.

import type { TokenNotice } from '../audit/credential-notice.ts';
import { DAY, type Timestamp } from '../lib/clock.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { NoticeStep, WatchedToken } from './personal-token-store.ts';

/** A token that is not used for so long is revoked. */
export const IDLE_LIFETIME = 365 * DAY;
const FIRST_IDLE_NOTICE = 30 * DAY;
const LAST_IDLE_NOTICE = 7 * DAY;

const END_NOTICES = [
  { before: 7 * DAY, notice: 'ends_in_7_days' },
  { before: 1 * DAY, notice: 'ends_in_1_day' },
] as const;

// After a longer outage, or from before there were notices, the end is no news.
const STALE_END = 7 * DAY;

const TOKENS_OF_STEP = 50;

/** Look at some of the tokens that are due, and tell their members. Returns how many were due, 0 if none are left. */
export async function tellOfTokens({ reads, writes, clock }: AuthorizationServer): Promise<number> {
  const now = clock();
  const tokens = await reads.tokensToLookAt(now, TOKENS_OF_STEP);
  // A token that was used or changed meanwhile is due again.
  for (const token of tokens) await writes.settleToken(token, nextStep(token, now), now);
  return tokens.length;
}

/** Decide what to tell now, and when to look at the token again. */
export function nextStep(token: WatchedToken, now: Timestamp): NoticeStep {
  const isUsed = token.idleUntil !== undefined && lastUseOf(token) > token.idleUntil - FIRST_IDLE_NOTICE;
  const idleUntil = isUsed ? undefined : token.idleUntil;
  const told = isUsed ? undefined : token.told;
  if (idleUntil !== undefined) return idleStep(told, idleUntil, now);
  const idleFrom = lastUseOf(token) + IDLE_LIFETIME - FIRST_IDLE_NOTICE;
  const { expiresAt } = token;
  if (now >= idleFrom && (expiresAt === undefined || expiresAt > now + FIRST_IDLE_NOTICE)) {
    const end = now + FIRST_IDLE_NOTICE;
    return { tell: 'unused_30_days', told: 'unused_30_days', idleUntil: end, lookAt: end - LAST_IDLE_NOTICE };
  }
  const step = expiresAt === undefined ? { told } : endStep({ ...token, expiresAt, told }, now);
  const isOver = expiresAt !== undefined && expiresAt <= now;
  return isOver
    ? step
    : { ...step, lookAt: Math.min(step.lookAt ?? idleFrom, Math.max(idleFrom, now + DAY)) };
}

function lastUseOf({ lastUsedAt, createdAt }: WatchedToken): Timestamp {
  return lastUsedAt ?? createdAt;
}

// The member always has seven days after the last notice, also if the server was stopped for weeks.
function idleStep(told: TokenNotice | undefined, idleUntil: Timestamp, now: Timestamp): NoticeStep {
  if (told === 'unused_30_days' && now >= idleUntil - LAST_IDLE_NOTICE) {
    const end = Math.max(idleUntil, now + LAST_IDLE_NOTICE);
    return { tell: 'unused_7_days', told: 'unused_7_days', idleUntil: end, lookAt: end };
  }
  if (told === 'unused_7_days' && now >= idleUntil) return { tell: 'unused', told: 'unused', idleUntil };
  return { told, idleUntil, lookAt: told === 'unused_7_days' ? idleUntil : idleUntil - LAST_IDLE_NOTICE };
}

function endStep(token: WatchedToken & { expiresAt: Timestamp }, now: Timestamp): NoticeStep {
  const { told, expiresAt, createdAt } = token;
  if (now >= expiresAt) {
    const isNews = told !== 'ended' && now - expiresAt < STALE_END;
    return isNews ? { tell: 'ended', told: 'ended' } : { told };
  }
  // A token that was made for a week needs no notice a week before its end.
  const notices = END_NOTICES.filter(({ before }) => expiresAt - createdAt > 2 * before);
  const due = notices.findLast(({ before }) => now >= expiresAt - before);
  const next = notices.find(({ before }) => now < expiresAt - before);
  const lookAt = next === undefined ? expiresAt : expiresAt - next.before;
  return due === undefined || due.notice === told
    ? { told, lookAt }
    : { tell: due.notice, told: due.notice, lookAt };
}
