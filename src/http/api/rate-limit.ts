// How often one token may call (spec §8): 60 requests a minute, in windows that open with their first request.

import { type Awaitable, andThen } from '../../lib/awaitable.ts';
import type { Counter, Hit } from '../../lib/counter.ts';
import type { Principal } from '../../oauth/bearer-token.ts';
import type { HeaderLines } from '../answer.ts';
import { Refusal } from '../problem.ts';

const WINDOW_SECONDS = 60;

export interface RequestBudget {
  /** The header that tells the limit (draft-ietf-httpapi-ratelimit-headers). */
  policy: string;
  /** Counts a request and adds to the headers what is left. Throws `rate_limited` for one beyond the limit. */
  spend(principal: Principal, headers: HeaderLines): Awaitable<void>;
}

export function requestBudget(limit: number, counter: Counter): RequestBudget {
  return {
    policy: `"default";q=${limit};w=${WINDOW_SECONDS}`,
    spend(principal, headers) {
      // By the key alone, which the token's record holds already: a name made of it would be kept a second time.
      const hit = counter.hit(principal.tokenKey, limit, WINDOW_SECONDS);
      return andThen(hit, (counted) => tell(counted, headers));
    },
  };

  function tell(hit: Hit, headers: HeaderLines): void {
    headers.push('RateLimit', `"default";r=${hit.remaining};t=${hit.resetSeconds}`);
    if (hit.allowed) return;
    throw new Refusal(
      'rate_limited',
      `A token may make ${limit} requests a minute. Wait ${WINDOW_SECONDS} seconds.`,
      WINDOW_SECONDS,
    );
  }
}
