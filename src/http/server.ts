// The listening socket: bounds on slow callers, and an orderly end.

import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, type Socket, Server as SocketServer } from 'node:net';
import { performance } from 'node:perf_hooks';
import { getRequestListener } from '@hono/node-server';
import { SECOND } from '../lib/clock.ts';
import { send } from './answer.ts';
import type { Served } from './app.ts';

const GRACE = 10 * SECOND;

export interface RunningServer {
  port: number;
  /**
   * Takes no new connections and finishes what was accepted within ten seconds, then lets go of the rest. Idle
   * connections may bring one more request, until they would have been closed anyway; with `isHasty` they go at once.
   */
  close(isHasty?: boolean): Promise<void>;
}

/**
 * Listens, or fails with the system's error (such as EADDRINUSE). Port 0 lets the system choose. `onPipelined` is
 * called before a request that was read along with the one before it on its connection. `watch` sees every request
 * before it is answered.
 */
export async function listen(
  served: Served,
  host: string,
  port: number,
  onPipelined: () => void,
  watch?: RequestListener,
): Promise<RunningServer> {
  const options = {
    // A caller who sends slowly holds a socket no longer than this.
    headersTimeout: 10 * SECOND,
    requestTimeout: 30 * SECOND,
    connectionsCheckingInterval: 5 * SECOND,
    keepAliveTimeout: 5 * SECOND,
    // Two credentials are refused as such; by default the second would go unseen.
    joinDuplicateHeaders: true,
    // A request without a body is no stream: most requests are, and a stream's ends cost more than their answer.
    optimizeEmptyRequests: true,
  };
  const answerRest = getRequestListener((request, env) => served.rest.fetch(request, env));
  const server = createServer(options, (incoming, outgoing) => {
    if (connections.note(incoming, outgoing)) onPipelined();
    const answer = served.api(incoming);
    if (answer === undefined) answerRest(incoming, outgoing);
    else if (answer instanceof Promise) answer.then((ready) => send(ready, outgoing));
    else send(answer, outgoing);
  });
  for (const watcher of [served.watch, watch])
    if (watcher !== undefined) server.prependListener('request', watcher);
  const connections = connectionsOf(server);
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close(isHasty = false) {
      const closed = once(server, 'close');
      connections.end();
      // The server's own `close` ends idle connections at once, and a request may be on its way in one of them.
      SocketServer.prototype.close.call(server);
      if (isHasty) server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), GRACE);
      await closed;
      clearTimeout(timer);
    },
  };
}

type KnownSocket = Socket & { [TURN]?: number; [ANSWER]?: ServerResponse };
const TURN = Symbol('the turn of its newest request');
const ANSWER = Symbol('the answer to its newest request');

/** The connections of a server, and what each asked last. */
function connectionsOf(server: Server) {
  const open = new Set<KnownSocket>();
  let isEnding = false;

  server.on('connection', (socket: KnownSocket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return {
    /**
     * Notes a request. Reports whether it was read along with the one before it: of one connection, a batch of arrivals
     * brings one request, unless the client sent the next without waiting.
     */
    note(incoming: IncomingMessage, answer: ServerResponse): boolean {
      const socket: KnownSocket = incoming.socket;
      const { loopCount } = performance.nodeTiming.uvMetricsInfo;
      const isSame = socket[TURN] === loopCount;
      socket[TURN] = loopCount;
      socket[ANSWER] = answer;
      if (isEnding) answer.shouldKeepAlive = false;
      return isSame;
    },
    /**
     * From now on each answer says that it is the last on its connection. Otherwise callers who keep a connection busy
     * would go on until it is cut off.
     */
    end(): void {
      isEnding = true;
      for (const { [ANSWER]: newest } of open) if (newest !== undefined) newest.shouldKeepAlive = false;
    },
  };
}
