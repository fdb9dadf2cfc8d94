// A proxy as it stands before several machines: each request, whichever connection it came on, goes to the next one.

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
  /** From now on requests go to these addresses in turn. */
  passTo(addresses: readonly string[]): void;
}

/** Starts it on a free port. Until it is told where to pass requests, it answers 502. */
export async function startRoundRobin(): Promise<RoundRobin> {
  // A connection for each request: behind one address workers share connections, not requests.
  const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
  let targets: readonly string[] = [];
  let count = 0;

  const proxy = await openProxy(agent, (asked, answer) => {
    const target = targets[count % targets.length];
    count += 1;
    if (target === undefined) refuse(answer);
    else pass(asked, answer, target, agent);
  });
  return {
    ...proxy,
    passTo(addresses) {
      targets = addresses;
    },
  };
}

/** Listens on a free port; closing it ends its connections, and those of `agent` to the servers behind it. */
export async function openProxy(agent: Agent, listener: RequestListener): Promise<RunningProxy> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await closed;
    },
  };
}

function pass(asked: IncomingMessage, answer: ServerResponse, target: string, agent: Agent): void {
  const { connection: _, ...headers } = asked.headers;
  const cameFrom = [asked.headers['x-forwarded-for'], asked.socket.remoteAddress].flat().filter(Boolean);
  const onward = request(target + asked.url, {
    method: asked.method ?? 'GET',
    headers: { ...headers, 'x-forwarded-for': cameFrom.join(', ') },
    agent,
  });
  onward.on('response', (received) => {
    answer.writeHead(received.statusCode ?? 502, ownHeaders(received));
    // The caller sees that an answer was cut off; there is nobody else to tell.
    pipeline(received, answer, () => {});
  });
  pipeline(asked, onward, (error) => {
    if (error && !answer.headersSent) refuse(answer);
  });
  onward.on('error', () => {
    if (!answer.headersSent) refuse(answer);
  });
}

function refuse(answer: ServerResponse): void {
  answer.writeHead(502).end();
}

/** The headers of an answer as they came, several of one name included, without those of its connection. */
function ownHeaders({ rawHeaders }: IncomingMessage): string[] {
  return rawHeaders.filter((_, index) => {
    const name = rawHeaders[index - (index % 2)] ?? '';
    return !/^(connection|keep-alive|transfer-encoding)$/i.test(name);
  });
}
