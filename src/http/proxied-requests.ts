// How many requests of one caller a proxy may have under way.

import type { ServerResponse } from 'node:http';
import { callersOf } from './connections.ts';

export interface ProxiedRequests {
  /** Counts a caller's request until its answer is closed. Returns false, and counts nothing, if there are too many. */
  begin(caller: string, answer: Pick<ServerResponse, 'once'>): boolean;
}

/**
 * Count the requests of the callers behind proxies. A proxy can open a connection for each, so that a caller may have
 * as many as connections without a proxy: otherwise one could take all that the server has.
 */
export function proxiedRequests(): ProxiedRequests {
  const counts = new Map<string, number>();

  function count(callers: readonly { caller: string }[], more: number): void {
    for (const { caller } of callers) {
      const sum = (counts.get(caller) ?? 0) + more;
      if (sum === 0) counts.delete(caller);
      else counts.set(caller, sum);
    }
  }

  return {
    begin(caller, answer) {
      const callers = callersOf(caller);
      if (callers.some(({ caller, connections }) => (counts.get(caller) ?? 0) >= connections)) return false;
      count(callers, 1);
      answer.once('close', () => count(callers, -1));
      return true;
    },
  };
}
