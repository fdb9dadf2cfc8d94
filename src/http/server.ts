// The listening socket, with limits for slow callers and an orderly shutdown.

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
import { getRequestListener, RequestError } from '@hono/node-server';
import { SECOND } from '../lib/clock.ts';
import { send } from './answer.ts';
import type { Served } from './app.ts';
import { lacksHost, refusalResponse, refuse, refuseMalformed } from './malformed-request.ts';

const GRACE = 10 * SECOND;

/** A server that listens. */
export interface RunningServer {
  port: number;
  /**
   * Accepts no more connections, gives open requests ten seconds, then closes all connections. An idle
   * connection may send one more request until its usual timeout; with `isHasty` it is closed at once.
   */
  close(isHasty?: boolean): Promise<void>;
}

/**
 * Listen, or fail with the system's error (such as EADDRINUSE). Port 0 lets the system choose. `watch` sees
 * every request before its answer.
 */
export async function listen(
  served: Served,
  host: string,
  port: number,
  watch?: RequestListener,
): Promise<RunningServer> {
  const options = {
    // These limit how long a slow sender can occupy a socket.
    headersTimeout: 10 * SECOND,
    requestTimeout: 30 * SECOND,
    connectionsCheckingInterval: 5 * SECOND,
    keepAliveTimeout: 5 * SECOND,
    // A request with two Authorization headers must be refused. By default the second would be dropped.
    joinDuplicateHeaders: true,
    // Most requests have no body, and ending an empty stream costs more than the answer.
    optimizeEmptyRequests: true,
    // The listener checks it, since the runtime's own refusal lacks the security headers.
    requireHostHeader: false,
  };
  const answer = answerer(served);
  const server = createServer(options, (incoming, outgoing) => {
    const isPipelined = connections.note(incoming, outgoing);
    // Requests that arrive together share a snapshot (storage/engine/sqlite-snapshot.ts). A pipelined request
    // may be newer than the snapshot, so it waits until the end of the turn, when the snapshot is released.
    if (isPipelined) setImmediate(answer, incoming, outgoing);
    else answer(incoming, outgoing);
  });
  for (const watcher of [served.watch, watch]) {
    if (watcher !== undefined) server.prependListener('request', watcher);
  }
  const connections = connectionsOf(server);
  refuseMalformed(server, served.refusalHeaders ?? {}, connections.isAnswering);
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close(isHasty = false) {
      const closed = once(server, 'close');
      connections.end();
      // `server.close` closes idle connections at once, although a request may be on its way on one of them.
      SocketServer.prototype.close.call(server);
      if (isHasty) server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), GRACE);
      await closed;
      clearTimeout(timer);
    },
  };
}

function answerer({
  api,
  rest,
  refusalHeaders = {},
}: Served): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  // The adapter refuses targets and hosts that make no address. The app answers every other error.
  const errorHandler = (error: unknown) =>
    refusalResponse(error instanceof RequestError ? 400 : 500, refusalHeaders);
  const answerRest = getRequestListener((request, env) => rest.fetch(request, env), { errorHandler });
  return (incoming, outgoing) => {
    if (lacksHost(incoming)) {
      refuse(outgoing, 400, refusalHeaders);
      return;
    }
    const answer = api(incoming);
    if (answer === undefined) answerRest(incoming, outgoing);
    else if (answer instanceof Promise) answer.then((ready) => send(ready, outgoing));
    else send(answer, outgoing);
  };
}

/** The latest request of a connection: its turn of the event loop, and its answer. */
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
     * Notes a request, and reports whether it is pipelined. One turn of the event loop reads two requests of
     * the same connection only if the client sent the second without waiting for the first answer.
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
    /** Reports whether the newest request of a connection waits for its answer. */
    isAnswering(socket: Socket): boolean {
      const { answer } = open.get(socket) ?? {};
      return answer !== undefined && !answer.writableFinished;
    },
    /**
     * Makes every further answer the last one on its connection. Otherwise a client that keeps its connection
     * busy would send requests until the connection is cut.
     */
    end(): void {
      isEnding = true;
      for (const { answer } of open.values()) if (answer !== undefined) answer.shouldKeepAlive = false;
    },
  };
}
