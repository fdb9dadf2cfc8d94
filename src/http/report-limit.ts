// The limits on reports of credentials that were found in public, for the page and for programs together.

import { attemptedFrom, type TooFast } from '../lib/attempt.ts';
import type { Timestamp } from '../lib/clock.ts';
import { wholeNetworkOf } from '../lib/network.ts';
import { turnsOf } from '../lib/turns.ts';
import { type ExposedText, revokeExposed } from '../oauth/exposed-credential.ts';

/** How many credentials one report can have. */
export const MOST_CREDENTIALS = 1000;

// Each reported credential can take a read.
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

// Reports of many networks at once would fill the database's queue. All that wait have a connection, and those are
// limited.
const inTurn = turnsOf({
  atOnce: 1,
  waiting: Number.POSITIVE_INFINITY,
  waitingOfCaller: Number.POSITIVE_INFINITY,
});

/** Revoke the credentials of a report from an address, in the turn of its network. */
export async function revokeReported(
  oauth: Parameters<typeof revokeExposed>[0],
  address: string,
  texts: readonly string[],
): Promise<void> {
  const credentials: ExposedText[] = texts.map((text) => ({ text, source: 'report' }));
  await inTurn(wholeNetworkOf(address), () => revokeExposed(oauth, credentials));
}
