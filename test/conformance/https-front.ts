// https for tests: a TLS server in front of the program's http port, like an operator's reverse proxy.

import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { type App, openApp } from '../support/app.ts';
import { certificate } from '../support/certificates.ts';
import { freePort } from '../support/services.ts';

/** Handles the requests to an https server. */
export type Handler = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

export interface HttpsServer {
  /** Without a trailing slash. */
  url: string;
  close(): Promise<void>;
}

/** Open the whole program at an https address that this process trusts. */
export async function openHttpsApp(): Promise<App> {
  const port = await freePort();
  const front = await listenHttps(forwardTo(port));
  const app = await openApp({ PORT: String(port), BASE_URL: front.url, TRUST_PROXY: '127.0.0.1' });
  return {
    ...app,
    async close() {
      await front.close();
      await app.close();
    },
  };
}

/** Listen on a free port of this machine, with a certificate that this process trusts. */
export async function listenHttps(handler: Handler): Promise<HttpsServer> {
  const server = createServer(certificate(), handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A listening server has no port.');
  return {
    url: `https://localhost:${address.port}`,
    async close() {
      const closing = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closing;
    },
  };
}

function forwardTo(port: number): Handler {
  return (incoming, outgoing) => {
    // The proxy adds no header of its own.
    outgoing.sendDate = false;
    const headers = { ...incoming.headers, 'x-forwarded-for': incoming.socket.remoteAddress };
    const { method, url: path } = incoming;
    const inner = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    inner.on('error', () => outgoing.destroy());
    incoming.pipe(inner);
  };
}
