// The listening socket: bounds on slow callers, and an orderly end.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import { SECOND } from '../lib/clock.ts';
import type { PageEnv } from './visitor.ts';

const GRACE = 10 * SECOND;

export interface RunningServer {
  port: number;
  /** Takes no new requests, finishes those that were accepted within ten seconds, then lets go of the rest. */
  close(): Promise<void>;
}

/**
 * Listens, or fails with the system's error (such as EADDRINUSE). Port 0 lets the system choose. `onPipelined` is
 * called before a request that was read along with the one before it on its connection.
 */
export async function listen(
  app: Hono<PageEnv>,
  host: string,
  port: number,
  onPipelined: () => void,
): Promise<RunningServer> {
  const cameAlong = pipelining();
  const server = createAdaptorServer({
    fetch: (request, env) => {
      if (cameAlong((env as HttpBindings).incoming)) onPipelined();
      return app.fetch(request, env);
    },
    createServer,
    serverOptions: {
      // A caller who sends slowly holds a socket no longer than this.
      headersTimeout: 10 * SECOND,
      requestTimeout: 30 * SECOND,
      connectionsCheckingInterval: 5 * SECOND,
      keepAliveTimeout: 5 * SECOND,
      // Two credentials are refused as such; by default the second would go unseen.
      joinDuplicateHeaders: true,
      // A request without a body is no stream: most requests are, and a stream's ends cost more than their answer.
      optimizeEmptyRequests: true,
    },
  }) as Server;
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), GRACE);
      await closed;
      clearTimeout(timer);
    },
  };
}

// Of one connection, a batch of arrivals brings one request, unless the client sent the next without waiting.
function pipelining(): (request: HttpBindings['incoming']) => boolean {
  const lastTurn = Symbol('the turn of its last request');
  return (request) => {
    const socket = request.socket as Socket & { [lastTurn]?: number };
    const { loopCount } = performance.nodeTiming.uvMetricsInfo;
    const isSame = socket[lastTurn] === loopCount;
    socket[lastTurn] = loopCount;
    return isSame;
  };
}
