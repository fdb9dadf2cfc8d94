// The suite's own server, which records the requests of browsers that arrive at a callback.

import type { IncomingMessage } from 'node:http';
import { type HttpsServer, listenHttps } from './https-front.ts';

/** One request that arrived. */
export interface Arrival {
  method: string;
  url: URL;
  contentType: string | undefined;
  body: string;
}

export interface Callbacks {
  url: string;
  /** Return the requests since the last call. */
  take(): Arrival[];
  close(): Promise<void>;
}

export async function openCallbacks(): Promise<Callbacks> {
  let arrivals: Arrival[] = [];
  const server: HttpsServer = await listenHttps(async (incoming, outgoing) => {
    const body = await textOf(incoming);
    const url = new URL(incoming.url ?? '', server.url);
    const contentType = incoming.headers['content-type'];
    arrivals.push({ method: incoming.method ?? '', url, contentType, body });
    outgoing.end('arrived');
  });
  return {
    url: server.url,
    take() {
      const batch = arrivals;
      arrivals = [];
      return batch;
    },
    close: server.close,
  };
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of incoming) text += chunk;
  return text;
}
