// Callers take turns when their passwords are checked and hashed. It takes a core for 20 ms or more, and the threads
// that do it also sign ID tokens.

import type { TooFast } from '../lib/attempt.ts';
import { wholeNetworkOf } from '../lib/network.ts';
import { turnsOf } from '../lib/turns.ts';

// Node has four threads. All that wait have a connection, and those are limited.
const inTurn = turnsOf({ atOnce: 2, waiting: Number.POSITIVE_INFINITY, waitingOfCaller: 100 });

/** The refusal of a caller who has too many passwords waiting. */
export const BUSY: TooFast = { retryAfterSeconds: 5 };

/**
 * Do a caller's work with a password when no other is under way for its address, or for the /48 network around an IPv6
 * address. Undefined if too much of it waits already: see `BUSY`.
 */
export function inPasswordTurn<T extends object>(
  address: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  return inTurn(wholeNetworkOf(address), work);
}
