// Requests that fail on demand. Portico itself refuses them: its counter says that the limit is reached, or that the
// data can't be read.

import { type Awaitable, andThen } from '../lib/awaitable.ts';
import type { Counter, Hit } from '../lib/counter.ts';
import { StorageUnavailable } from '../lib/storage-unavailable.ts';

/** Faults that wait for requests: those of each place in a line of their own. */
export interface Faults<Fault extends string, Place extends string> {
  add(place: Place, fault: Fault, times?: number): void;
  /** Takes the first fault that waits at a place, if it is one of these. */
  take(place: Place, ...faults: Fault[]): Fault | undefined;
  /** Returns that fault without taking it. */
  first(place: Place): Fault | undefined;
  /** Forgets the faults of a place. */
  clear(place: Place): void;
}

export function openFaults<Fault extends string, Place extends string>(): Faults<Fault, Place> {
  const lines = new Map<Place, Fault[]>();
  const lineAt = (place: Place) => lines.get(place) ?? [];
  return {
    add(place, fault, times = 1) {
      lines.set(place, [...lineAt(place), ...Array<Fault>(times).fill(fault)]);
    },
    take(place, ...faults) {
      const [first] = lineAt(place);
      return first !== undefined && faults.includes(first) ? lineAt(place).shift() : undefined;
    },
    first: (place) => lineAt(place)[0],
    clear: (place) => lines.delete(place),
  };
}

/** A set, with the faults that the counter causes, among others. */
interface CountedSet {
  /** Missing for a server that has no sets: its requests have no limit together. */
  clientId?: string;
  faults: {
    take(place: 'api' | 'tokens', ...faults: ('rate_limited' | 'unavailable')[]): string | undefined;
  };
}

// Of all applications of a set, in the window of the token endpoint. Their tokens are in memory for an hour.
const MOST_TOKEN_REQUESTS = 300;

/** A request that is counted: one for tokens by its application, one of the API by its token. */
export type Counted = { place: 'tokens'; clientId: string } | { place: 'api'; tokenKey: string };

/**
 * Count like `counter`, except for requests for which a fault waits, and those of all applications of a set together.
 * `setOf` finds the set of a request.
 */
export function failingCounter(
  counter: Counter,
  setOf: (counted: Counted) => Awaitable<CountedSet | undefined>,
): Counter {
  return {
    hit(key, limit, windowSeconds) {
      const counted = countedIn(key);
      if (counted === undefined) return counter.hit(key, limit, windowSeconds);
      return andThen(setOf(counted), (set): Awaitable<Hit> => {
        const fault = set?.faults.take(counted.place, 'rate_limited', 'unavailable');
        if (fault === 'unavailable') throw new StorageUnavailable(new Error('a developer wanted it'));
        if (fault === 'rate_limited') return { allowed: false, remaining: 0, resetSeconds: windowSeconds };
        const count = () => counter.hit(key, limit, windowSeconds);
        if (set?.clientId === undefined || counted.place === 'api') return count();
        const ofSet = counter.hit(`sandbox-tokens:${set.clientId}`, MOST_TOKEN_REQUESTS, windowSeconds);
        return andThen(ofSet, (hit) => (hit.allowed ? count() : hit));
      });
    },
    close: counter.close,
  };
}

// The token endpoint's keys have its name. The API's are the bare keys of tokens, which have no punctuation.
function countedIn(key: string): Counted | undefined {
  const [, clientId] = /^token-endpoint:(\w+)/.exec(key) ?? [];
  if (clientId !== undefined) return { place: 'tokens', clientId };
  return /^\w+$/.test(key) ? { place: 'api', tokenKey: key } : undefined;
}
