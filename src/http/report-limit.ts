// The limit on reports of credentials that were found in public: one count for the page and for programs.

import { attemptedFrom, type TooFast } from '../lib/attempt.ts';
import type { Timestamp } from '../lib/clock.ts';

/** How many credentials one report can have. */
export const MOST_CREDENTIALS = 1000;

// Each reported credential can take a query.
const MOST_REPORTS_AN_HOUR = 30;
const MOST_OF_NETWORK = 120;

/** Count a report from an address. Tells how long to wait if there were too many in this hour. */
export function countReport(
  stores: Parameters<typeof attemptedFrom>[0],
  address: string,
  now: Timestamp,
): Promise<TooFast | undefined> {
  const limits = { address, most: MOST_REPORTS_AN_HOUR, mostOfNetwork: MOST_OF_NETWORK };
  return attemptedFrom(stores, now, 'exposed credentials', limits);
}
