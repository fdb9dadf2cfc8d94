// The faults of the kit: those of Portico's counter, and two in front of the token endpoint.

import type { ServerResponse } from 'node:http';
import type { HttpHandlers } from '../../../src/http/app.ts';
import { PATHS } from '../../../src/http/routes.ts';
import { type Faults, openFaults } from '../../../src/sandbox/faults.ts';
import type { Fault } from '../src/acts.ts';

export type KitFaults = Faults<Fault, 'api' | 'tokens'>;

/** The faults that the next requests meet. */
export const openKitFaults = openFaults<Fault, 'api' | 'tokens'>;

/** Put the faults that Portico can't cause itself in front of its token endpoint. */
export function withTokenFaults(handlers: HttpHandlers, faults: KitFaults): HttpHandlers {
  return {
    ...handlers,
    rest: {
      async fetch(request, env, context) {
        const { rest } = handlers;
        if (new URL(request.url).pathname !== PATHS.token) return rest.fetch(request, env, context);
        const fault = faults.take('tokens', 'lost_answer', 'replayed');
        if (fault === 'replayed') return sentTwice(request);
        const answer = await rest.fetch(request, env, context);
        if (fault === 'lost_answer') (env as { outgoing: ServerResponse }).outgoing.destroy();
        return answer;
      },
    },
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
