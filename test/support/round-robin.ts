// A proxy as in front of several machines: each request goes to the next one, whatever connection it came on.

import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

export interface RunningProxy {
  url: string;
  close(): Promise<void>;
}

export interface RoundRobin extends RunningProxy {
  /** From now on pass requests to these addresses in turn. */
  passTo(addresses: readonly string[]): void;
}

/** Start it on a free port. Until `passTo` is called, it answers 502. */
export async function startRoundRobin(): Promise<RoundRobin> {
  // A connection for each request, because workers with one address share connections, not requests.
  const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
  let targets: readonly string[] = [];
  let count = 0;

  const proxy = await openProxy(agent, (incoming, response) => {
    const target = targets[count % targets.length];
    count += 1;
    if (target === undefined) refuse(response);
    else pass(incoming, response, target, agent);
  });
  return {
    ...proxy,
    passTo(addresses) {
      targets = addresses;
    },
  };
}

/** Listen on a free port. Closing also ends the proxy's connections, and those of `agent` to the servers behind it. */
export async function openProxy(agent: Agent, listener: RequestListener): Promise<RunningProxy> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closing = once(server, 'close');
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await closing;
    },
  };
}

function pass(incoming: IncomingMessage, response: ServerResponse, target: string, agent: Agent): void {
  const { connection: _, ...headers } = incoming.headers;
  const callers = [incoming.headers['x-forwarded-for'], incoming.socket.remoteAddress];
  const outgoing = request(target + incoming.url, {
    method: incoming.method ?? 'GET',
    headers: { ...headers, 'x-forwarded-for': callers.flat().filter(Boolean).join(', ') },
    agent,
  });
  outgoing.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, ownHeaders(answer));
    // The caller notices if the answer breaks off, so no error needs handling.
    pipeline(answer, response, () => {});
  });
  pipeline(incoming, outgoing, (error) => {
    if (error && !response.headersSent) refuse(response);
  });
  outgoing.on('error', () => {
    if (!response.headersSent) refuse(response);
  });
}

function refuse(response: ServerResponse): void {
  response.writeHead(502).end();
}

/** Return the headers of an answer unchanged, repeated ones included, without those of its connection. */
function ownHeaders({ rawHeaders }: IncomingMessage): string[] {
  return rawHeaders.filter((_, index) => {
    const name = rawHeaders[index - (index % 2)] ?? '';
    return !/^(connection|keep-alive|transfer-encoding)$/i.test(name);
  });
}
