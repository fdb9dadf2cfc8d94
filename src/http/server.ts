// The listening socket, with limits for slow callers and an orderly shutdown.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as SocketServer } from 'node:net';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { Awaitable } from '../lib/awaitable.ts';
import { SECOND } from '../lib/clock.ts';
import { noteConnection } from '../lib/other-work.ts';
import { limitChunks } from '../lib/small-chunks.ts';
import { send } from './answer.ts';
import type { HttpHandlers } from './app.ts';
import { clientAddress, peers } from './client-address.ts';
import { connectionsOf } from './connections.ts';
import { fairTurns } from './fair-turns.ts';
import { CountedAnswer } from './held-bytes.ts';
import {
  hasCostlyTarget,
  lacksHost,
  refusalResponse,
  refuse,
  refuseMalformed,
  refuseUnread,
} from './malformed-request.ts';
import { proxiedRequests } from './proxied-requests.ts';

const GRACE = 10 * SECOND;
// Connections that wait in the system, which has its own limit too (on Linux net.core.somaxconn, usually the same). Of
// the runtime's 511, few callers could take all, and what is more than that comes again after a second.
const MOST_TO_ACCEPT = 4096;
// Browsers and proxies send fewer than 50.
const MOST_HEADERS = 100;

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
  handlers: HttpHandlers,
  host: string,
  port: number,
  watch?: RequestListener,
): Promise<RunningServer> {
  const options = {
    // These limit how long a slow sender can occupy a connection.
    headersTimeout: 10 * SECOND,
    requestTimeout: 30 * SECOND,
    connectionsCheckingInterval: 5 * SECOND,
    keepAliveTimeout: 5 * SECOND,
    maxHeaderSize: 16 * 1024,
    // A request with two Authorization headers must be refused. By default the second would be dropped.
    joinDuplicateHeaders: true,
    // Most requests have no body, and ending an empty stream costs more than the answer.
    optimizeEmptyRequests: true,
    // The listener checks it, since the runtime's own refusal lacks the security headers.
    requireHostHeader: false,
    ServerResponse: CountedAnswer,
  };
  const answer = answerer(handlers);
  const { trustedProxies = [], refusalHeaders = {} } = handlers;
  const callerOf = clientAddress(trustedProxies);
  const turns = fairTurns(handlers.waitingPerConnection);
  const proxied = proxiedRequests();
  const server = createServer(options, (incoming, outgoing) => {
    const connection = connections.of(incoming);
    if (connection === undefined) return;
    if (incoming.rawHeaders.length > 2 * MOST_HEADERS) {
      refuseUnread(incoming, outgoing, 431, refusalHeaders, connections);
      return;
    }
    limitChunks(incoming, connections.cut);
    const caller = connection.isProxy ? callerOf({ env: { incoming } }) : connection.address;
    // What the proxy asks for itself has its address.
    if (caller !== connection.address && !proxied.begin(caller, outgoing)) {
      refuse(outgoing, 429, { ...refusalHeaders, 'Retry-After': '1' });
      return;
    }
    const hasBody = incoming.method === 'POST';
    if (hasBody) turns.takeAgainAfterBody(caller, outgoing);
    // While the request waited for the one before or for its turn, the caller may have closed the connection.
    const answerIfOpen = () => {
      if (incoming.socket.destroyed) return;
      const work = answer(incoming, outgoing);
      if (hasBody) outgoing.work = work;
      return work;
    };
    connections.note(connection, caller, outgoing, () => {
      if (!incoming.socket.destroyed) turns.take(caller, answerIfOpen, outgoing);
    });
  });
  // Node would drop the headers beyond a number, and with them those that a proxy adds at the end.
  server.maxHeadersCount = 0;
  server.timeout = 60 * SECOND;
  for (const watcher of [handlers.watch, watch]) {
    if (watcher !== undefined) server.prependListener('request', watcher);
  }
  const connections = connectionsOf(server, peers(trustedProxies));
  server.on('connection', (socket) => {
    turns.noteConnection();
    // Of one that was refused at once, nothing follows.
    if (!socket.destroyed) noteConnection();
  });
  refuseMalformed(server, refusalHeaders, connections);
  server.listen(port, host, MOST_TO_ACCEPT);
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

// Returns when the work has ended, although the answer may not have been received.
function answerer({
  api,
  rest,
  refusalHeaders = {},
}: HttpHandlers): (incoming: IncomingMessage, outgoing: ServerResponse) => Awaitable<unknown> {
  // The adapter refuses a target or Host header that makes no valid URL. The app answers every other error.
  const errorHandler = (error: unknown) =>
    refusalResponse(error instanceof RequestError ? 400 : 500, refusalHeaders);
  const answerRest = getRequestListener((request, env) => rest.fetch(request, env), { errorHandler });
  return (incoming, outgoing) => {
    if (lacksHost(incoming) || hasCostlyTarget(incoming)) return refuse(outgoing, 400, refusalHeaders);
    const answer = api(incoming);
    if (answer === undefined) return answerRest(incoming, outgoing);
    return answer instanceof Promise ? answer.then((ready) => send(ready, outgoing)) : send(answer, outgoing);
  };
}
