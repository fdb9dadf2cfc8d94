// How many requests of one caller a proxy may have under way.

import type { ServerResponse } from 'node:http';
import { callerCounts, callersOf } from './connections.ts';

export interface ProxiedRequests {
  /** Counts a caller's request until its answer is closed. Returns false, and counts nothing, if there are too many. */
  begin(caller: string, answer: Pick<ServerResponse, 'once'>): boolean;
}

/**
 * Count the requests of the callers behind proxies. A proxy can open a connection for each, so that a caller may have
 * as many as connections without a proxy: otherwise one could take all that the server has.
 */
export function proxiedRequests(): ProxiedRequests {
  const counts = callerCounts();
  return {
    begin(caller, answer) {
      const callers = callersOf(caller);
      if (counts.isFull(callers)) return false;
      counts.add(callers, 1);
      answer.once('close', () => counts.add(callers, -1));
      return true;
    },
  };
}
