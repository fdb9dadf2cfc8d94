// A proxy before two nodes that does what deploy/nginx.conf and deploy/Caddyfile ask of theirs: it keeps connections,
// no longer than the nodes do, and tries the other node with what could not be sent, or may be asked twice.

import { once } from 'node:events';
import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { openProxy, type RunningProxy } from './round-robin.ts';

// A node that refused is left alone for so long.
const FAIL_TIMEOUT_MS = 500;

/** Starts it on a free port. */
export async function startBalancer(addresses: readonly string[]): Promise<RunningProxy> {
  const agent = new Agent({ keepAlive: true, timeout: 4000 });
  const failedAt = new Map<string, number>();
  let count = 0;

  // In turn, those that failed just now last.
  function inOrder(): string[] {
    count += 1;
    const turned = addresses.map((_, index) => addresses[(count + index) % addresses.length] ?? '');
    const isFailing = (url: string) => performance.now() - (failedAt.get(url) ?? -1e9) < FAIL_TIMEOUT_MS;
    return turned.sort((a, b) => Number(isFailing(a)) - Number(isFailing(b)));
  }

  async function answer(asked: IncomingMessage, reply: ServerResponse): Promise<void> {
    const body = await buffer(asked);
    for (const url of inOrder()) {
      try {
        return await pass(url, asked, body, reply, agent);
      } catch (error) {
        failedAt.set(url, performance.now());
        const wasSent = (error as NodeJS.ErrnoException).code !== 'ECONNREFUSED';
        if (reply.headersSent || (wasSent && asked.method !== 'GET')) break;
      }
    }
    if (!reply.headersSent) reply.writeHead(502);
    reply.end();
  }

  return openProxy(agent, answer);
}

async function pass(
  url: string,
  asked: IncomingMessage,
  body: Buffer,
  reply: ServerResponse,
  agent: Agent,
): Promise<void> {
  const { connection: _, ...headers } = asked.headers;
  const onward = request(url + asked.url, { method: asked.method ?? 'GET', headers, agent });
  onward.end(body);
  const [received] = (await once(onward, 'response')) as [IncomingMessage];
  const whole = await buffer(received);
  const { connection: _own, 'keep-alive': _time, 'transfer-encoding': _coding, ...rest } = received.headers;
  reply.writeHead(received.statusCode ?? 502, rest).end(whole);
}
