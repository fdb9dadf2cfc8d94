// A server of an application that receives events, on loopback. Names lead to it as they would on the internet.

import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { Webhook } from 'standardwebhooks';
import { eventSender } from '../../src/background.ts';
import type { Send } from '../../src/oauth/event-delivery.ts';
import { fetchWith, toLoopback } from '../lib/public-server.ts';
import type { TestScope } from './databases.ts';

export interface ReceivedEvent {
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  url: string;
  port: number;
  received: ReceivedEvent[];
  /** How it answers from now on. By default with 204. */
  answer: RequestListener;
  /** Break all connections off, and accept none for this many milliseconds. */
  kill(duration: number): Promise<void>;
}

export const accept: RequestListener = (_, response) => void response.writeHead(204).end();

export function status(code: number, headers: Record<string, string> = {}): RequestListener {
  return (_, response) => void response.writeHead(code, headers).end();
}

/** Open a receiver at https://NAME.example/events, as far as `sendToReceivers` is concerned. */
export async function openReceiver(scope: TestScope, name = 'receiver'): Promise<Receiver> {
  const receiver: Receiver = {
    url: `https://${name}.example/events`,
    port: 0,
    received: [],
    answer: accept,
    async kill(duration) {
      server.close();
      server.closeAllConnections();
      await pause(duration);
      server.listen(receiver.port, '127.0.0.1');
    },
  };
  const server = createServer(async (request, response) => {
    receiver.received.push({ headers: request.headers, body: await text(request) });
    receiver.answer(request, response);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  receiver.port = (server.address() as AddressInfo).port;
  scope.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return receiver;
}

/** Send as the server does, but without TLS, and to the ports of the receivers. `time` is in milliseconds. */
export function sendToReceivers(
  receivers: readonly Pick<Receiver, 'url' | 'port'>[],
  { time = 10_000 } = {},
): Send {
  const send = eventSender(fetchWith(toLoopback({ httpsOnly: false, time })));
  return async (message) => {
    const { port = 1 } = receivers.find(({ url }) => url === message.url) ?? {};
    const url = new URL(message.url);
    return send({ ...message, url: `http://${url.hostname}:${port}${url.pathname}` });
  };
}

/** Verify events as an application does. */
export function verified(webhook: Webhook, { received }: Pick<Receiver, 'received'>): unknown[] {
  return received.map(({ body, headers }) => webhook.verify(body, headers as Record<string, string>));
}
