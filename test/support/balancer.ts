// A proxy in front of two nodes, configured like those in deploy/: it keeps connections for less time than the nodes
// do, and sends a request to the other node if it could not be sent or may be repeated.

import { once } from 'node:events';
import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { openProxy, type RunningProxy } from './round-robin.ts';

// For this long, a node that refused a connection is tried last.
const FAIL_TIMEOUT_MS = 500;

/** Start it on a free port. */
export async function startBalancer(addresses: readonly string[]): Promise<RunningProxy> {
  const agent = new Agent({ keepAlive: true, timeout: 4000 });
  const failedAt = new Map<string, number>();
  let count = 0;

  // The nodes in turn, those that failed recently last.
  function nextNodes(): string[] {
    count += 1;
    const inTurn = addresses.map((_, index) => addresses[(count + index) % addresses.length] ?? '');
    const isFailing = (url: string) => performance.now() - (failedAt.get(url) ?? -1e9) < FAIL_TIMEOUT_MS;
    return inTurn.sort((a, b) => Number(isFailing(a)) - Number(isFailing(b)));
  }

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    for (const url of nextNodes()) {
      try {
        return await pass(url, incoming, body, response, agent);
      } catch (error) {
        failedAt.set(url, performance.now());
        const wasSent = (error as NodeJS.ErrnoException).code !== 'ECONNREFUSED';
        if (response.headersSent || (wasSent && incoming.method !== 'GET')) break;
      }
    }
    if (!response.headersSent) response.writeHead(502);
    response.end();
  }

  return openProxy(agent, handle);
}

async function pass(
  url: string,
  incoming: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
  agent: Agent,
): Promise<void> {
  const { connection: _, ...headers } = incoming.headers;
  const outgoing = request(url + incoming.url, { method: incoming.method ?? 'GET', headers, agent });
  outgoing.end(body);
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  const content = await buffer(answer);
  const { connection: _own, 'keep-alive': _time, 'transfer-encoding': _coding, ...rest } = answer.headers;
  response.writeHead(answer.statusCode ?? 502, rest).end(content);
}
