// Requests that fail on demand. Portico itself refuses them: its counter says that the limit is reached, or that the
// data can't be read.

import type { ServerResponse } from 'node:http';
import type { HttpHandlers } from '../../../src/http/app.ts';
import { PATHS } from '../../../src/http/routes.ts';
import type { Clock } from '../../../src/lib/clock.ts';
import { type Counter, processCounter } from '../../../src/lib/counter.ts';
import { StorageUnavailable } from '../../../src/lib/storage-unavailable.ts';
import type { Fault } from '../src/acts.ts';

export interface Faults {
  add(fault: Fault, where: 'api' | 'tokens', times: number): void;
  /** Counts like Portico's own counter, except for the faults. */
  counter: Counter;
  /** Puts the other faults in front of the token endpoint. */
  around(handlers: HttpHandlers): HttpHandlers;
}

export function openFaults(clock: Clock): Faults {
  const waiting: Record<'api' | 'tokens', Fault[]> = { api: [], tokens: [] };
  const counter = processCounter(clock);

  /** Take the next fault, if it is one of these. */
  function next(where: 'api' | 'tokens', ...faults: Fault[]): Fault | undefined {
    const [first] = waiting[where];
    return first !== undefined && faults.includes(first) ? waiting[where].shift() : undefined;
  }

  return {
    add(fault, where, times) {
      waiting[where].push(...Array<Fault>(times).fill(fault));
    },
    counter: {
      hit(key, limit, windowSeconds) {
        const where = placeOf(key);
        const fault = where === undefined ? undefined : next(where, 'rate_limited', 'unavailable');
        if (fault === 'unavailable') throw new StorageUnavailable(new Error('a test wanted it'));
        if (fault === 'rate_limited') return { allowed: false, remaining: 0, resetSeconds: windowSeconds };
        return counter.hit(key, limit, windowSeconds);
      },
      close: counter.close,
    },
    around: (handlers) => ({
      ...handlers,
      rest: {
        async fetch(request, env, context) {
          const { rest } = handlers;
          if (new URL(request.url).pathname !== PATHS.token) return rest.fetch(request, env, context);
          const fault = next('tokens', 'lost_answer', 'replayed');
          if (fault === 'replayed') return sentTwice(request);
          const answer = await rest.fetch(request, env, context);
          if (fault === 'lost_answer') (env as { outgoing: ServerResponse }).outgoing.destroy();
          return answer;
        },
      },
    }),
  };
}

/** Pass on a request twice, each as a request of its own. Returns the second answer. */
async function sentTwice(request: Request): Promise<Response> {
  const body = await request.text();
  const headers = new Headers();
  for (const name of ['content-type', 'authorization']) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const send = () => fetch(request.url, { method: 'POST', headers, body });
  await (await send()).body?.cancel();
  return send();
}

// The token endpoint's keys have its name. The API's are the bare keys of tokens, which have no punctuation.
function placeOf(key: string): 'api' | 'tokens' | undefined {
  if (key.startsWith('token-endpoint:')) return 'tokens';
  return /^\w+$/.test(key) ? 'api' : undefined;
}
