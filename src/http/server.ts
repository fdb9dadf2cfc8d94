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
   * Takes no new connections and finishes what was accepted within ten seconds, then lets go of the rest.
   * Idle connections may bring one more request, until they would have been closed anyway; with `isHasty`
   * they go at once.
   */
  close(isHasty?: boolean): Promise<void>;
}

/**
 * Listens, or fails with the system's error (such as EADDRINUSE). Port 0 lets the system choose. `watch` sees
 * every request before it is answered.
 */
export async function listen(
  served: Served,
  host: string,
  port: number,
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
    // Most requests have no body, and to end an empty stream costs more than an answer.
    optimizeEmptyRequests: true,
  };
  const answer = answerer(served);
  const server = createServer(options, (incoming, outgoing) => {
    const isPipelined = connections.note(incoming, outgoing);
    // The reads of one batch of arrivals share a snapshot. A request sent behind another may be newer than that,
    // and at the end of the turn the snapshot is over (storage/engine/sqlite-snapshot.ts).
    if (isPipelined) setImmediate(answer, incoming, outgoing);
    else answer(incoming, outgoing);
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
      // The server's own `close` ends idle connections at once, though one may be bringing a request.
      SocketServer.prototype.close.call(server);
      if (isHasty) server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), GRACE);
      await closed;
      clearTimeout(timer);
    },
  };
}

function answerer({ api, rest }: Served): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  const answerRest = getRequestListener((request, env) => rest.fetch(request, env));
  return (incoming, outgoing) => {
    const answer = api(incoming);
    if (answer === undefined) answerRest(incoming, outgoing);
    else if (answer instanceof Promise) answer.then((ready) => send(ready, outgoing));
    else send(answer, outgoing);
  };
}

/** The newest request of a connection: the turn of the event loop that brought it, and its answer. */
interface NewestRequest {
  turn: number;
  answer: ServerResponse | undefined;
}

/** The open connections of a server. */
function connectionsOf(server: Server) {
  const open = new Map<Socket, NewestRequest>();
  let isEnding = false;

  server.on('connection', (socket: Socket) => {
    open.set(socket, { turn: -1, answer: undefined });
    socket.once('close', () => open.delete(socket));
  });
  return {
    /**
     * Notes a request. Reports whether it was read along with the one before it: of one connection, a batch
     * of arrivals brings one request, unless the client sent the next without waiting.
     */
    note({ socket }: IncomingMessage, answer: ServerResponse): boolean {
      if (isEnding) answer.shouldKeepAlive = false;
      const newest = open.get(socket);
      if (newest === undefined) return false;
      const { loopCount: turn } = performance.nodeTiming.uvMetricsInfo;
      const isPipelined = newest.turn === turn;
      newest.turn = turn;
      newest.answer = answer;
      return isPipelined;
    },
    /**
     * From now on each answer says that it is the last on its connection. Otherwise callers who keep a
     * connection busy would continue until it is cut off.
     */
    end(): void {
      isEnding = true;
      for (const { answer } of open.values()) if (answer !== undefined) answer.shouldKeepAlive = false;
    },
  };
}
