// The rate limit of a token (spec §8): 60 requests a minute. A window opens with its first request.

import { type Awaitable, andThen } from '../lib/awaitable.ts';
import type { Counter, Hit } from '../lib/counter.ts';
import type { Principal } from '../oauth/bearer-token.ts';
import type { HeaderLines } from './answer.ts';
import { HttpRefusal } from './problem.ts';

const WINDOW_SECONDS = 60;

/** Counts the requests of each token. */
export interface RequestBudget {
  /** The value of RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers). */
  policy: string;
  /**
   * Counts a request and adds RateLimit to the headers. Throws `rate_limited` for a request beyond the limit.
   */
  spend(principal: Principal, headers: HeaderLines): Awaitable<void>;
}

/** Make the budget of `limit` requests a minute. */
export function requestBudget(limit: number, counter: Counter): RequestBudget {
  return {
    policy: `"default";q=${limit};w=${WINDOW_SECONDS}`,
    spend(principal, headers) {
      // The token's key alone is the counter's key: building a longer string would cost time.
      const hit = counter.hit(principal.tokenKey, limit, WINDOW_SECONDS);
      return andThen(hit, (result) => report(result, headers));
    },
  };

  function report(hit: Hit, headers: HeaderLines): void {
    headers.push('RateLimit', `"default";r=${hit.remaining};t=${hit.resetSeconds}`);
    if (hit.allowed) return;
    throw new HttpRefusal(
      'rate_limited',
      `A token may make ${limit} requests a minute. Wait ${WINDOW_SECONDS} seconds.`,
      WINDOW_SECONDS,
    );
  }
}
