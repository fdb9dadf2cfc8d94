// What happened to a member's API tokens lately, for their list.

import type { SecurityEvent } from '../../../audit/security-event.ts';
import type { User } from '../../../identity/user.ts';
import { DAY, HOUR } from '../../../lib/clock.ts';
import type { SiteParts } from '../site-parts.ts';

const MOST_REFUSALS = 100;
// Each hour has 100 at most.
const MOST_LINES = 3000;

/** What happened to one token. */
export interface TokenUses {
  /** Its last request from an address that isn't allowed. */
  refusal?: SecurityEvent;
  /** Its requests in the last 24 hours, to a whole hour, as far as the access diary has them. */
  requests: number;
  /** Those of them that were answered with 429. */
  limited: number;
}

/** Read what happened to a member's tokens, by their ids. */
export async function tokenUses(site: SiteParts, { id: userId }: User): Promise<Map<string, TokenUses>> {
  const now = site.clock();
  const [events, lines] = await Promise.all([
    site.audit.reads.securityEvents({
      userId,
      event: 'access_denied',
      detail: 'token_address',
      limit: MOST_REFUSALS,
    }),
    site.oauth.reads.diaryLines({
      userId,
      clientId: '',
      from: now - DAY,
      until: now + HOUR,
      limit: MOST_LINES,
    }),
  ]);
  const uses = new Map<string, TokenUses>();
  for (const { source, requests, status } of lines) {
    const before = uses.get(source) ?? { requests: 0, limited: 0 };
    const limited = before.limited + (status === 429 ? requests : 0);
    uses.set(source, { requests: before.requests + requests, limited });
  }
  for (const event of events.toReversed()) {
    const id = event.subject ?? '';
    uses.set(id, { ...(uses.get(id) ?? { requests: 0, limited: 0 }), refusal: event });
  }
  return uses;
}
