// The security event of an authorization code that is used again.

import type { SecurityEvent } from '../../audit/security-event.ts';
import { HOUR, MINUTE, type Timestamp } from '../../lib/clock.ts';
import type { CodeReplay } from '../../oauth/store.ts';
import { EVENT_ROW, INTO_EVENTS, recorded } from '../audit/security-events.ts';
import { type Bound, fragment, sql } from '../engine/sql.ts';
import { mailsAfter } from '../identity/security-mails.ts';
import { withinPace } from './pace-of-thefts.ts';

/** Record that a code was used again: only if it was redeemed, at most once a minute, and within the pace. */
export function replayEvent({ code, address, at }: CodeReplay): Bound<unknown> {
  const { key, userId, clientId } = code;
  const insertion = insertReplay({
    key,
    userId,
    clientId,
    address,
    at,
    since: at - MINUTE,
    hourAgo: at - HOUR,
  });
  const event = { event: 'code_replayed', at, userId, clientId, address, subject: key } as const;
  return { ...recorded(insertion), followedBy: mailsAfter(event) };
}

const WITHIN_PACE = withinPace(fragment`'code_replayed'`, fragment`:userId`, fragment`:clientId`);

// The earlier event is not looked for by its member: SQLite would read all the events of that member.
const insertReplay = sql<
  {
    key: string;
    userId: number;
    clientId: string;
    address: string | undefined;
    at: Timestamp;
    since: Timestamp;
    hourAgo: Timestamp;
  },
  SecurityEvent
>`
  ${INTO_EVENTS}
  SELECT :at, 'code_replayed', :userId, :clientId, :address, NULL, NULL, code.key
  FROM authorization_codes AS code
  WHERE code.key = :key AND code.redeemed_at IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM security_events AS earlier
    WHERE earlier.event = 'code_replayed' AND earlier.subject = :key AND earlier.at > :since)
    AND ${WITHIN_PACE}
  ${EVENT_ROW}`;
